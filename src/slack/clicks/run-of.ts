/** The run that a button stands for: its value is the run's id, and the button may be weeks old. */

import { UsageError } from '../../errors.ts';
import type { RunSummary } from '../../requests.ts';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import { mustHave } from '../commands/define.ts';
import type { AnyRun } from '../find-run.ts';
import { onlyHistory } from '../past-answer.ts';

/** Also one of which only the history is left, as far as the clicker may see its host. Throws UsageError for one that nothing knows. */
async function anyRunOf(id: string, call: Call): Promise<AnyRun> {
  const summary = await call.desk.run(id);
  if (summary !== null) return summary;
  const past = await call.desk.past(id);
  if (past !== null && mayDo(call.config, call.who, 'see', past.host)) return { past };
  throw new UsageError(
    'This run is not known any more: it ended long ago, or Redis lost it. `/vllm status` and `/dflash status` list what runs.',
  );
}

/** Likewise; refuses who may not see its host. */
export async function seenRunOf(id: string, call: Call): Promise<AnyRun> {
  const found = await anyRunOf(id, call);
  mustHave(call, 'see', 'past' in found ? found.past.host : found.run.request.host);
  return found;
}

/** Throws UsageError as well where only the history has it: nothing can be done with such a run. */
export async function runOf(id: string, call: Call): Promise<RunSummary> {
  const found = await anyRunOf(id, call);
  if ('past' in found) throw onlyHistory(found.past, 'Nothing was done.', call.config);
  return found;
}
