/** What the processes of a run have done between two looks: only of those that live in both, since `sleep 1` and `curl` of a script that waits come and go. */

import type { Pid } from '../host/process.ts';
import type { ProcessLook } from '../host/sample.ts';
import type { Moved } from './evidence.ts';

type Pair = readonly [before: ProcessLook, after: ProcessLook];

const MIB = 1_048_576;
const PAGE = 4096;
/** Bytes from and to disks, all processes together: at least this, and this fast where the looks lie far apart (bytes a second). A monitor's thread writes less. */
const DISK_BYTES = MIB;
const DISK_RATE = 32_768;
/**
 * Bytes a second that one large process reads by read(2): from the page cache, FUSE and some network file systems nothing else tells. What a
 * process that waits reads of its pipes and of /proc is less.
 */
const CHARS_RATE = MIB;
/**
 * Faults and rss count for processes of this size only (pages of 4 KiB, 64 MiB): a shell that waits in a loop copies 20 pages at each fork, up
 * to 300 faults a second, and is a few MiB small; whoever reads weights has torch in it.
 */
export const LARGE_PAGES = 16_384;
/**
 * Faults a second of one process. The kernel maps 16 pages a fault, so this is 6.5 MB/s of mapped weights from the page cache (with large folios
 * it maps up to 2 MiB a fault: then rss tells); a rank that spins makes next to none.
 */
const MINOR_RATE = 100;
/** Each of these waits for a disk. */
const MAJOR_RATE = 5;
/**
 * What one process's rss has grown by: at least this (pages, 16 MiB), and as much in 10 s where the looks lie far apart. One that falls is no
 * work: the kernel takes memory from what stands still when others need it.
 */
const RSS_PAGES = 4096;
const RSS_RATE = 410;

/** The processes that both looks show, by pid and start time. */
export function processPairs(before: readonly ProcessLook[], after: readonly ProcessLook[]): Pair[] {
  const old = new Map(before.map((process) => [`${process.pid} ${process.start}`, process]));
  return after.flatMap((now) => {
    const was = old.get(`${now.pid} ${now.start}`);
    return was === undefined ? [] : [[was, now] as const];
  });
}

export function ticksUsed(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, [before, after]) => sum + grown(before.cpuTicks, after.cpuTicks), 0);
}

export function processesMoved(pairs: readonly Pair[], overMs: number): Moved[] {
  return [
    bytesMoved('read', pairs, overMs),
    bytesMoved('written', pairs, overMs),
    memoryMoved(pairs, overMs / 1000),
  ].filter((moved) => moved !== null);
}

/** The large ones, at most 4: who sleeps before who spins, since a rank that spins only waits for another; then by size. */
export function suspectsOf(pairs: readonly Pair[], overMs: number): Pid[] {
  const largest = Math.max(0, ...pairs.map(([, { rssPages }]) => rssPages));
  const isIdle = ([before, after]: Pair): boolean => grown(before.cpuTicks, after.cpuTicks) * 10 < overMs * 0.1;
  return pairs
    .filter(([, { rssPages }]) => rssPages * 4 >= largest)
    .toSorted((a, b) => Number(isIdle(b)) - Number(isIdle(a)) || b[1].rssPages - a[1].rssPages)
    .slice(0, 4)
    .map(([, { pid, start }]) => ({ pid, start }));
}

function bytesMoved(what: 'read' | 'written', pairs: readonly Pair[], overMs: number): Moved | null {
  const onDisk = sumOf(pairs, what === 'read' ? 'readBytes' : 'writeBytes');
  const needed = Math.max(DISK_BYTES, (DISK_RATE * overMs) / 1000);
  const readers = what === 'read' ? pairs.filter(isLarge) : [];
  const fast = readers.filter((pair) => sumOf([pair], 'readChars') >= (CHARS_RATE * overMs) / 1000);
  const amount = Math.max(onDisk < needed ? 0 : onDisk, sumOf(fast, 'readChars'));
  return amount === 0 ? null : { what, amount, from: null, to: null, total: null };
}

function sumOf(pairs: readonly Pair[], key: 'readBytes' | 'writeBytes' | 'readChars'): number {
  return pairs.reduce((sum, [before, after]) => {
    const [was, now] = [before[key], after[key]];
    return was === null || now === null ? sum : sum + grown(was, now);
  }, 0);
}

/** It may have torch in it. */
export function isLarge([before, after]: Pair): boolean {
  return Math.max(before.rssPages, after.rssPages) >= LARGE_PAGES;
}

function memoryMoved(pairs: readonly Pair[], seconds: number): Moved | null {
  const isWork = ([before, after]: Pair): boolean =>
    isLarge([before, after]) &&
    (grown(before.minorFaults, after.minorFaults) >= MINOR_RATE * seconds ||
      grown(before.majorFaults, after.majorFaults) >= MAJOR_RATE * seconds ||
      after.rssPages - before.rssPages >= Math.max(RSS_PAGES, RSS_RATE * seconds));
  if (!pairs.some(isWork)) return null;
  const touched = pairs.reduce(
    (sum, [before, after]) =>
      sum + Math.max(Math.abs(after.rssPages - before.rssPages), grown(before.minorFaults, after.minorFaults)),
    0,
  );
  const [from, to] = pairs.reduce(([a, b], [before, after]) => [a + before.rssPages, b + after.rssPages], [0, 0]);
  return { what: 'memory', amount: touched * PAGE, from: from * PAGE, to: to * PAGE, total: null };
}

/** A counter that went back belongs to no work. */
function grown(before: number, after: number): number {
  return Math.max(0, after - before);
}
