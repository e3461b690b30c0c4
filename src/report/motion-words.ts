/** The evidence in numbers: what two looks showed, as people read it. Plain text, no markup. */

import type { Motion, Moved } from '../pulse/evidence.ts';
import { downloadLeft } from '../pulse/time-left.ts';
import { duration } from './duration.ts';

const GIB = 1024 ** 3;

/** `reading 1.9 GB/s, GPU memory 21.0 → 34.0 GiB`; '' where nothing moved. At most `most` of them, what tells most first. */
export function movedWords({ moved, overMs }: Motion, most = 3): string {
  return ORDER.flatMap((what) => moved.filter((one) => one.what === what))
    .slice(0, most)
    .map((one) => WORDS[one.what](one, overMs))
    .join(', ');
}

/** `2.0 CPU cores, GPU at 100 %`, or what of it is known. */
export function useWords({ cores, gpuUse }: Motion): string {
  const words = [
    cores === null ? null : `${cores.toFixed(1)} CPU cores`,
    gpuUse === null ? null : `GPU at ${Math.round(gpuUse)} %`,
  ];
  return words.filter((word) => word !== null).join(', ');
}

/** What was looked at and stood still: `nothing read or written`, `GPU memory unchanged`, `0.0 CPU cores, GPU at 0 %`. */
export function stillWords(motion: Motion): string[] {
  const { cores, gpuUse } = motion;
  return [
    ...(cores === null ? [] : ['nothing read or written']),
    ...(gpuUse === null ? [] : ['GPU memory unchanged']),
    ...(cores === null && gpuUse === null ? [] : [useWords(motion)]),
  ];
}

/** `12.3 of 55.6 GB, 350 MB/s, about 2 min left`, or null where nothing is being downloaded. */
export function downloadWords({ moved, overMs }: Motion): string | null {
  const download = moved.find(({ what }) => what === 'download');
  return download === undefined ? null : downloaded(download, overMs);
}

/** What tells most comes first. */
const ORDER: readonly Moved['what'][] = [
  ...(['download', 'read', 'checkpoint', 'hidden_states', 'compile_cache'] as const),
  ...(['gpu_memory', 'memory', 'nccl', 'written'] as const),
];

const WORDS: Readonly<Record<Moved['what'], (moved: Moved, overMs: number) => string>> = {
  download: (moved, overMs) => `downloading ${downloaded(moved, overMs)}`,
  read: ({ amount }, overMs) => `reading ${speed(amount, overMs)}`,
  written: ({ amount }, overMs) => `writing ${speed(amount, overMs)}`,
  gpu_memory: (moved) => changed('GPU memory', moved),
  memory: (moved, overMs) =>
    gib(moved.from) === gib(moved.to) ? `mapping memory, ${speed(moved.amount, overMs)}` : changed('memory', moved),
  compile_cache: ({ amount }, overMs) => `compile cache growing, ${speed(amount, overMs)}`,
  checkpoint: ({ amount, to }, overMs) => `saving a checkpoint, ${size(to ?? amount)} at ${speed(amount, overMs)}`,
  hidden_states: ({ amount }, overMs) => `hidden states growing, ${speed(amount, overMs)}`,
  nccl: ({ amount }, overMs) => `NCCL counting on (${amount} operations in ${duration(overMs)})`,
};

function downloaded(download: Moved, overMs: number): string {
  const { amount, to, total } = download;
  const rate = speed(amount, overMs);
  if (to === null) return rate;
  if (total === null || total < to) return `${size(to)} so far, ${rate}`;
  const left = downloadLeft({ moved: [download], overMs });
  const words = [`${pairOf(to, total)}`, rate, left === null ? null : `about ${duration(rounded(left))} left`];
  return words.filter((word) => word !== null).join(', ');
}

/** `22.8 of 55.6 GB`, or `22.8 GB` where the whole is not known. */
export function arrivedWords({ bytes, total }: { readonly bytes: number; readonly total: number | null }): string {
  return total === null || total < bytes ? size(bytes) : pairOf(bytes, total);
}

/** To what a person wants to know of it: 5 s, 10 s, minutes. */
export function rounded(ms: number): number {
  const step = ms < 60_000 ? 5000 : ms < 600_000 ? 10_000 : 60_000;
  return Math.max(step, Math.round(ms / step) * step);
}

function changed(what: string, { from, to, amount }: Moved): string {
  if (from === null || to === null || gib(from) === gib(to)) return `${what} changed by ${size(amount)}`;
  return `${what} ${gib(from)} → ${gib(to)} GiB`;
}

function gib(bytes: number | null): string {
  return ((bytes ?? 0) / GIB).toFixed(1);
}

function speed(bytes: number, overMs: number): string {
  return `${size((bytes / overMs) * 1000)}/s`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.9 GB`, `350 MB`: of thousands, as disks and networks are counted. */
function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value < 100 && power > 2 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

/** `12.3 of 55.6 GB`, in the larger one's unit. */
function pairOf(done: number, total: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, total)) / 3)));
  const [a, b] = [done, total].map((bytes) => (bytes / 1000 ** power).toFixed(1));
  return `${a} of ${b} ${UNITS[power]}`;
}
