/** Verifies a server that is proved to be the run's: what it says of itself, one request of each kind that fits it, the fixed prompts, the judgement. */

import type { Records } from '../../journal.ts';
import type { Mask } from '../../log/lines.ts';
import type { Reading } from '../../log/reading.ts';
import { isFound } from '../../run/request.ts';
import type { Readiness } from '../../run/run.ts';
import type { Clock } from '../../tools.ts';
import { readModels, readTry, readVersion, shownModels } from '../../verify/answers.ts';
import { judgeMeasured } from '../../verify/judge.ts';
import type { Measured, Models, Prompts, Try } from '../../verify/measured.ts';
import { nextTask, promptTask, tasksOf, tryRequest } from '../../verify/probes.ts';
import type { Serving } from '../../verify/serving.ts';
import type { KeptRecord, Verification } from '../../verify/verification.ts';
import { type Server, tryServer } from './ask-server.ts';
import { completionWords } from './completion.ts';
import { othersOnGpus } from './others.ts';
import { busyWith, readCounters, sendPrompts } from './prompts.ts';
import type { Ours, Subject } from './reach.ts';

export interface Order {
  /** Who asked, or null: after the start. */
  readonly by: string | null;
  readonly accept: boolean;
  /** Limit of each single request (ms): the first one of a server may still compile kernels. */
  readonly tryMs: number;
  /** Between two looks at a server that others use (ms). */
  readonly trafficMs: number;
}

export interface Verified {
  /** completes: it did something that it was asked for, or nothing can be asked of it. */
  readonly kind: 'completes' | 'fails';
  readonly readiness: Readiness;
  readonly verification: Verification;
  /** What the recipe's record on this host becomes, once it is told; null: it stays as it is. */
  readonly record: KeptRecord | null;
}

interface Means {
  readonly records: Records;
  readonly clock: Clock;
}

const SHORT_MS = 5_000;
/** There are no more kinds. */
const MOST_TRIES = 4;
/** What was asked for and given up may still be counted as a request. */
const OWN = 1;

/** Writes nothing. Throws NotListening where the server goes away meanwhile, and what Host throws of a host. */
export async function verify(
  subject: Subject,
  { server, proof, by }: Ours,
  order: Order,
  { records, clock }: Means,
): Promise<Verified> {
  const { run } = subject;
  const { host, recipe } = run.request;
  const version = await tryServer(server, { path: '/version', ms: SHORT_MS });
  const listed = await tryServer(server, { path: '/v1/models', ms: SHORT_MS });
  const { mask } = subject.terms;
  const models = readModels(listed, server.apiKey !== null, mask);
  const model = nameOf(models, server.serving);
  const tries = model === null ? [] : await tryAll(subject, server, { model, ms: order.tryMs });
  const isFailing = isSilent(models) || (tries.some(isFailed) && !tries.some(isAnswered));
  const prompts = await promptsOf({ server, tries, model, mask, by, clock, order });
  const others = await askOthers(subject, server.signal);
  const measured: Measured = {
    ...{ at: clock.now(), by: order.by, accept: order.accept },
    run: { name: run.request.name, recipe, argv: run.request.argv, isFound: isFound(run) },
    ...{ serving: server.serving, floor: subject.terms.floor },
    record: isFound(run) ? null : await records.read(host, recipe),
    said: saidBy(run.reading),
    version: 'status' in version ? readVersion(version) : null,
    models: shownModels(models, server.serving.names, mask),
    ...{ tries, prompts, others },
  };
  const { verification, record } = judgeMeasured(measured);
  return {
    kind: isFailing ? 'fails' : 'completes',
    readiness: { proof, model: model === null ? null : mask(model), by, completion: completionWords(measured) },
    verification,
    // A server that was found has no recipe: its log may be called like one.
    record: isFailing || isFound(run) ? null : record,
  };
}

function saidBy(reading: Reading): Measured['said'] {
  const { asked, engine, facts } = reading;
  const { draft_layers: layers } = facts;
  return { tasks: tasksOf(reading), asked, engine, layers: typeof layers === 'string' ? layers : null };
}

/** A name that the server has told: the command's own where it is among them. */
function nameOf(models: Models, { names }: Pick<Serving, 'names'>): string | null {
  if (models.kind !== 'named') return null;
  return names.find((name) => models.names.includes(name)) ?? models.names[0] ?? null;
}

async function tryAll(
  { run, terms }: Subject,
  server: Ours['server'],
  { model, ms }: { readonly model: string; readonly ms: number },
): Promise<readonly Try[]> {
  const tasks = tasksOf(run.reading);
  const tries: Try[] = [];
  for (;;) {
    const task = nextTask(tasks, server.serving, tries);
    if (task === null || tries.length >= MOST_TRIES) return tries;
    const answer = await tryServer(server, { ...tryRequest(task, model), ms });
    tries.push(readTry(task, answer, terms.mask));
    // What it doesn't answer in time it would not answer the next time either.
    if ('why' in answer) return tries;
  }
}

function isAnswered({ outcome }: Try): boolean {
  return outcome.kind === 'answered';
}

/** Its list of models failed: it may come a moment later. */
function isSilent(models: Models): boolean {
  return models.kind === 'wrong' && (models.status === null || models.status >= 500);
}

function isFailed({ outcome }: Try): boolean {
  return outcome.kind === 'failed';
}

async function promptsOf(of: {
  server: Server & { serving: Serving };
  tries: readonly Try[];
  model: string | null;
  mask: Mask;
  by: Prompts['by'];
  clock: Clock;
  order: Order;
}): Promise<Prompts> {
  const { server, tries, model, mask, by, clock, order } = of;
  // A server for hidden states writes a file a request.
  const as = server.serving.isExtraction ? null : promptTask(tries);
  if (as !== null && model !== null)
    return sendPrompts({ server, as, model, clock, mask, by, trafficMs: order.trafficMs });
  const seen = await readCounters(server);
  const left = seen !== null && seen.running + seen.waiting > OWN ? busyWith(seen) : null;
  const why = tries.some(isFailed) ? (left ?? { why: 'failed' as const }) : { why: 'no_text' as const };
  return { left: why, runs: [], by, othersFinished: null, drafts: null, hasMetrics: seen !== null };
}

async function askOthers({ host, run, folder }: Subject, signal: AbortSignal): Promise<readonly string[] | null> {
  if (run.started === null) return null;
  const gpus = await host.gpus(signal);
  if (gpus === null) return null;
  return othersOnGpus(run, { gpus, tree: await host.tree({ ...folder, started: run.started }, signal) });
}
