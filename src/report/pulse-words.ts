/** The pulse in the card and in lists: a few words that say whether to worry. Plain text, no markup. */

import { timeLeft } from '../pulse/time-left.ts';
import { isWatched } from '../pulse/watched.ts';
import type { Run } from '../run/run.ts';
import { duration } from './duration.ts';
import { downloadWords, movedWords, rounded, useWords } from './motion-words.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';

/** What it does, with the pulse: `Loading weights 3/15, quiet: reading 1.9 GB/s`, `Stuck for 3 min: connecting the GPUs`. */
export function withPulse(run: Run, doing: string): string {
  if (run.pulse === 'out_of_contact') return `Out of contact, last seen ${lower(doing)}`;
  if (!isWatched(run)) return doing;
  const { motion, alarm } = run.work;
  const still = duration(run.seenAt - Math.max(run.heard, run.work.movedAt ?? 0));
  if (run.pulse === 'stuck') return `Stuck for ${still}: ${lower(doing)}`;
  if (run.pulse === 'busy')
    return alarm === 'busy' || alarm === 'stuck'
      ? `Busy for ${still}, perhaps waiting: ${lower(doing)}`
      : `${doing}, busy: ${motion === null ? 'CPU or GPU in use' : useWords(motion)}`;
  const download = motion === null ? null : downloadWords(motion);
  if (run.pulse === 'quiet') return `${doing}, quiet: ${quietWords(run, download)}`;
  if (download !== null) return `${doing}: ${run.phase === 'downloading' ? '' : 'downloading '}${download}`;
  return alarm === 'silent' ? `${doing}, silent for ${duration(run.seenAt - run.heard)}` : doing;
}

/** 🚨 and ⚠️ ask for a person; null while all is as it should be. */
export function pulseEmoji(run: Run): string | null {
  if (!isWatched(run)) return null;
  if (run.pulse === 'stuck') return '🚨';
  const { alarm } = run.work;
  return run.pulse === 'busy' && (alarm === 'busy' || alarm === 'stuck') ? '⚠️' : null;
}

/** How long it will take, going by earlier starts; null where that can't be said. `at` says a time in the reader's zone. */
export function timeLeftWords(run: Run, at: (ms: number) => string): string | null {
  const left = timeLeft(run, run.seenAt);
  if (left === null) return null;
  const starts = `${left.starts} start${left.starts === 1 ? '' : 's'}`;
  return left.kind === 'longer'
    ? `${PHASE_WORDS[run.phase]} takes longer than usual (${duration(left.usualMs)} in ${starts})`
    : `About ${duration(rounded(left.ms))} left, ready at about ${at(left.readyAt)}, going by ${starts}`;
}

function quietWords(run: Run, download: string | null): string {
  const { motion } = run.work;
  if (motion === null) return 'work is seen';
  if (download !== null) return run.phase === 'downloading' ? download : `downloading ${download}`;
  return movedWords(motion, 2) || 'work is seen';
}
