/** Runs that have to end before another takes their place. */

import type { Tools } from '../processor.ts';
import type { Holder } from '../run/holder.ts';
import { isEnd } from '../run/run.ts';

export interface Formers {
  /** Those that have not ended. */
  readonly live: readonly Holder[];
  /** Why the other must not start: something of a former is left. Or null. */
  readonly obstacle: string | null;
}

export async function formersOf(ids: readonly string[], { journal }: Pick<Tools, 'journal'>): Promise<Formers> {
  const entries = await Promise.all(ids.map((id) => journal.load(id)));
  const runs = entries.flatMap((entry) => (entry === null ? [] : [entry.run]));
  const left = runs.find(({ phase, stop }) => isEnd(phase) && stop !== null && !(stop.isGone ?? stop.proven));
  return {
    live: runs
      .filter(({ phase }) => !isEnd(phase))
      .map(({ request: { id, name, recipe, by, at }, turnAt }) => ({
        ...{ kind: 'run', what: [], run: id, name, recipe, by, since: turnAt ?? at },
      })),
    obstacle:
      left === undefined
        ? null
        : `${left.request.name} was to make room, and something of it is left: ${left.stop?.evidence[0] ?? 'nothing proves that it is gone.'} Nothing was started.`,
  };
}
