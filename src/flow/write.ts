/** One way for jobs that don't watch (launch, stop, keep) to let something happen to a run. */

import type { Journal } from '../journal.ts';
import type { Observation } from '../run/observe.ts';
import type { Run } from '../run/run.ts';
import { stepAll } from '../run/step.ts';

/**
 * Steps the run and writes it; where another writer came first, looks again and decides again.
 * Returns the run as it then is, or null where the journal doesn't know it.
 */
export async function observe(
  journal: Journal,
  id: string,
  decide: (run: Run) => readonly Observation[],
): Promise<Run | null> {
  for (;;) {
    const entry = await journal.load(id);
    if (entry === null) return null;
    const observations = decide(entry.run);
    if (observations.length === 0) return entry.run;
    const { run, happened } = stepAll(entry.run, observations);
    const write = {
      run,
      from: entry,
      fence: null,
      happened,
      checkpoint: null,
      tail: null,
      isNews: happened.length > 0 || run.waiting !== entry.run.waiting || run.placement !== entry.run.placement,
    };
    if ((await journal.append(write)) === 'written') return run;
  }
}
