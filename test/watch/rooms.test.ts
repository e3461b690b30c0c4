import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { HostUnreachable } from '../../src/errors.ts';
import type { Room } from '../../src/host/preflight.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Phase } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { openHostTime } from '../../src/watch/clock.ts';
import { watchRooms } from '../../src/watch/rooms.ts';
import type { Watch } from '../../src/watch/watch.ts';
import { readyRun } from '../vitals/scene.ts';

const PATIENT = { timeout: 10_000, interval: 2 };

let letGo = new AbortController();
afterEach(() => {
  letGo.abort();
  letGo = new AbortController();
});

function room(path: string, mount: string, free: number): [string, Room] {
  return [path, { path, mount, free, total: 100, isWritable: true }];
}

/** What is seen of a run in that phase on a host that answers so, look by look. */
function open(answers: (number: number) => ReadonlyMap<string, Room> | Error, phase: Phase = 'ready') {
  const scene = { seen: [] as Observation[], asked: [] as (readonly string[])[] };
  const host: Partial<Host> = {
    name: 'kpro5',
    async room(paths) {
      scene.asked.push(paths);
      const given = answers(scene.asked.length);
      if (given instanceof Error) throw given;
      return given;
    },
  };
  const clock = { now: () => 5 };
  const run = readyRun({ phase });
  const watch = {
    ...{ host, clock, hostTime: openHostTime(clock), started: { log: '/data/serve.log' } },
    inbox: { run: () => run, put: (...seen: Observation[]) => scene.seen.push(...seen) },
    ...{ timings: { ...PRODUCTION, room: 1 }, contact: { last: 0, why: '', isOver: false } },
    ...{ logger: pino({ level: 'silent' }), signal: letGo.signal },
  };
  void watchRooms(watch as unknown as Watch);
  return scene;
}

test('the file systems of a ready server’s log, caches, temporary files and shared memory are looked at, each once', async () => {
  const scene = open(
    () =>
      new Map([
        room('/data/serve.log', '/data', 7),
        room('~/.cache', '/', 9),
        room('/tmp', '/', 9),
        room('/dev/shm', '/dev/shm', 3),
      ]),
  );
  await expect.poll(() => scene.seen.length, PATIENT).toBeGreaterThan(1);
  expect(scene.asked[0]).toEqual(['/data/serve.log', '~/.cache', '/tmp', '/dev/shm']);
  expect(scene.seen[0]).toMatchObject({
    kind: 'disks',
    disks: [
      { what: 'its log', mount: '/data', free: 7, total: 100 },
      { what: 'its caches and /tmp', mount: '/', free: 9, total: 100 },
      { what: '/dev/shm', mount: '/dev/shm', free: 3, total: 100 },
    ],
  });
});

test('a host that is out of reach is asked again', async () => {
  const scene = open((number) => (number < 3 ? new HostUnreachable('kpro5', 'gone') : new Map([room('/tmp', '/', 9)])));
  await expect.poll(() => scene.seen.length, PATIENT).toBeGreaterThan(0);
  expect(scene.asked.length).toBeGreaterThanOrEqual(3);
});

test('before the server is ready nothing is asked', async () => {
  const loading = open(() => new Map(), 'loading');
  const ready = open(() => new Map());
  await expect.poll(() => ready.asked.length, PATIENT).toBeGreaterThan(3);
  expect(loading.asked).toEqual([]);
});
