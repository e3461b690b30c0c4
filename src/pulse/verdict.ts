/** What the looks of a silence come to. CPU and GPU use can turn "stuck" into "busy", and nothing into "quiet". */

import { isUnseen } from '../run/request.ts';
import type { Phase, Run } from '../run/run.ts';
import { ownSilence, SILENCE_MS, silenceBudget, stillWindow } from './budgets.ts';
import type { Motion, Moved } from './evidence.ts';
import { isStanding, ranksBehind, rootsOf } from './mismatch.ts';
import type { Culprit, Work } from './work.ts';

/** Looks that lie further apart than this, or back, say nothing of now (ms). */
const FRESH_MS = 60_000;
/** The same counts in two looks this far apart are a hang (ms): working ranks launch thousands of operations in it. */
const HUNG_MS = 5000;
/** What samples show as well, and how long a look's word stands beside them (ms). */
const OF_PROCESSES: readonly Moved['what'][] = ['read', 'written', 'memory'];
const STANDS_MS = 30_000;
/** Use that isn't idling: cores, and % of a GPU. */
const CORES = 0.2;
const GPU_USE = 5;
/** Here one rank may compile while the others wait for it in NCCL, by processes of its own: that it is behind is no proof yet. */
const COMPILES: readonly Phase[] = ['compiling', 'kv_cache', 'capturing', 'target_starting'];

export type Verdict = 'quiet' | 'busy' | 'stuck' | 'silent' | 'unknown';

type Seen = Pick<Run, 'phase' | 'heard' | 'seenAt' | 'request' | 'training' | 'work' | 'target' | 'reading'>;

/** Of a log that has been silent beyond its budget. */
export function verdictOn(run: Seen): Verdict {
  const { motion, stillFrom, idleFrom } = run.work;
  if (isUnseen(run) || motion === null || run.seenAt - motion.at > FRESH_MS || isBlind(motion))
    return run.seenAt - run.heard >= Math.max(SILENCE_MS, silenceBudget(run), ownSilence(run)) ? 'silent' : 'unknown';
  if (motion.moved.length > 0) return 'quiet';
  if (isHung(run, motion) || motion.isHalted) return 'stuck';
  if (stillFrom === null || motion.at - stillFrom < stillWindow(run)) return 'unknown';
  return idleFrom === null || motion.at - idleFrom < stillWindow(run) ? 'busy' : 'stuck';
}

/** What a run remembers of its standing still, with one comparison more. */
export function standstill(
  { heard, work }: Seen,
  motion: Motion,
): Pick<Work, 'stillFrom' | 'idleFrom' | 'movedAt' | 'behindFrom' | 'culprit' | 'arrived'> {
  const from = motion.at - motion.overMs;
  const isNext = work.motion !== null && from - work.motion.at <= FRESH_MS;
  if (motion.moved.length > 0) {
    const culprit = motion.moved.some(({ what }) => what === 'nccl') ? null : work.culprit;
    return {
      stillFrom: null,
      idleFrom: null,
      movedAt: motion.at,
      behindFrom: null,
      culprit,
      arrived: arrivedOf(motion) ?? motion.coming ?? work.arrived,
    };
  }
  const stillFrom = (isNext ? work.stillFrom : null) ?? Math.max(from, heard);
  const idleFrom = isInUse(motion) ? null : ((isNext ? work.idleFrom : null) ?? Math.max(from, heard));
  const isSame = isNext && motion.behind.some((now) => work.motion?.behind.some((old) => isStanding(old, now)));
  const behindFrom = motion.behind.length === 0 ? null : ((isSame ? work.behindFrom : null) ?? from);
  const isProven = behindFrom !== null && motion.at - behindFrom >= HUNG_MS;
  const culprit = (isProven ? culpritOf(motion) : null) ?? work.culprit;
  return { stillFrom, idleFrom, movedAt: work.movedAt, behindFrom, culprit, arrived: motion.coming ?? work.arrived };
}

/** The comparison to go on with: samples show processes alone and come between the looks, whose word on downloads and GPUs stands meanwhile. */
export function shownOf({ work: { motion: last } }: Seen, motion: Motion): Motion {
  if (last === null || motion.gpuUse !== null || motion.moved.length === 0) return motion;
  const isPartial = motion.moved.every(({ what }) => OF_PROCESSES.includes(what));
  const saidMore = last.moved.some(({ what }) => !OF_PROCESSES.includes(what));
  return isPartial && saidMore && motion.at - last.at <= STANDS_MS ? last : motion;
}

function arrivedOf({ moved }: Motion): Work['arrived'] {
  const download = moved.find(({ what }) => what === 'download');
  return download === undefined || download.to === null ? null : { bytes: download.to, total: download.total };
}

/** Neither a process nor NCCL could be seen. */
function isBlind({ cores, moved, behind }: Motion): boolean {
  return cores === null && moved.length === 0 && behind.length === 0;
}

/** One rank may evaluate or save while the others wait for it: who hangs uses nothing, or is told as busy for too long. */
function isHung({ phase, work: { behindFrom } }: Seen, { at, behindCores }: Motion): boolean {
  if (behindFrom === null || (behindCores ?? 0) >= CORES) return false;
  return at - behindFrom >= HUNG_MS && !COMPILES.includes(phase);
}

function isInUse({ cores, gpuUse, isRunnable }: Motion): boolean {
  return (cores ?? 0) >= CORES || (gpuUse ?? 0) >= GPU_USE || isRunnable;
}

/** By the operation in which the ranks are furthest apart. */
function culpritOf({ behind }: Motion): Culprit | null {
  const [widest] = rootsOf(behind).toSorted((a, b) => b.highest - b.lowest - (a.highest - a.lowest));
  const [first, ...rest] = widest === undefined ? [] : ranksBehind(widest);
  if (widest === undefined || first === undefined) return null;
  const { operation, highest } = widest;
  return { ...first, operation, highest, also: rest.map(({ rank }) => rank) };
}
