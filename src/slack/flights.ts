/** What is under way, so that a stop can wait for it. */

import { within } from './within.ts';

export interface Flights {
  /** Counts the work until it ends. */
  add(work: Promise<void>): void;
  /** Resolves when nothing is under way, or after `ms`; says how much is left. */
  drain(ms: number): Promise<number>;
}

export function createFlights(): Flights {
  const open = new Set<Promise<void>>();
  return {
    add(work) {
      const flight = work.finally(() => open.delete(flight));
      open.add(flight);
      flight.catch(() => {}); // the owner logs it
    },
    async drain(ms) {
      const allDown = async () => {
        while (open.size > 0) await Promise.allSettled([...open]);
      };
      await within(ms, allDown());
      return open.size;
    },
  };
}

/** The same answer for the same trigger: Slack's envelopes may come twice (slackapi/bolt-js#2487). */
export function createOnce<T>(most: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const oldest = known.keys().next();
    if (known.size >= most && oldest.done !== true) known.delete(oldest.value);
    const made = make();
    known.set(key, made);
    return made;
  };
}
