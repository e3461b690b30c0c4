/** Verifies a server once more, because somebody asked: what it comes to is told in its thread, too. */

import { ChatError } from '../chat.ts';
import { CommandFailed } from '../errors.ts';
import { NotListening } from '../http.ts';
import type { Tools } from '../processor.ts';
import type { VerifyAnswer, VerifyOrder } from '../questions.ts';
import { clip } from '../report/escape.ts';
import { capital } from '../report/phase-words.ts';
import { sentence } from '../report/sentence.ts';
import { refusalOf } from '../rights.ts';
import { isEnd, type Run, type Unasked } from '../run/run.ts';
import { whyUnasked } from '../run/unasked.ts';
import type { Verification } from '../verify/verification.ts';
import { folderOf } from './folder.ts';
import { observedNow } from './now.ts';
import { type Reached, reach } from './verify/reach.ts';
import { termsOf } from './verify/terms.ts';
import { type Verified, verify } from './verify/verify.ts';
import { observe } from './write.ts';

/** Of each single request, and of all together: who asked waits a little longer than that (ms). */
const REQUEST_MS = 30_000;
const ALL_MS = 170_000;
/** What Host.http names its failures by. */
const REQUESTS: readonly string[] = ['http', 'curl'];

/** `question`: the id of who asks; what is done for it may be done again after a crash, and is told once. */
export async function verifyRun(
  order: VerifyOrder,
  tools: Tools,
  { question, signal }: { readonly question: string; readonly signal: AbortSignal },
): Promise<VerifyAnswer> {
  const denied = await refusal(order, tools);
  if (denied !== null) return notVerified(denied);
  const run = (await tools.journal.load(order.run))?.run ?? null;
  if (run === null || run.request.host !== order.host)
    return notVerified(
      `Not verified: Vigil knows no such run on ${order.host}. \`/vllm status\` lists those that it knows.`,
    );
  const known = answered(run, question);
  if (known !== null) {
    await tools.questions.leave(order.run, question);
    return known;
  }
  const obstacle = obstacleTo(run);
  if (obstacle !== null) return notVerified(`Not verified: ${obstacle}`);
  if (!(await tools.questions.take(order.run, question, ALL_MS)))
    return notVerified(
      `Not verified: ${nameOf(run)} is being verified just now, as somebody asked a moment before. Ask again when that is over, in 3 minutes at most.`,
    );
  const late = AbortSignal.timeout(ALL_MS);
  try {
    return await verifyNow({ order, question, run, tools, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    if (signal.aborted) throw error;
    const seconds = ALL_MS / 1000;
    if (late.aborted)
      return notVerified(`Not verified: ${nameOf(run)} was not through its requests within ${seconds} s. ${LOOK}`);
    // A request that came to nothing, which tells of the server; another script that failed tells of the host.
    if (error instanceof CommandFailed && REQUESTS.includes(error.script))
      return notVerified(`Not verified: ${nameOf(run)} can't be asked (${firstLine(error.stderr)}). ${LOOK}`);
    throw error;
  } finally {
    await tools.questions.leave(order.run, question);
  }
}

/** What was told of that question already, by a worker that could not answer it any more; or null. */
function answered(run: Run, question: string): VerifyAnswer | null {
  const { verification } = run;
  return run.answered === question && verification !== null ? { kind: 'verified', verification } : null;
}

/** Why who asked may not, or null: the bot has looked, and the right may be gone since. */
async function refusal({ host, by }: VerifyOrder, tools: Tools): Promise<string | null> {
  try {
    const denied = await refusalOf(tools, { user: by, host, verb: 'launch' });
    return denied === null ? null : `Refused: ${denied}`;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return 'Not verified: Slack did not say who asks. Try again in a moment.';
  }
}

const UNASKED: Readonly<Record<Unasked, string>> = {
  no_address: 'no process of it says on its command line where it serves, so that it can’t be asked.',
  headless: '--headless serves no HTTP. Verify the server that it is a node of.',
  certificate: 'it answers only who shows a certificate of its own (--ssl-cert-reqs 2), and Vigil has none.',
};

/** Why there is nothing to verify, as a sentence that follows a colon; or null. */
function obstacleTo(run: Run): string | null {
  const { request, phase } = run;
  const name = nameOf(run);
  if (request.kind !== 'serve') return `${name} is a training. Its target server is no run of its own.`;
  if (isEnd(phase)) return `${name} has ended. Launch it again: a server is verified after each start.`;
  if (run.stopBy !== null) return `${name} is being stopped.`;
  const why = whyUnasked(run);
  if (why !== null) return UNASKED[why];
  if (phase === 'verifying')
    return `${name} is being verified just now, after its start: its thread tells what comes of it.`;
  if (phase !== 'ready' || run.started === null)
    return `${name} is not ready yet. It is verified by itself as soon as it answers.`;
  return null;
}

interface Work {
  readonly order: VerifyOrder;
  readonly question: string;
  readonly run: Run;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

async function verifyNow({ order, question, run, tools, signal }: Work): Promise<VerifyAnswer> {
  const { config, hosts, timings } = tools;
  const subject = {
    ...{ host: hosts.get(order.host), run, terms: termsOf(config, run) },
    folder: folderOf(config, run.request),
  };
  const reached = await reach(subject, signal);
  if (reached.kind !== 'ours') return notVerified(`Not verified: ${unreached(run, reached)}`);
  const how = { by: order.by, accept: order.accept, tryMs: REQUEST_MS, trafficMs: timings.traffic };
  const found = await verify(subject, reached, how, tools).catch((error: unknown) => {
    if (error instanceof NotListening) return null;
    throw error;
  });
  if (found === null) return notVerified(`Not verified: ${nameOf(run)} closed its port meanwhile. ${LOOK}`);
  if (found.kind === 'fails') return notVerified(failing(run, found.verification));
  const now = (await write(found, { order, question, tools })) ?? run;
  return answered(now, question) ?? notVerified(overtaken(now));
}

const LOOK = 'Its thread tells how it is, and `/vllm logs` shows the end of its log.';

function unreached(run: Run, reached: Exclude<Reached, { kind: 'ours' }>): string {
  const name = nameOf(run);
  switch (reached.kind) {
    case 'silent':
      return `nobody listens at the address of ${name}. ${LOOK}`;
    case 'answering':
      return reached.status === 200
        ? `${name} answers, and it can’t be seen that the listener is its own. Try again in a moment.`
        : `${name} answers GET /health with ${reached.status}: its engine is not well. ${LOOK}`;
    case 'foreign':
      return `${reached.text} Nothing was sent to it but GET /health.`;
    default:
      return reached satisfies never;
  }
}

/** It answers, and did nothing that it was asked for; who keeps it busy may be why. */
function failing(run: Run, { findings }: Verification): string {
  const told = findings.filter(({ as, id }) => as === 'failed' || (as === 'not_judged' && id === 'speed')).slice(0, 4);
  const what = told.map(({ found }) => `${sentence(capital(found))} `).join('');
  return `Not verified: ${nameOf(run)} answers, and completes nothing. ${what}${LOOK}`;
}

/** What came between: what was found is of a server that is not there any more. */
function overtaken(run: Run): string {
  const since = run.stopBy === null ? 'has begun anew' : 'is being stopped';
  return `Not verified: ${nameOf(run)} ${isEnd(run.phase) ? 'has ended' : since} meanwhile. ${LOOK}`;
}

/** The run as it then is: without the verification where it was not ready any more. */
async function write(
  { readiness, verification, record }: Verified,
  { order, question, tools }: Pick<Work, 'order' | 'question' | 'tools'>,
): Promise<Run | null> {
  const { journal, clock, log } = tools;
  log.info({ run: order.run, user: order.by, outcome: verification.outcome }, 'a server was verified once more');
  const recorded = record === null ? {} : { record };
  const seen = { kind: 'verified', readiness, verification, question, ...recorded } as const;
  return observe(journal, order.run, () => [observedNow(clock, seen)]);
}

function firstLine(text: string): string {
  return clip(text.trim().split('\n')[0] ?? '', 200);
}

function nameOf({ request: { name } }: Run): string {
  return name;
}

function notVerified(reason: string): VerifyAnswer {
  return { kind: 'not_verified', reason };
}
