/** The processes of a run as the samples show them: two looks at them, compared, show work without another question to the host. */

import type { ProcessLook, Sample } from '../host/sample.ts';
import type { Evidence, Motion } from '../pulse/evidence.ts';
import { motionBetween } from '../pulse/motion.ts';

export interface Trees {
  /** What has moved since the last sample with processes; null where this one has none, or is the first. */
  see(sample: Sample): Motion | null;
  /** null before the first. */
  newest(): readonly ProcessLook[] | null;
}

export function openTrees(): Trees {
  let last: Evidence | null = null;
  return {
    see({ at, tree }) {
      if (tree === null || tree.length === 0) return null;
      const before = last;
      last = { at, tree, look: null };
      return before === null ? null : motionBetween(before, last);
    },
    newest: () => last?.tree ?? null,
  };
}
