/** What is under way, so that a stop can wait for it. */

import { within } from '../within.ts';

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
