/** What jobs need of the line of launches that wait on a host: an interface only; src/queue implements it on Redis. */

import type { Entry } from './journal.ts';
import type { Stand } from './place/place.ts';
import type { Placement } from './run/holder.ts';

export interface Line {
  /** What live runs hold on the host, and who waits there, in order. `but`: a run that is left out. */
  read(host: string, but?: string): Promise<Stand>;
  /**
   * Takes `holds` for a run, all or none, and ends its waiting. 'held' = another run has one of them; 'behind' = another waits before it that
   * is none of `past`, those that want nothing of the same; 'stale' = the run has changed since it was loaded.
   */
  take(
    entry: Entry,
    what: {
      readonly placement: Placement | null;
      readonly holds: readonly string[];
      readonly past: readonly string[];
      /** Our clock, ms. */
      readonly at: number;
    },
  ): Promise<'taken' | 'held' | 'behind' | 'stale'>;
  /** Has the host's line looked at. */
  wake(host: string): Promise<void>;
}
