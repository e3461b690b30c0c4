/** A ProxyCommand: a process on Vigil's machine whose stdin and stdout are the connection. It ends with the connection, by its pid. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { foreignVariables } from '../config/environment.ts';
import { within } from '../within.ts';
import { joinStreams } from './join-streams.ts';
import type { Transport } from './transport.ts';

const STDERR_KEPT = 2_048;
/** ms from TERM to KILL, and that a failed connection waits for the command's last words. */
const GRACE = 2_000;
const LAST_WORDS = 2_000;

/** `text` is the administrator's own, as ssh would run it; see resolve/alias.ts for what is put into it. */
export function startProxy(text: string): Transport {
  // A group of its own, so that a pipeline ends as a whole.
  const child = spawn('/bin/sh', ['-c', `exec ${text}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: foreignVariables(),
  });
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr = (stderr + bytes.toString('utf8')).slice(-STDERR_KEPT);
  });
  const ended = once(child, 'close').catch(() => undefined);
  child.on('error', () => undefined);
  let isOurEnd = false;
  const end = () => {
    isOurEnd = true;
    endGroup(child);
  };
  const stream = joinStreams({ readable: child.stdout, writable: child.stdin, end });
  return {
    stream,
    complaint: async () => {
      await within(LAST_WORDS, ended);
      const said = stderr.trim().split('\n').at(-1) ?? '';
      const how = isOurEnd && child.exitCode === null ? 'gave no connection' : howEnded(child);
      return `the ProxyCommand ${how}${said === '' ? ', without a word' : `: ${said}`}`;
    },
  };
}

type Proxy = ChildProcessByStdio<Writable, Readable, Readable>;

function howEnded({ exitCode, signalCode }: Proxy): string {
  if (exitCode !== null) return `ended with exit code ${exitCode}`;
  return signalCode === null ? 'runs still' : `was ended by ${signalCode}`;
}

function endGroup(child: Proxy): void {
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), GRACE);
  timer.unref();
  child.once('exit', () => clearTimeout(timer));
}

/** Only while its first process is there: later the number may be another's. */
function signal({ pid, exitCode, signalCode }: Proxy, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It ended in this very moment.
  }
}
