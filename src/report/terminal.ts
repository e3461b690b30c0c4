/** The line that people paste into a terminal to see the log with their own eyes. */

import type { Config, HostConfig } from '../config/config.ts';
import type { Run } from '../run/run.ts';

type Connect = HostConfig['connect'];

/**
 * `ssh -J root@gate -p 10978 root@203.0.113.7 tail -n 100 -F /root/vllm.log`; a path with odd characters is quoted for both shells.
 * null for a host that vigil.yaml doesn't hold.
 */
export function tailLine(hosts: Config['hosts'], host: string, log: string): string | null {
  const connect = hosts[host]?.connect;
  if (connect === undefined) return null;
  const jumps = jumpsTo(connect, hosts);
  const way = jumps.length === 0 ? [] : ['-J', shellWord(jumps.join(','))];
  return ['ssh', ...way, ...reach(connect), 'tail -n 100 -F', quotePath(log)].join(' ');
}

/** The line for a run's log, or null before the log's path is known. */
export function runTailLine(config: Config, run: Run): string | null {
  const log = run.started?.log ?? run.request.log;
  return log === null ? null : tailLine(config.hosts, run.request.host, log);
}

function reach(connect: Connect): string[] {
  if (connect.kind === 'alias') return [shellWord(connect.alias)];
  const { user, address, port } = connect;
  return [...(port === 22 ? [] : ['-p', String(port)]), shellWord(`${user}@${address}`)];
}

/** The jump hosts as `ssh -J` takes them, the outermost first. vigil.yaml holds no loop. */
function jumpsTo(connect: Connect, hosts: Config['hosts']): string[] {
  const jump = connect.kind === 'address' && connect.jump !== null ? hosts[connect.jump]?.connect : undefined;
  return jump === undefined ? [] : [...jumpsTo(jump, hosts), jumpWord(jump)];
}

function jumpWord(connect: Connect): string {
  if (connect.kind === 'alias') return connect.alias;
  const { user, address, port } = connect;
  const place = address.includes(':') ? `[${address}]` : address;
  return `${user}@${place}${port === 22 ? '' : `:${port}`}`;
}

/** The remote shell reads the words again, so what needs quotes needs them twice; `~/` stays open for it. */
function quotePath(path: string): string {
  if (isSimple(path)) return path;
  const home = path.startsWith('~/') ? '~/' : '';
  return shellWord(`${home}${shellWord(path.slice(home.length))}`);
}

/** A word as a shell reads it: in quotes where it needs them. */
export function shellWord(word: string): string {
  return isSimple(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function isSimple(word: string): boolean {
  return /^[\w@%+=:,./~-]+$/.test(word);
}
