import { UsageError } from '../../errors.ts';
import { STOP_ACTION } from '../../report/blocks.ts';
import type { RunSummary } from '../../requests.ts';
import type { Call } from '../call.ts';
import { mustHave } from '../commands/define.ts';
import { NOT_STOPPED, stopRun } from '../commands/stop.ts';
import type { Button } from './define.ts';

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

/** The run that a button stands for. */
export async function runOf(id: string, call: Call): Promise<RunSummary> {
  const summary = await call.desk.run(id);
  if (summary !== null) return summary;
  throw new UsageError(
    'This run is not known any more: it ended long ago, or Redis lost it. `/vllm status` and `/dflash status` list what runs.',
  );
}
