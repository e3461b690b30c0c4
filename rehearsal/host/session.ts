import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { ServerChannel, Session } from 'ssh2';
import type { Layout } from './folder.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** One exec per session, as sshd runs it without a terminal: a shell in a session of its own, with pipes. */
export function serveSession(session: Session, { layout, user }: { layout: Layout; user: string }): void {
  const environment: Record<string, string> = {};
  session.on('env', (accept, _reject, { key, val }) => {
    // As Debian's sshd_config: AcceptEnv LANG LC_*.
    if (/^(LANG|LC_\w+)$/.test(key)) environment[key] = val;
    accept?.();
  });
  session.once('exec', (accept, _reject, { command }) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: layout.home,
      detached: true,
      env: { ...environment, ...loginEnvironment({ layout, user }) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    session.on('signal', (_accept, _reject, { name }) => sendSignal(child, name));
    connect(child, accept());
  });
}

/** What a login on the host finds. */
export function loginEnvironment({ layout, user }: { layout: Layout; user: string }): NodeJS.ProcessEnv {
  return {
    HOME: layout.home,
    LOGNAME: user,
    PATH: `${layout.bin}:${process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'}`,
    SHELL: '/bin/sh',
    TZ: process.env.TZ,
    USER: user,
    REHEARSAL_HOST: layout.folder,
  };
}

/** sshd sends a channel's signal to the command's process group. */
function sendSignal(child: Child, name: string): void {
  if (child.pid === undefined || !(`SIG${name}` in constants.signals)) return;
  try {
    process.kill(-child.pid, `SIG${name}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * Ties the child's pipes to the channel. The exit is told when the child ends; the channel closes once its output has
 * ended too (a background process may hold it longer). A closed channel closes the pipes and kills nothing.
 */
function connect(child: Child, channel: ServerChannel): void {
  const ignore = () => undefined;
  for (const stream of [child.stdin, child.stdout, child.stderr, channel]) stream.on('error', ignore);

  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });

  child.on('error', () => channel.exit(127));
  child.on('exit', (code, signal) => {
    if (code !== null) channel.exit(code);
    else channel.exit((signal ?? 'SIGKILL').slice(3), false, '');
  });
  child.on('close', () => {
    // channel.end() closes at once, which would cut off standard error that waits for window.
    if (channel.stderr.writableLength === 0) channel.end();
    else channel.stderr.once('drain', () => channel.end());
  });
  channel.on('close', () => {
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  });
}
