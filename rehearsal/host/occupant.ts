import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Layout } from './folder.ts';
import { loginEnvironment } from './session.ts';
import { removeServer, startOf, writeServer } from './stand-in/state.mjs';

/** Somebody's process on a GPU, that nobody here launched. */
export interface Occupant {
  readonly pid: number;
  /** Resolves when it is gone. */
  end(): Promise<void>;
}

/** A real process that nvidia-smi shows on a GPU, by the name `title`; like all that compute it has the driver's device open. */
export async function occupy(
  { layout, user }: { readonly layout: Layout; readonly user: string },
  { gpu, mib, title }: { readonly gpu: number; readonly mib: number; readonly title: string },
): Promise<Occupant> {
  const device = await open(join(layout.folder, 'dev', 'nvidiactl'), 'r');
  const child = spawn('sleep', ['1000000'], {
    env: loginEnvironment({ layout, user }),
    stdio: ['ignore', 'ignore', 'ignore', device.fd],
  });
  await once(child, 'spawn');
  await device.close();
  const { pid } = child;
  if (pid === undefined) throw new Error('the process has no pid');
  while (startOf(pid) === null) await sleep(5);
  writeServer(layout.folder, { port: 0, mib, processes: [{ pid, start: startOf(pid), title, gpu }] });
  return {
    pid,
    async end() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      removeServer(layout.folder, pid);
    },
  };
}
