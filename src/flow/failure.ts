import type { JobName, Tools } from '../processor.ts';
import { observedNow } from './now.ts';
import { observe } from './write.ts';

/** What a reader should know of the run meanwhile. */
const STANDS: Record<JobName, string> = {
  launch: 'Nothing may have been started yet.',
  watch: 'The process is not affected, but not watched until then.',
  stop: 'The process may still run.',
  report: '',
  ask: '',
  line: '',
  keep: '',
  patrol: '',
};

/** A job that failed again and again is Vigil's own fault: the thread hears it, once per message; the keeper tries on. */
export async function tellFailure(failed: { job: JobName; run: string; error: Error; tools: Tools }): Promise<void> {
  const { job, run: id, error, tools } = failed;
  if (id === '' || job === 'report' || job === 'ask' || job === 'line' || job === 'patrol') return;
  const text = `Vigil itself failed at "${job}" (${error.name}). It tries again every half minute; its own log has the details. ${STANDS[job]}`;
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'notice', text })]);
}
