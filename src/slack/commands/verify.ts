import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Answer } from '../../questions.ts';
import { section } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { outcomeWords } from '../../report/outcome.ts';
import { withoutColon } from '../../report/sentence.ts';
import { verificationBlocks } from '../../report/verification.ts';
import { isFound } from '../../run/request.ts';
import type { Run } from '../../run/run.ts';
import type { Outcome } from '../../verify/verification.ts';
import { within } from '../../within.ts';
import { askHost } from '../ask.ts';
import type { Call } from '../call.ts';
import { findRun } from '../find-run.ts';
import { explain, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { defineCommand } from './define.ts';

const CLOSED = 'Not accepted: Redis does not answer, nothing was verified.';

export const verify = defineCommand({
  name: 'verify',
  alsoCalled: ['prove', 'probe', 'bench', 'benchmark', 'health'],
  group: 'Look',
  gist: 'does it work, how well?',
  summary: 'Ask a server that is ready to prove once more that it works, and how well',
  usage: 'verify RUN [--accept]',
  example: ['verify', 'RUN'],
  notes: [
    'It gets one request of each kind that fits it and a few small fixed prompts; a busy one gets no prompts, and what others ask it is judged.',
    'You alone get the answer; its card and its thread tell the outcome.',
  ],
  right: 'launch',
  whenClosed: CLOSED,
  options: {
    accept: {
      value: null,
      summary:
        'Make what it reaches the recipe’s record on this host, whatever that was: after a change that was meant',
    },
  },
  args: () => z.object({ run: runWord(), accept: z.boolean() }),
  run: async ({ run: word, accept }, call) => {
    const { run } = await findRun(call, word, { kind: 'serve', right: 'launch', verb: 'verify' });
    const { id, host } = run.request;
    const question = { kind: 'verify', host, run: id, by: call.from.user, accept } as const;
    const answering = askHost(call, question, call.limits.verify).then((answer) => told(run, answer, accept));
    const answer = await within(call.deadline - call.clock.now(), answering);
    if (answer !== 'late') return answer;
    call.later(follow(call, answering), 'owed');
    return say(`Verifying ${named(run)}. What it comes to follows here, within 3 minutes.`);
  },
});

async function follow(call: Call, answering: Promise<Message>): Promise<void> {
  const answer = await answering.catch(async (error: unknown) => {
    await call.respond(
      explain('What came of it is not known: Redis does not answer. The thread tells it where it was done.', null),
    );
    throw error;
  });
  await call.respond(answer);
}

const SIGNS: Readonly<Record<Outcome, string>> = { ready: '✅', warnings: '⚠️', unusable: '⛔' };

function told(run: Run, answer: Answer<'verify'>, accept: boolean): Message {
  if (answer.kind === 'failed') return explain(`Not verified: ${answer.reason}`, null);
  if (answer.told.kind === 'not_verified') return explain(answer.told.reason, null);
  const { verification } = answer.told;
  const outcome = escapeText(withoutColon(outcomeWords(verification)));
  return say(
    `${SIGNS[verification.outcome]} *${outcome}*: ${named(run)}`,
    ...verificationBlocks(verification, 'reply'),
    ...(accept && verification.recorded !== 'accepted' ? [section(notAccepted(run))] : []),
  );
}

function notAccepted(run: Run): string {
  const why = isFound(run)
    ? 'a server that Vigil did not launch has no recipe to keep one for.'
    : 'the record stays as it was. It takes numbers of all fixed prompts, with nobody else at the server or its GPUs. Try again when it is idle.';
  return `Nothing was accepted: ${why}`;
}

function named({ request: { recipe, host, name } }: Run): string {
  return `*${escapeText(recipe)}* on *${escapeText(host)}* (${code(name)})`;
}
