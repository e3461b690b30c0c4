/**
 * Ends a run and proves it. TERM goes to a server's main process only, which ends its own workers (vLLM's way), and to every process
 * group of a training; what is left after the
 * grace is ended pid by pid, each checked by its start time, never by name, and never the launcher, which writes the exit record.
 */

import { HostRefused, HostUnreachable } from '../src/errors.ts';
import { folderOf } from '../src/flow/folder.ts';
import { observedNow } from '../src/flow/now.ts';
import { proofOf } from '../src/flow/stop-proof.ts';
import { jittered, wait } from '../src/flow/wait.ts';
import { whenSlackAnswers } from '../src/flow/when-slack-answers.ts';
import { observe } from '../src/flow/write.ts';
import { union } from '../src/pids.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { refusalOf } from '../src/rights.ts';
import { isEnd, type Run, type StopProof } from '../src/run/run.ts';
import type { Host, Pid, RunFolder, Started, StopView } from '../src/tools.ts';

export async function stop(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const begun = tools.clock.now();
  while (!signal.aborted) {
    const entry = await tools.journal.load(id);
    if (entry === null || isEnd(entry.run.phase) || entry.run.stopBy === null) return 'done';
    const denied = await refusal(entry.run, tools, signal);
    if (denied !== null) {
      await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'stop_refused', reason: denied })]);
      return 'done';
    }
    try {
      const proof = await end({ run: entry.run, tools, signal });
      if (proof === null) return 'again';
      await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'stop_done', proof })]);
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'again';
      if (!(error instanceof HostUnreachable) && !(error instanceof HostRefused)) throw error;
      if (tools.clock.now() - begun >= tools.timings.contact) await tellWait(id, tools, error);
      await wait(jittered(tools.timings.reconnect), signal);
    }
  }
  return 'again';
}

/** The right to stop, looked at again: it may be gone since the command. */
async function refusal(run: Run, tools: Tools, signal: AbortSignal): Promise<string | null> {
  const question = { user: run.stopBy ?? '', host: run.request.host, verb: 'stop' } as const;
  const denied = await whenSlackAnswers(() => refusalOf(tools, question), tools, signal);
  return denied === null ? null : `${denied} The stop is not carried out; the run goes on.`;
}

/** The host has not answered for too long: a blip is no news. */
async function tellWait(id: string, tools: Tools, error: Error): Promise<void> {
  const text = `${error.message} The stop goes on as soon as the host answers.`;
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'notice', text })]);
}

interface Ending {
  readonly run: Run;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

async function end({ run, tools, signal }: Ending): Promise<StopProof | null> {
  if (!run.attempted) return { proven: true, evidence: ['Nothing had been started, and nothing will be.'] };
  const host = tools.hosts.get(run.request.host);
  const folder = folderOf(tools.config, run.request);
  const started = run.started ?? (await voided({ host, folder, signal }));
  if (started === null)
    return { proven: true, evidence: ['Nothing had been started, and the launch is void on the host.'] };
  return endTree({ run, host, folder, started, tools, signal });
}

async function voided({
  host,
  folder,
  signal,
}: {
  host: Host;
  folder: RunFolder;
  signal: AbortSignal;
}): Promise<Started | null> {
  const answer = await host.voidClaim(folder, signal);
  return answer.kind === 'void' ? null : answer.started;
}

async function endTree(work: Ending & { host: Host; folder: RunFolder; started: Started }): Promise<StopProof | null> {
  const { run, host, folder, started, tools, signal } = work;
  const { stopLook, stopTerm, stopKill } = tools.timings;
  const target = { ...folder, started };
  let tree = union([started.main], run.tree);
  const look = async (): Promise<StopView> => {
    tree = union(tree, await host.tree(target, signal)).filter((process) => process.pid !== started.session);
    return host.stopView(target, { pids: tree, address: run.request.address }, signal);
  };
  /** Looks until `isOver` or the time is up; null when the job is to let go. */
  const until = async (ms: number, isOver: (view: StopView) => boolean): Promise<StopView | null> => {
    const limit = tools.clock.now() + ms;
    for (;;) {
      const view = await look();
      if (isOver(view) || tools.clock.now() >= limit) return view;
      await wait(stopLook, signal);
      if (signal.aborted) return null;
    }
  };
  const isAllGone = (view: StopView): boolean => view.running.length === 0;
  const isMainGone = (view: StopView): boolean => !view.running.some((process) => process.pid === started.main.pid);

  await look();
  const graceLeft = await signalOnce(work, tree);
  let view = await until(graceLeft, run.request.kind === 'train' ? isAllGone : isMainGone);
  if (view !== null && !isAllGone(view)) view = await until(stopKill, isAllGone);
  for (const [name, ms] of [
    ['TERM', stopTerm],
    ['KILL', stopKill],
  ] as const) {
    if (view === null || isAllGone(view)) break;
    await host.kill(view.running, name, signal);
    view = await until(ms, isAllGone);
  }
  if (view !== null && view.exit === null) view = await until(stopLook * 4, (now) => now.exit !== null);
  return view === null ? null : proofOf(view, tree, run);
}

/**
 * The first signal, given once even if the job is taken over: a rank that saves its checkpoint dies of a second one. Returns what is
 * left of the grace (ms). It is noted before it is given: if it then isn't, the later ones are.
 */
async function signalOnce(
  { run, host, started, tools, signal }: Ending & { host: Host; started: Started },
  tree: readonly Pid[],
): Promise<number> {
  const { request, signalledAt } = run;
  const grace = request.stopGrace * 1000;
  if (signalledAt !== null) return Math.max(0, signalledAt + grace - tools.clock.now());
  await observe(tools.journal, request.id, () => [observedNow(tools.clock, { kind: 'stop_signalled' })]);
  // Ranks have sessions of their own, and a script's shell dies of TERM without a word to them; they need the grace to save.
  if (request.kind === 'train') await host.terminateGroups(tree, started.session, signal);
  else await host.kill([started.main], 'TERM', signal);
  return grace;
}
