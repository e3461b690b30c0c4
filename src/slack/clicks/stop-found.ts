import { isFound } from '../../run/request.ts';
import { isEnd } from '../../run/run.ts';
import { mustHave } from '../commands/define.ts';
import { NOT_STOPPED, stopFound, stopRun } from '../commands/stop.ts';
import { confirmation, digestOf, processesOf, STOP_FOUND_ACTION } from '../stop-list.ts';
import type { Button } from './define.ts';
import { runOf } from './run-of.ts';

/** The button under the list of what a stop would end: it holds as long as the list is exactly the same. */
export const stopFoundButton: Button = {
  action: STOP_FOUND_ACTION,
  verb: 'stop',
  whenClosed: NOT_STOPPED,
  replaces: true,
  async carryOut(value, call) {
    const [id = '', digest] = value.split(' ');
    const summary = await runOf(id, call);
    const { run } = summary;
    mustHave(call, 'stop', run.request.host);
    if (!isFound(run) || isEnd(run.phase) || run.stopBy !== null) return stopRun(call, summary, call.from.user);
    const processes = await processesOf(call, run);
    if (digestOf(processes) !== digest) return confirmation(run, processes, true);
    return stopFound(call, summary, processes);
  },
};
