/** Whether a file system fills up under a server. */

import type { Judged, News } from './look.ts';
import type { DiskMemory } from './memory.ts';
import type { Disk, Vitals } from './vitals.ts';

/** What was seen of one file system. */
export interface DiskLook {
  /** What of the run is on there, as words for people: `the log`. */
  readonly what: string;
  readonly mount: string;
  /** Bytes. */
  readonly free: number;
  readonly total: number;
}

const GIB = 1024 ** 3;
const HOUR_MS = 3_600_000;
/** Too little is left: such a part, but no more than so much of a large one; and of one that isn't small at least so much (bytes). */
const LEAST_PART = 0.02;
const MOST_LEAST = 50 * GIB;
const LEAST = 5 * GIB;
const SMALL = 20 * GIB;
/** Full within this long at the pace of the last hours, and it is told; over when it would last twice as long (ms). */
const SOON_MS = 12 * HOUR_MS;
/** Looks that are kept: so far apart at least, of so many hours. */
const APART_MS = 15 * 60_000;
const KEPT_MS = 3 * HOUR_MS;
/** The pace of less than an hour says nothing; nor does one burst (a model that is fetched): each quarter must have such a part of it. */
const LEAST_MS = HOUR_MS;
const STEADY_PART = 0.25;
const MOST_DISKS = 8;

/** `at` is the host's time (ms). A file system that could not be looked at is left as it was. */
export function judgeDisks(vitals: Vitals, looks: readonly DiskLook[], at: number): Judged {
  let next = vitals;
  const news: News[] = [];
  for (const look of looks.slice(0, MOST_DISKS)) {
    const known = vitals.memory.disks.find(({ mount }) => mount === look.mount);
    const points = withPoint(known?.points ?? [], look, at);
    const disk: Disk = { ...look, fullInMs: fullIn(points, look, at) };
    const stood = vitals.disks.some(({ mount }) => mount === look.mount);
    const isBad = stood ? !isWell(disk) : isLow(disk) || isSoon(disk, SOON_MS);
    const isNew = isBad && !stood && (isLow(disk) || isTime(known?.toldAt ?? null, at));
    if (isNew) news.push({ kind: 'disk', disk });
    const toldAt = isNew ? at : (known?.toldAt ?? null);
    next = remember(next, { mount: look.mount, points, toldAt }, isBad ? disk : null);
  }
  return { vitals: next, news };
}

/** What fills and is cleaned again and again is told so no more often than it could be full. */
function isTime(toldAt: number | null, at: number): boolean {
  return toldAt === null || Math.abs(at - toldAt) >= SOON_MS;
}

function isLow({ free, total }: Pick<Disk, 'free' | 'total'>): boolean {
  return free < leastOf(total);
}

function leastOf(total: number): number {
  return Math.max(Math.min(total * LEAST_PART, MOST_LEAST), total > SMALL ? LEAST : 0);
}

function isSoon({ fullInMs }: Disk, ms: number): boolean {
  return fullInMs !== null && fullInMs < ms;
}

/** With room, so that a file system at the edge is not told again and again. */
function isWell(disk: Disk): boolean {
  return disk.free >= 2 * leastOf(disk.total) && !isSoon(disk, 2 * SOON_MS);
}

/** The looks of the last hours, some of them; of a clock that was set back nothing is left. */
function withPoint(points: DiskMemory['points'], { free }: DiskLook, at: number): DiskMemory['points'] {
  const last = points.at(-1);
  const known = last !== undefined && last.at > at ? [] : points.filter((point) => at - point.at <= KEPT_MS);
  const newest = known.at(-1);
  return newest !== undefined && at - newest.at < APART_MS ? known : [...known, { at, free }];
}

/** ms until it is full at the pace of the looks, or null: it does not fill, not steadily, or not for long enough to say. */
function fullIn(points: DiskMemory['points'], { free }: DiskLook, at: number): number | null {
  const [first] = points;
  if (first === undefined || at - first.at < LEAST_MS) return null;
  const pace = (first.free - free) / (at - first.at);
  if (pace <= 0) return null;
  const steps = [...points, { at, free }].slice(1);
  const isSteady = steps.every((point, index) => {
    const before = points[index] ?? first;
    return before.free - point.free >= STEADY_PART * pace * (point.at - before.at);
  });
  return isSteady ? free / pace : null;
}

function remember(vitals: Vitals, known: DiskMemory, disk: Disk | null): Vitals {
  const { memory } = vitals;
  const isOther = ({ mount }: { readonly mount: string }): boolean => mount !== known.mount;
  return {
    ...vitals,
    disks: [...vitals.disks.filter(isOther), ...(disk === null ? [] : [disk])],
    memory: { ...memory, disks: [...memory.disks.filter(isOther), known].slice(-MOST_DISKS) },
  };
}
