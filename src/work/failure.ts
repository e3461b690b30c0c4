import type { JobName, Tools } from '../processor.ts';
import { observedNow } from './now.ts';
import { observe } from './write.ts';

/** A job that failed again and again is Vigil's own fault: the thread hears it, once per message; the keeper tries on. */
export async function tellFailure(failed: { job: JobName; run: string; error: Error; tools: Tools }): Promise<void> {
  const { job, run: id, error, tools } = failed;
  if (id === '' || job === 'report') return;
  const text = `Vigil itself failed at "${job}" (${error.name}); it tries again every half minute. Its own log has the details. The run is not affected.`;
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'notice', text })]);
}
