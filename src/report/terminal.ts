/** The line that people paste into a terminal to see the log with their own eyes. */

import type { Config, HostConfig } from '../config/config.ts';
import type { Run } from '../run/run.ts';

type Connect = HostConfig['connect'];

/** `ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/vllm.log`; a path with odd characters is quoted for both shells. */
export function tailLine(connect: Connect, log: string): string {
  const words = connect.kind === 'alias' ? [quote(connect.alias)] : reach(connect);
  return ['ssh', ...words, 'tail -n 100 -F', quotePath(log)].join(' ');
}

/** The line for a run's log, or null before the log's path is known. */
export function runTailLine(config: Config, run: Run): string | null {
  const log = run.started?.log ?? run.request.log;
  const host = config.hosts[run.request.host];
  return log === null || host === undefined ? null : tailLine(host.connect, log);
}

function reach({ user, address, port }: Connect & { kind: 'address' }): string[] {
  return [...(port === 22 ? [] : ['-p', String(port)]), quote(`${user}@${address}`)];
}

/** The remote shell reads the words again, so what needs quotes needs them twice; `~/` stays open for it. */
function quotePath(path: string): string {
  if (isSimple(path)) return path;
  const home = path.startsWith('~/') ? '~/' : '';
  return quote(`${home}${quote(path.slice(home.length))}`);
}

function quote(word: string): string {
  return isSimple(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function isSimple(word: string): boolean {
  return /^[\w@%+=:,./~-]+$/.test(word);
}
