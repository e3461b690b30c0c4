/** Worker processes that a test may kill at any moment; where one stands by, it takes the place of the one that is gone. */

import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import type { Stage } from '../../rehearsal/demo/stage.ts';

export interface Workers {
  /** SIGKILLs the worker that runs, and lets the stand-by take over at once. */
  kill(): Promise<void>;
  /** Starts another and ends the one that runs as a supervisor does, by SIGTERM; resolves with its exit code. */
  handOver(): Promise<number | null>;
  stop(): Promise<void>;
}

/** So many killed workers are replaced without the time that a start takes: one after the other stands by. */
export async function startWorkers(stage: Stage, { standBys }: { standBys: number }): Promise<Workers> {
  const all = new Set<ChildProcess>();
  let left = standBys;
  const prepare = (): Promise<ChildProcess> | null => (left-- > 0 ? standBy(stage, all) : null);
  let active = await standBy(stage, all);
  let next = prepare();
  active.kill('SIGUSR2');
  return {
    async kill() {
      await ended(active, 'SIGKILL');
      active = await (next ?? standBy(stage, all));
      active.kill('SIGUSR2');
      next = prepare();
    },
    async handOver() {
      const old = active;
      active = await (next ?? standBy(stage, all));
      active.kill('SIGUSR2');
      await ended(old, 'SIGTERM');
      next = prepare();
      return old.exitCode;
    },
    async stop() {
      // One that could not even load must not keep the others.
      await next?.catch(() => undefined);
      await Promise.all([...all].map((child) => ended(child, child === active ? 'SIGTERM' : 'SIGKILL')));
    },
  };
}

/** A worker of the test's own process, by what stops it. */
export function workerHere(stop: () => Promise<void>): Workers {
  const refuse = () => Promise.reject(new Error('this worker is no process of its own'));
  return { kill: refuse, handOver: refuse, stop };
}

async function standBy(stage: Stage, all: Set<ChildProcess>): Promise<ChildProcess> {
  const child = fork(new URL('./worker-entry.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
    env: stage.environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log = createWriteStream(`${stage.logPath}.workers`, { flags: 'a' });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  all.add(child);
  child.once('exit', () => all.delete(child));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`a worker ended with ${code} before it was loaded`)));
  });
  return child;
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
