import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { shellWord } from './shell-word.ts';

/**
 * A watcher waits on a pipe whose other end only this process holds: when we are gone, even by SIGKILL, it kills the
 * child and cleans up. `exec` makes the child's pid ours to signal.
 */
const BOUND_TO_US = `exec 3<&0 </dev/null
(read -r ended <&3 || { kill -KILL $$; eval "$WHEN_WE_ARE_GONE"; }) >/dev/null 2>&1 &
exec "$@" 3<&-`;

/**
 * Starts a child that does not outlive this process. It has a session of its own, so that Ctrl-C in a terminal reaches
 * only us and we end it when nobody needs it any more. `whenGone`: a program to run if we die without having ended it.
 */
export function spawnBound(
  words: readonly string[],
  {
    whenGone = [],
    cwd,
    env = process.env,
  }: { whenGone?: readonly string[]; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): ChildProcessWithoutNullStreams {
  const bound = { ...env, WHEN_WE_ARE_GONE: whenGone.map(shellWord).join(' ') };
  const child = spawn('sh', ['-c', BOUND_TO_US, 'sh', ...words], { cwd, env: bound, detached: true });
  child.stdin.on('error', () => {}); // the watcher may be gone already
  child.once('exit', () => child.stdin.end('ended\n'));
  return child;
}

export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Sends a signal; one that ends the child is waited for. */
export async function send(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const ended = endOf(child, signal);
  child.kill(signal);
  await ended;
}

/** The child's exit if this signal ends it; nothing to wait for otherwise. */
export async function endOf(child: ChildProcess, signal: string): Promise<void> {
  if (signal === 'SIGKILL' || signal === 'SIGTERM') await once(child, 'exit');
}
