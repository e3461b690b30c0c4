/** All troubles of a reading with what the catalog says of each. */

import type { LogKind, Trouble } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import { isOfTarget, isStandingBar } from '../log/troubles.ts';
import { type Recognised, recognise } from './catalog.ts';

/** In the order of the file. What a training's target server says of itself is recognised as a server's. */
export function recogniseAll({ kind, troubles }: Reading): readonly Recognised[] {
  return troubles.map((trouble) => recognise(trouble, isTargets(trouble, kind) ? 'serve' : kind));
}

/** In a training's log: a trouble that its target server had, in its own words. */
export function isTargets(trouble: Trouble, kind: LogKind): boolean {
  return kind === 'train' && isOfTarget(trouble) && !isStandingBar(trouble);
}
