/** What is under way, so that a stop can wait for it. */

import { within } from '../within.ts';

export interface Flights {
  /** Counts the work until it ends. `cutOff`: what is done about it where a stop can't wait for it. */
  add(work: Promise<void>, cutOff?: () => Promise<void>): void;
  /** Resolves when nothing is under way, or after `ms` and what is done about the rest; says how much that was. */
  drain(ms: number): Promise<number>;
}

/** Whoever is told of a stop must hear it before the process ends (ms). */
const CUT_OFF_MS = 3000;

export function createFlights(): Flights {
  const open = new Map<Promise<void>, (() => Promise<void>) | undefined>();
  return {
    add(work, cutOff) {
      const flight = work.finally(() => open.delete(flight));
      open.set(flight, cutOff);
      flight.catch(() => {}); // the owner logs it
    },
    async drain(ms) {
      const allDown = async () => {
        while (open.size > 0) await Promise.allSettled([...open.keys()]);
      };
      await within(ms, allDown());
      const left = [...open.values()];
      await within(CUT_OFF_MS, Promise.allSettled(left.map((cutOff) => cutOff?.())));
      return left.length;
    },
  };
}
