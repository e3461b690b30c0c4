/** What a stop leaves, asked until the last of it has had its time. */

import type { Pid, Writer } from '../host/process.ts';
import type { GpuView, Leftover, Swept } from '../host/stop.ts';
import { holds, union } from '../pids.ts';
import { isFound, targetLogOf } from '../run/request.ts';
import type { StopProof } from '../run/run.ts';
import { type Ending, type Eye, isGone, type Look, rootsOf } from './stop-eye.ts';
import type { Way } from './stop-fact.ts';
import { proofOf } from './stop-proof.ts';
import { wait } from './wait.ts';

export async function prove(
  ending: Ending,
  eye: Eye,
  { way, before }: { way: Way; before: Look | null },
): Promise<StopProof> {
  const { run, host, started, tools, signal } = ending;
  const { stopLook } = tools.timings;
  const { address } = run.request;
  const swept = await sweep(ending, way);
  const isTold = (look: Look): boolean => look.exit !== null || isFound(run);
  const isSettled = (look: Look): boolean => isTold(look) && (look.listener?.kind ?? 'closed') === 'closed';
  const look = await eye.until(stopLook * 4, { isOver: (seen) => isGone(seen) && isSettled(seen), address });
  const tree = eye.tree();
  const left = look.running.length === 0 ? [] : await host.left(look.running, signal);
  const gpu = await gpusWithout(ending, tree, isGone(look));
  const beside = way.kind === 'restart' ? [] : await besideList(ending);
  const writers = await writersBeside(ending, union(tree, beside));
  return proofOf({
    run,
    started,
    way,
    look,
    before: before?.listener ?? null,
    tree,
    left,
    swept,
    beside,
    gpu,
    writers,
  });
}

/** Whose processes live for a moment only and start the next is caught here; what somebody started by hand has no mark, and its list is all. */
async function sweep({ run, host, folder, started, signal }: Ending, way: Way): Promise<Swept> {
  if (way.kind === 'restart' || run.confirmed !== null) return { pids: [], isQuiet: true };
  return host.sweep({ ...folder, started }, signal);
}

/** What belongs to something that was started by hand and was on no list that was confirmed. */
async function besideList({ run, host, folder, started, signal }: Ending): Promise<readonly (Leftover & Pid)[]> {
  const { confirmed } = run;
  if (confirmed === null) return [];
  const all = union(union([started.main], run.tree), await host.tree({ ...folder, started }, signal));
  const beside = all.filter((one) => one.pid > 1 && !holds(confirmed, one));
  const left = beside.length === 0 ? [] : await host.left(beside, signal);
  return left.map((one) => ({ ...one, start: beside.find(({ pid }) => pid === one.pid)?.start ?? 0 }));
}

/** The driver needs a moment to let go of a process that is gone. */
async function gpusWithout(
  { host, tools, signal }: Ending,
  tree: readonly Pid[],
  isGoneNow: boolean,
): Promise<GpuView> {
  const { clock, timings } = tools;
  const limit = clock.now() + (isGoneNow ? timings.stopKill : 0);
  for (;;) {
    const view = await host.gpuView(signal);
    const isNamed = (view.gpus ?? []).some(({ processes }) =>
      processes.some(({ pid }) => tree.some((one) => one.pid === pid)),
    );
    if (!isNamed || clock.now() >= limit) return view;
    await wait(timings.stopLook, signal);
    signal.throwIfAborted();
  }
}

/** Who writes the run's logs and was never seen in its tree: it may be a part of the run that left all its marks. */
async function writersBeside({ run, host, started, signal }: Ending, tree: readonly Pid[]): Promise<readonly Writer[]> {
  const { request } = run;
  const logs = [started.log, targetLogOf(request)].filter((log) => log !== null);
  const writers = await Promise.all(logs.map((log) => host.writers(log, signal)));
  const strangers = new Map(writers.flat().map((writer) => [writer.pid, writer]));
  return rootsOf([...strangers.values()].filter((writer) => writer.by === 'open' && !holds(tree, writer)));
}
