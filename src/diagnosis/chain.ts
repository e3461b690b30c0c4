/** Exceptions that were raised while others were handled. */

import { hangsOn } from '../log/chains.ts';
import type { Trouble } from '../log/events.ts';

/** Those that hang on the first, directly or by others: as their chain says, else those that follow it in one process with only a sentence between. */
export function chainFrom(first: Trouble, troubles: readonly Trouble[]): Trouble[] {
  const chain = [first];
  let last = first.traceback?.last;
  for (const trouble of troubles) {
    if (trouble === first) continue;
    if (trouble.chain !== undefined) {
      if (chain.some((each) => hangsOn(trouble, each))) chain.push(trouble);
      continue;
    }
    if (last === undefined || trouble.traceback === null || trouble.line <= first.line) continue;
    if (trouble.process !== first.process || trouble.pid !== first.pid) continue;
    const gap = trouble.traceback.first - last;
    if (gap < 2 || gap > 8) continue;
    chain.push(trouble);
    last = trouble.traceback.last;
  }
  return chain;
}
