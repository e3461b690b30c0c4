import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { context } from '../../report/blocks.ts';
import { renderExplanation } from '../../report/explanation.ts';
import type { Call } from '../call.ts';
import { type AnyRun, findAnyRun } from '../find-run.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { pastAnswer } from '../past-answer.ts';
import { viewOf } from '../run-view.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

/** What is true when Redis doesn't answer. */
export const NOT_EXPLAINED = "Redis does not answer: what happened can't be told now. Try again in a minute.";

export function defineExplain(kind: Kind): Command {
  return defineCommand({
    name: 'explain',
    alsoCalled: ['why', 'diagnose', 'reason', 'error', 'errors', 'details', 'what'],
    group: 'Look',
    summary: `Tell what is wrong with a ${KINDS[kind].one}, or what happened to it, to you alone`,
    usage: 'explain RUN',
    example: ['explain', 'RUN'],
    notes: [
      'All that is known: cause and traceback, what to do, how far it came, what only looks like a cause, what shows that it is stuck, what its verification found.',
      'Of one that is well it says what shows that.',
    ],
    right: 'see',
    whenClosed: NOT_EXPLAINED,
    args: () => z.object({ run: runWord() }),
    run: async ({ run }, call) => explained(call, await findAnyRun(call, run, { kind, right: 'see', verb: 'explain' })),
  });
}

/** All that is known of it, and the way to its thread. */
export async function explained(call: Call, found: AnyRun): Promise<Message> {
  if ('past' in found) return pastAnswer(call, found.past);
  const { view, thread } = await viewOf(call, found);
  const { text, blocks } = renderExplanation(found.run, view);
  return { text, blocks: [...blocks, context([thread])] };
}
