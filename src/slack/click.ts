/** A click on a button of ours: the button's value is the run's id, everything else is looked up. */

import type { Message } from '../chat.ts';
import { UsageError } from '../errors.ts';
import { STOP_ACTION } from '../report/blocks.ts';
import { answerError } from './answer.ts';
import type { Asked, Call, Edge, Followup } from './call.ts';
import { mustHave } from './commands/define.ts';
import { NOT_STOPPED, stopRun } from './commands/stop.ts';
import { identify } from './identify.ts';

export interface Click extends Asked {
  readonly action: string;
  readonly value: string;
}

/** The private answer to a click. Never rejects. */
export async function answerClick(edge: Edge, click: Click, followup: Followup): Promise<Message> {
  const { user, team, channel, trigger } = click;
  const call: Call = {
    ...edge,
    ...followup,
    from: { user, team, channel, trigger },
    deadline: edge.clock.now() + edge.limits.answer,
  };
  try {
    await identify(call, call.from);
    if (click.action !== STOP_ACTION)
      throw new UsageError(
        'This button is of an older Vigil and does nothing any more. Use `/vllm help` or `/dflash help`.',
      );
    const summary = await call.desk.run(click.value);
    if (summary === null)
      throw new UsageError(
        'This run is not known any more: it ended long ago, or Redis lost it. `/vllm status` and `/dflash status` list what runs.',
      );
    mustHave(call, 'stop', summary.run.request.host);
    return await stopRun(call, summary, user);
  } catch (error) {
    return answerError(call, error, { verb: 'stop', slash: null, usage: null, whenClosed: NOT_STOPPED });
  }
}
