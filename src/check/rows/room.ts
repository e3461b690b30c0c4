import { posix } from 'node:path';
import type { Room } from '../../host/preflight.ts';
import { list } from '../../list.ts';
import { compileCache, hubCache } from '../caches.ts';
import type { Check, Judged, Known, Sample } from '../check.ts';
import { passed, refused, warning } from '../judged.ts';
import { GIB, serving } from '../samples.ts';
import type { Subject } from '../subject.ts';
import { trainingAsks } from '../training/asks.ts';
import { code, size } from '../words.ts';
import { SHARED_MEMORY_PATH } from './shared-memory.ts';

/** Bytes below which not even a log is written, and below which it comes to it: compiled graphs, kernels. */
const LEAST = 16 * 1024 ** 2;
const ENOUGH = 5 * 1024 ** 3;

/** Every disk that any launch writes to: log and compile cache. Downloads, checkpoints and hidden states have rows of their own. */
export const ROOM: Check = {
  id: 'room',
  label: 'Disk',
  needs: ['room'],
  concerns: () => true,
  judge: ({ room }, subject) => {
    const disks = disksOf(room, subject);
    const bad = [...disks.flatMap(judgeDisk), ...judgeCache(room, subject)];
    if (bad.length > 0) return bad;
    return disks.length === 0
      ? []
      : [passed(list(disks.map(({ mount, free }) => `${size(free)} free on ${code(mount)}`)))];
  },
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target']);
    const on = (free: number, changes: Partial<Room> = {}): Room => ({
      path: '/root',
      mount: '/',
      free,
      total: 900 * GIB,
      isWritable: true,
      ...changes,
    });
    const cache = '~/.cache/vllm';
    const at = (...rooms: readonly (readonly [string, Room])[]): Sample['facts'] => ({ room: new Map(rooms) });
    return [
      { subject, facts: at(['/root', on(40 * GIB)], [cache, on(40 * GIB)]), verdicts: ['passed'] },
      { subject, facts: at(['/root', on(3 * GIB)], [cache, on(3 * GIB)]), verdicts: ['warning'] },
      {
        subject,
        facts: at(['/root', on(GIB / 2)], ['/data', on(90 * GIB, { mount: '/data' })]),
        verdicts: ['warning'],
      },
      { subject, facts: at(['/root', on(4096)], [cache, on(4096)]), verdicts: ['refused'] },
      {
        subject,
        facts: at(['/root', on(90 * GIB)], [cache, on(4096, { mount: '/cache' })]),
        verdicts: ['warning'],
      },
      { subject, facts: at([cache, on(40 * GIB, { isWritable: false, path: '/root/.cache' })]), verdicts: ['warning'] },
      { subject, facts: at(['/dev/shm', on(1000, { mount: '/dev/shm' })]), verdicts: [] },
    ];
  },
};

interface Disk {
  readonly mount: string;
  readonly free: number;
  /** More than compiled graphs, without which it starts as well. */
  readonly hasLog: boolean;
  /** What is written there, as it was asked for. */
  readonly paths: readonly string[];
}

/** A file system that tells no size (some of those in user space) tells nothing of its room either. */
function disksOf(room: Known['room'], subject: Subject): readonly Disk[] {
  const caches = cachesOf(subject);
  const others = othersOf(subject);
  const disks = new Map<string, Disk>();
  for (const [path, { mount, free, total }] of room) {
    if (path === SHARED_MEMORY_PATH || mount === SHARED_MEMORY_PATH || total === 0 || others.includes(path)) continue;
    const before = disks.get(mount);
    const hasLog = before?.hasLog === true || !caches.includes(path);
    disks.set(mount, { mount, free, hasLog, paths: [...(before?.paths ?? []), path] });
  }
  return [...disks.values()];
}

function environmentsOf({ recipe, servers }: Subject): readonly Readonly<Record<string, string>>[] {
  return [recipe.environment, ...servers.map(({ environment }) => environment)];
}

function cachesOf(subject: Subject): readonly string[] {
  return environmentsOf(subject).map(compileCache);
}

/** What other rows look at. */
function othersOf(subject: Subject): readonly string[] {
  const { log } = subject.recipe;
  const paths = [...environmentsOf(subject).map(hubCache), ...trainingAsks(subject).room];
  return paths.filter((path) => log === null || path !== posix.dirname(log));
}

function judgeDisk({ mount, free, hasLog, paths }: Disk): readonly Judged[] {
  if (free >= ENOUGH) return [];
  const found = `${size(free)} free on ${code(mount)}, where ${list(paths.slice(0, 4).map(code))} ${paths.length === 1 ? 'is' : 'are'}`;
  const advice = `Make room on ${code(mount)}: log and compiled graphs are written there.`;
  return [(hasLog && free < LEAST ? refused : warning)(found, { needed: `${size(ENOUGH)} or more`, advice })];
}

function judgeCache(room: Known['room'], { servers, recipe }: Subject): readonly Judged[] {
  const path = compileCache(servers[0]?.environment ?? recipe.environment);
  const look = room.get(path);
  if (look === undefined || look.isWritable) return [];
  return [
    warning(`the compile cache ${code(path)} can't be written by this SSH user`, {
      needed: `the right to write in ${code(look.path)}`,
      advice:
        'Set VLLM_CACHE_ROOT in the recipe to a folder of its own: without a cache every start compiles anew, or fails.',
    }),
  ];
}
