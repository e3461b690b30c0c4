/** Answers a question about a host for a bot, which waits: one try, and what keeps the host from answering is an answer too. */

import { isHostError } from '../src/errors.ts';
import { dryRun } from '../src/flow/dry-run.ts';
import { foundProcesses } from '../src/flow/found-processes.ts';
import { checkAhead } from '../src/flow/preflight.ts';
import { verifyRun } from '../src/flow/verify-run.ts';
import { watchLog } from '../src/flow/watch-log.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import type { Answer, QuestionOf, Topic, Topics } from '../src/questions.ts';

type Teller<Kind extends Topic> = (
  question: QuestionOf<Kind>,
  tools: Tools,
  signal: AbortSignal,
  /** The question's. */
  id: string,
) => Promise<Topics[Kind]['told']>;

const TELLERS: { readonly [Kind in Topic]: Teller<Kind> } = {
  gpus: ({ host }, { hosts }, signal) => hosts.get(host).gpus(signal),
  check: checkAhead,
  dry_run: dryRun,
  watch: watchLog,
  verify: (order, tools, signal, question) => verifyRun(order, tools, { question, signal }),
  processes: foundProcesses,
};

export async function ask(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const question = await tools.questions.read(id);
  if (question === null) return 'done';
  const answer = await answerOf({ id, question, tools, signal });
  if (signal.aborted) return 'again';
  await tools.questions.answer(id, answer);
  return 'done';
}

async function answerOf<Kind extends Topic>(work: {
  readonly id: string;
  readonly question: QuestionOf<Kind>;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}): Promise<Answer> {
  const { id, question, tools, signal } = work;
  const tell: Teller<Kind> = TELLERS[question.kind];
  try {
    return { kind: 'told', told: await tell(question, tools, signal, id) };
  } catch (error) {
    if (signal.aborted) return { kind: 'failed', reason: '' };
    if (isHostError(error)) return { kind: 'failed', reason: error.message };
    tools.log.error({ err: error, question: question.kind, host: question.host }, 'a question about a host failed');
    const what = error instanceof Error ? error.name : 'an error';
    return {
      kind: 'failed',
      reason: `Vigil itself failed to ask ${question.host} (${what}); its own log has the details.`,
    };
  }
}
