/** Exceptions that were raised while others were handled. */

import type { Trouble } from '../log/events.ts';

/** Those chained to the first follow in one process, with only a blank line, a sentence and a blank line between. */
export function chainFrom(first: Trouble, troubles: readonly Trouble[]): Trouble[] {
  const chain = [first];
  let last = first.traceback?.last;
  for (const trouble of troubles) {
    if (last === undefined || trouble.traceback === null || trouble.line <= first.line) continue;
    if (trouble.process !== first.process || trouble.pid !== first.pid) continue;
    const gap = trouble.traceback.first - last;
    if (gap < 2 || gap > 8) continue;
    chain.push(trouble);
    last = trouble.traceback.last;
  }
  return chain;
}
