import { STOP_ACTION } from '../../report/blocks.ts';
import { mustHave } from '../commands/define.ts';
import { NOT_STOPPED, stopRun } from '../commands/stop.ts';
import type { Button } from './define.ts';
import { runOf } from './run-of.ts';

/** The Stop button of a run's card: its value is the run's id. */
export const stop: Button = {
  action: STOP_ACTION,
  verb: 'stop',
  whenClosed: NOT_STOPPED,
  replaces: false,
  async carryOut(id, call) {
    const summary = await runOf(id, call);
    mustHave(call, 'stop', summary.run.request.host);
    return stopRun(call, summary, call.from.user);
  },
};
