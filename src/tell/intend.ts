import type { Report, Turn } from './report.ts';

/**
 * Writes down what is about to be asked of Slack; null = ask now. Whoever stood still meanwhile (a process that is stopped, a Redis that hangs) asks
 * for nothing: another may have taken over, and looked for what was not there yet.
 */
export async function intend({ id, tools, fence }: Report, key: string, attempt: number): Promise<Turn | null> {
  const { outbox, clock, timings } = tools;
  const begun = clock.now();
  if ((await outbox.intend(id, fence, key, attempt)) !== 'written') return 'over';
  // With the time of the call itself it must be over before a successor looks for it.
  return clock.now() - begun > timings.post / 2 ? 'on' : null;
}
