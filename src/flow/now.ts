import type { Observation } from '../run/observe.ts';
import type { Clock } from '../tools.ts';

type Timeless = Observation extends infer O ? (O extends Observation ? Omit<O, 'at' | 'seen'> : never) : never;

/** An observation of ours, made now: the host said no time for it. */
export function observedNow(clock: Clock, observation: Timeless): Observation {
  const now = clock.now();
  return { ...observation, at: now, seen: now };
}
