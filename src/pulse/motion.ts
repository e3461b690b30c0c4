/** Two looks compared. CPU, GPU utilisation, power and received bytes are never counted as work: a rank that waits for another shows all of them. */

import type { ProcessLook } from '../host/sample.ts';
import type { Evidence, Motion, Moved } from './evidence.ts';
import type { FolderLook, Look } from './look.ts';
import { countsMoved, ranksBehind, rootsOf, standingMismatches } from './mismatch.ts';
import { isLarge, processesMoved, processPairs, suspectsOf, ticksUsed } from './processes.ts';
import { troublesOf } from './troubles.ts';

const MIB = 1_048_576;
/** Two looks closer than this say nothing (ms). */
const CLOSEST_MS = 1000;
/** CLK_TCK of Linux. */
const TICKS_PER_SECOND = 100;
/** nvidia-smi counts whole MiB of all on a GPU; a context that is made or a block that is allocated is larger than this (MiB). */
const GPU_MIB = 16;
/** One block of a slow download; what a folder's own entries take is less (bytes). */
const FOLDER_BYTES = 65_536;

/** What has moved from one look to the next; null where they are too close together, or have nothing in common that could be compared. */
export function motionBetween(before: Evidence, after: Evidence): Motion | null {
  const overMs = after.at - before.at;
  if (!(overMs >= CLOSEST_MS)) return null;
  const pairs = treesOf(before, after);
  const looks = before.look === null || after.look === null ? null : ([before.look, after.look] as const);
  if (pairs.length === 0 && looks === null) return null;
  const behind = looks === null ? [] : standingMismatches(looks[0].ras, looks[1].ras);
  const last = new Set(
    rootsOf(behind)
      .flatMap(ranksBehind)
      .map(({ pid }) => pid),
  );
  return {
    at: after.at,
    overMs,
    moved: [...processesMoved(pairs, overMs), ...(looks === null ? [] : looksMoved(...looks))],
    cores: coresOf(pairs, overMs),
    gpuUse: highestUse(after.look),
    behind,
    behindCores: coresOf(
      pairs.filter(([, { pid }]) => last.has(pid)),
      overMs,
    ),
    isRunnable: looks !== null && pairs.some(([, { pid }]) => isIn(looks, pid, RUNNABLE)),
    isHalted: looks !== null && pairs.filter(isLarge).some(([, { pid }]) => isIn(looks, pid, HALTED)),
    coming: after.look === null ? null : comingOf(after.look),
    troubles: looks === null ? [] : troublesOf(...looks),
    suspects: suspectsOf(pairs, overMs),
  };
}

function coresOf(pairs: ReturnType<typeof treesOf>, overMs: number): number | null {
  return pairs.length === 0 ? null : ticksUsed(pairs) / TICKS_PER_SECOND / (overMs / 1000);
}

/** As the kernel has them; `t` is held by a debugger. */
const RUNNABLE = ['R'];
const HALTED = ['T', 't'];

/** In each of the looks the process is in one of these states. */
function isIn(looks: readonly Look[], pid: number, these: readonly string[]): boolean {
  return looks.every(({ states }) => states.some((one) => one.pid === pid && these.includes(one.state)));
}

/** The same tree given twice is one look at it, and shows nothing. */
function treesOf(before: Evidence, after: Evidence): (readonly [ProcessLook, ProcessLook])[] {
  if (before.tree === null || after.tree === null || before.tree === after.tree) return [];
  return processPairs(before.tree, after.tree);
}

function looksMoved(before: Look, after: Look): Moved[] {
  return [gpuMemoryMoved(before, after), ...foldersMoved(before, after), countsMoved(before.ras, after.ras)].filter(
    (moved) => moved !== null,
  );
}

function gpuMemoryMoved(before: Look, after: Look): Moved | null {
  const pairs = (after.gpus ?? []).flatMap(({ uuid, usedMib }) => {
    const old = before.gpus?.find((gpu) => gpu.uuid === uuid)?.usedMib ?? null;
    return old === null || usedMib === null ? [] : [[old, usedMib] as const];
  });
  if (!pairs.some(([old, now]) => Math.abs(now - old) >= GPU_MIB)) return null;
  const [from, to] = pairs.reduce(([a, b], [old, now]) => [a + old, b + now], [0, 0]);
  const amount = pairs.reduce((sum, [old, now]) => sum + Math.abs(now - old), 0);
  return { what: 'gpu_memory', amount: amount * MIB, from: from * MIB, to: to * MIB, total: null };
}

/** Folders of one role together: a model and its drafter may come at once. */
function foldersMoved(before: Look, after: Look): Moved[] {
  const roles = new Set(after.folders.map(({ role }) => role));
  return [...roles].flatMap((role): Moved[] => {
    const pairs = after.folders
      .filter((folder) => folder.role === role)
      .flatMap((now) => {
        const old = before.folders.find(({ path, role: of }) => path === now.path && of === role);
        return old === undefined ? [] : [[old, now] as const];
      });
    const amount = pairs.reduce((sum, [old, now]) => sum + Math.abs(now.bytes - old.bytes), 0);
    if (amount < FOLDER_BYTES) return [];
    const [from, to] = pairs.reduce(([a, b], [old, now]) => [a + old.bytes, b + now.bytes], [0, 0]);
    return [{ what: role, amount, from, to, total: totalOf(pairs.map(([, now]) => now)) }];
  });
}

function comingOf({ folders }: Look): Motion['coming'] {
  const downloads = folders.filter(({ role }) => role === 'download');
  if (!downloads.some(({ isPartial }) => isPartial)) return null;
  return { bytes: downloads.reduce((sum, { bytes }) => sum + bytes, 0), total: totalOf(downloads) };
}

/** null where it is not known of each of them. */
function totalOf(folders: readonly FolderLook[]): number | null {
  return folders.reduce<number | null>((sum, { total }) => (sum === null || total === null ? null : sum + total), 0);
}

function highestUse(look: Look | null): number | null {
  const uses = (look?.gpus ?? []).flatMap(({ utilization }) => (utilization === null ? [] : [utilization]));
  return uses.length === 0 ? null : Math.max(...uses);
}
