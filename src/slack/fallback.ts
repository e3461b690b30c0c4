/** Refused blocks are our mistake, or a workspace that doesn't take a kind of them: neither may keep the news from people. */

import type { Logger } from 'pino';
import { ChatError, type Message } from '../chat.ts';
import { plainSection } from '../report/blocks.ts';
import { plainMessage, withoutPlan } from '../report/plain.ts';

/** Sends a message by `attempt` as it is; where its blocks are refused without its plan, then as plain text, then its sentence alone. Throws ChatError. */
export type Send = <T>(message: Message, attempt: (shown: Message) => Promise<T>) => Promise<T>;

/** Remembers that the workspace refuses plans, so that a later message costs one call. */
export function openFallback(log: Logger): Send {
  let takesPlans = true;
  return async (message, attempt) => {
    const hasPlan = message.blocks.some(({ type }) => type === 'plan');
    const simpler = hasPlan ? withoutPlan(message) : message;
    for (const shown of hasPlan && takesPlans ? [message, simpler] : [simpler]) {
      try {
        const answer = await attempt(shown);
        if (takesPlans && hasPlan && shown === simpler) {
          takesPlans = false;
          log.warn('this workspace takes no plan blocks: they are sent as lines from now on');
        }
        return answer;
      } catch (error) {
        mustBeRefused(error, log);
      }
    }
    return attempt(plainMessage(message)).catch((error: unknown) => {
      mustBeRefused(error, log);
      return attempt({ ...message, blocks: [plainSection(message.text)] });
    });
  };
}

/** The error holds Slack's pointers to what it refused. */
function mustBeRefused(error: unknown, log: Logger): void {
  if (!(error instanceof ChatError) || error.kind !== 'invalid') throw error;
  log.error({ err: error }, 'Slack refused the blocks of a message; it goes out in simpler ones');
}
