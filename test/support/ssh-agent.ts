/** A real ssh-agent for the time of a test. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';

export interface Agent {
  readonly socketPath: string;
  /** Adds a key that has no passphrase, and its certificate if there is one beside it. */
  add(keyPath: string): Promise<void>;
  /** Ends it at once; its socket stays behind, as after a crash. */
  kill(): Promise<void>;
}

export async function startAgent(folder: string): Promise<Agent> {
  const socketPath = join(folder, `agent-${Math.random().toString(36).slice(2)}`);
  // Whoever must confirm the use of a key says no.
  const env = { ...process.env, SSH_ASKPASS: '/bin/false', SSH_ASKPASS_REQUIRE: 'force' };
  const child = spawn('ssh-agent', ['-D', '-a', socketPath], { stdio: 'ignore', env });
  const add = async (...words: string[]) => {
    await promisify(execFile)('ssh-add', words, { env: { ...process.env, SSH_AUTH_SOCK: socketPath } });
  };
  // It has begun when it says that it holds no keys, which ssh-add tells by 1, not by 2.
  await vi.waitFor(async () => {
    const code: unknown = await add('-l').catch((error: { code: unknown }) => error.code);
    if (code !== 1) throw new Error('the agent does not answer yet');
  });
  return {
    socketPath,
    add: (keyPath) => add('-q', keyPath),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
