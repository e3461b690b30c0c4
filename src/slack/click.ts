/** A click on a button of ours: the button says which run or launch it stands for, everything else is looked up. */

import type { Message } from '../chat.ts';
import { UsageError } from '../errors.ts';
import { answerError } from './answer-error.ts';
import type { Asked, Call, Edge, Followup } from './call.ts';
import { cancel } from './clicks/cancel.ts';
import type { Button } from './clicks/define.ts';
import { explainButton } from './clicks/explain.ts';
import { log, logFile } from './clicks/log.ts';
import { queue } from './clicks/queue.ts';
import { replace } from './clicks/replace.ts';
import { restart } from './clicks/restart.ts';
import { stop } from './clicks/stop.ts';
import { stopFoundButton } from './clicks/stop-found.ts';
import { identify } from './identify.ts';

export interface Click extends Asked {
  readonly action: string;
  readonly value: string;
  /** The root of the thread that the button stands in, itself included; null in a message that only its reader sees. */
  readonly thread?: Call['thread'];
}

export interface ClickAnswer extends Message {
  /** It takes the place of the message that has the button. */
  readonly replaces: boolean;
}

const BUTTONS: readonly Button[] = [
  ...[stop, stopFoundButton, restart, log, logFile, explainButton],
  ...[queue, replace, cancel],
];

/** The private answer to a click. Never rejects. */
export async function answerClick(edge: Edge, click: Click, followup: Followup): Promise<ClickAnswer> {
  const { user, team, channel, trigger, action } = click;
  const asking = {
    ...edge,
    ...followup,
    from: { user, team, channel, trigger },
    thread: click.thread ?? null,
    deadline: edge.clock.now() + edge.limits.answer,
  };
  const button = BUTTONS.find((known) => known.action === action);
  try {
    const who = await identify(asking, asking.from);
    if (button === undefined)
      throw new UsageError(
        'This button is of an older Vigil and does nothing any more. Use `/vllm help` or `/dflash help`.',
      );
    return { ...(await button.carryOut(click.value, { ...asking, who })), replaces: button.replaces };
  } catch (error) {
    const { verb = 'click', whenClosed = 'Not accepted: Redis does not answer, nothing was done.' } = button ?? {};
    return {
      ...answerError(asking, error, { verb, slash: null, usage: null, whenClosed, mentioned: null }),
      replaces: false,
    };
  }
}
