/** Ends a run and proves it: whoever asked must still be allowed to, and a host that doesn't answer is waited for. */

import { HostUnreachable, isHostError } from '../src/errors.ts';
import { endTree } from '../src/flow/end-tree.ts';
import { folderOf } from '../src/flow/folder.ts';
import { observedNow } from '../src/flow/now.ts';
import { untilRead } from '../src/flow/until-read.ts';
import { jittered, wait } from '../src/flow/wait.ts';
import { whenSlackAnswers } from '../src/flow/when-slack-answers.ts';
import { observe } from '../src/flow/write.ts';
import type { RunFolder, Started } from '../src/host/launch.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { slashOf } from '../src/report/words.ts';
import { refusalOf } from '../src/rights.ts';
import { isFound } from '../src/run/request.ts';
import { isEnd, type Run, type StopProof } from '../src/run/run.ts';
import type { Host } from '../src/tools.ts';

export async function stop(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const begun = tools.clock.now();
  while (!signal.aborted) {
    const entry = await tools.journal.load(id);
    if (entry === null || isEnd(entry.run.phase) || entry.run.stopBy === null) return 'done';
    const denied = await refusal(entry.run, tools, signal);
    // Let go while Slack was away: nobody has said yet that it may be.
    if (signal.aborted) return 'again';
    if (denied !== null) {
      await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'stop_refused', reason: denied })]);
      return 'done';
    }
    try {
      const proof = await end(entry.run, tools, signal);
      await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'stop_done', proof })]);
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'again';
      if (!isHostError(error)) throw error;
      tools.log.warn({ run: id, err: error }, 'a stop waits for its host');
      if (tools.clock.now() - begun >= tools.timings.contact) await tellWait(id, tools, error);
      await wait(jittered(tools.timings.reconnect), signal);
    }
  }
  return 'again';
}

/** The right to stop, looked at again: it may be gone since the command. Once the first signal is given there is nothing to take back. */
async function refusal(run: Run, tools: Tools, signal: AbortSignal): Promise<string | null> {
  if (run.signalledAt !== null) return null;
  if (isFound(run) && run.confirmed === null) return unconfirmed(run);
  const question = { user: run.stopBy ?? '', host: run.request.host, verb: 'stop' } as const;
  const denied = await whenSlackAnswers(() => refusalOf(tools, question), tools, signal);
  return denied === null ? null : `${denied} The stop is not carried out; the run goes on.`;
}

/** A stop that came by another way than the list of its processes. */
function unconfirmed(run: Run): string {
  const line = `${slashOf(run)} stop ${run.request.name}`;
  return `The stop is not carried out: what somebody started by hand is ended process by process, as somebody has confirmed it. ${line} shows which.`;
}

/** The host has not answered for too long: a blip is no news. */
async function tellWait(id: string, tools: Tools, error: Error): Promise<void> {
  const until =
    error instanceof HostUnreachable ? 'as soon as the host answers' : 'as soon as the host does what it is asked';
  const text = `${error.message} The stop goes on ${until}.`;
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'notice', text })]);
}

async function end(run: Run, tools: Tools, signal: AbortSignal): Promise<StopProof> {
  if (!run.attempted) return neverStarted('Nothing had been started, and nothing will be.');
  const host = tools.hosts.get(run.request.host);
  const folder = folderOf(tools.config, run.request);
  const started = run.started ?? (await voided(host, folder, signal));
  if (started === null) return neverStarted('Nothing had been started, and the launch is void on the host.');
  const ending = { run, host, folder, started, tools, signal };
  const proof = await endTree(ending);
  if (run.request.kind === 'train') await untilRead(ending);
  return proof;
}

function neverStarted(words: string): StopProof {
  return { proven: true, isGone: true, evidence: [words] };
}

async function voided(host: Host, folder: RunFolder, signal: AbortSignal): Promise<Started | null> {
  const answer = await host.voidClaim(folder, signal);
  return answer.kind === 'void' ? null : answer.started;
}
