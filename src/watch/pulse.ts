/** While a log is silent: looks at what can't move unless work gets done, one after the other, and at the stacks of what stands still. */

import { wait } from '../flow/wait.ts';
import type { Evidence } from '../pulse/evidence.ts';
import { motionBetween } from '../pulse/motion.ts';
import { wantsLook } from '../pulse/wants.ts';
import { isEnd } from '../run/run.ts';
import { openDumps } from './dumps.ts';
import { openLooks } from './looks.ts';
import type { Watch } from './watch.ts';

/** Looks closer together than this may say nothing (ms): the older one is compared with the next once more. Of one from before the clock was set back nothing is left. */
const APART_MS = 2000;

export async function watchPulse(watch: Watch): Promise<void> {
  const { inbox, clock, hostTime, timings, contact, signal } = watch;
  const look = openLooks(watch);
  const dump = openDumps(watch);
  let before: Evidence | null = null;
  while (!signal.aborted && !contact.isOver && !isEnd(inbox.run().phase)) {
    await wait(timings.pulse, signal);
    if (!wantsLook(inbox.run(), hostTime.read().now)) {
      before = null;
      continue;
    }
    const now = await look();
    if (signal.aborted) return;
    if (now === null) continue;
    const motion = before === null ? null : motionBetween(before, now);
    if (motion !== null) inbox.put({ kind: 'motion', motion, at: motion.at, seen: clock.now() });
    if (motion !== null || before === null || Math.abs(now.at - before.at) >= APART_MS) before = now;
    await dump();
  }
}
