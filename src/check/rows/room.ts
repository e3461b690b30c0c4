import type { Room } from '../../host/preflight.ts';
import { compileCache } from '../caches.ts';
import type { Check, Judged, Known, Sample } from '../check.ts';
import { passed, refused, warning } from '../judged.ts';
import { GIB, serving } from '../samples.ts';
import type { Subject } from '../subject.ts';
import { code, list, size } from '../words.ts';
import { SHARED_MEMORY_PATH } from './shared-memory.ts';

/** Bytes below which a start fails at once, and below which it comes to it: log, compiled graphs, kernels. */
const LEAST = 1024 ** 3;
const ENOUGH = 5 * 1024 ** 3;

/** Every disk that the launch writes to: log, compile cache, downloads, a training's checkpoints. */
export const ROOM: Check = {
  id: 'room',
  label: 'Disk',
  needs: ['room'],
  concerns: () => true,
  judge: ({ room }, subject) => {
    const disks = disksOf(room);
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
        verdicts: ['refused'],
      },
      { subject, facts: at([cache, on(40 * GIB, { isWritable: false, path: '/root/.cache' })]), verdicts: ['warning'] },
      { subject, facts: at(['/dev/shm', on(1000, { mount: '/dev/shm' })]), verdicts: [] },
    ];
  },
};

interface Disk {
  readonly mount: string;
  readonly free: number;
  /** What is written there, as it was asked for. */
  readonly paths: readonly string[];
}

function disksOf(room: Known['room']): readonly Disk[] {
  const disks = new Map<string, Disk>();
  for (const [path, { mount, free }] of room) {
    if (path === SHARED_MEMORY_PATH || mount === SHARED_MEMORY_PATH) continue;
    disks.set(mount, { mount, free, paths: [...(disks.get(mount)?.paths ?? []), path] });
  }
  return [...disks.values()];
}

function judgeDisk({ mount, free, paths }: Disk): readonly Judged[] {
  if (free >= ENOUGH) return [];
  const found = `${size(free)} free on ${code(mount)}, where ${list(paths.slice(0, 4).map(code))} ${paths.length === 1 ? 'is' : 'are'}`;
  const advice = `Make room on ${code(mount)}: log and compiled graphs are written there.`;
  return [(free < LEAST ? refused : warning)(found, { needed: `${size(ENOUGH)} or more`, advice })];
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
