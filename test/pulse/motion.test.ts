import { describe, expect, test } from 'vitest';
import type { ProcessLook } from '../../src/host/sample.ts';
import type { Evidence } from '../../src/pulse/evidence.ts';
import { motionBetween } from '../../src/pulse/motion.ts';
import { evidence, look, worker } from './samples.ts';

const MIB = 1_048_576;
const GIB = 1024 * MIB;

/** What moved in 10 s in which a worker's counters grew by so much. */
function grown(changes: Partial<ProcessLook>, first: Partial<ProcessLook> = {}): string[] {
  const before = worker(7, first);
  return what(evidence(0, [before]), evidence(10_000, [{ ...before, ...changes }]));
}

function what(before: Evidence, after: Evidence): string[] {
  return motionBetween(before, after)?.moved.map(({ what }) => what) ?? ['incomparable'];
}

describe('in ten seconds', () => {
  test.each<[string, Partial<ProcessLook>, readonly string[]]>([
    ['nothing', {}, []],
    ['spinning', { cpuTicks: 1000, minorFaults: 300, rssPages: 200_200 }, []],
    ['reads from a disk', { readBytes: 2 * MIB }, ['read']],
    ['reads from FUSE or the page cache', { readChars: 20 * MIB }, ['read']],
    ['pipes and /proc', { readChars: 5 * MIB }, []],
    ['a config file', { readBytes: 500_000 }, []],
    ['writes of a checkpoint', { writeBytes: GIB }, ['written']],
    ['weights mapped from the page cache', { minorFaults: 20_000 }, ['memory']],
    ['waits for mapped pages of a slow disk', { majorFaults: 60 }, ['memory']],
    ['memory that grows', { rssPages: 210_000 }, ['memory']],
    ['memory that is given back, or taken by the kernel', { rssPages: 150_000 }, []],
  ])('%s is told as %j, %j', (_name, changes, expected) => {
    expect(grown(changes)).toEqual(expected);
  });

  test('a shell that waits in a loop is no work, however often it forks', () => {
    const shell = { rssPages: 900 };
    expect(grown({ minorFaults: 3300, readChars: 90 * MIB }, shell)).toEqual([]);
  });

  test('processes that come and go are no work', () => {
    const wait = worker(7, { rssPages: 900 });
    const curl = (pid: number) => worker(pid, { minorFaults: 90_000, readBytes: GIB, cpuTicks: 500 });
    const motion = motionBetween(evidence(0, [wait, curl(8)]), evidence(10_000, [wait, curl(9)]));
    expect(motion).toMatchObject({ moved: [], cores: 0 });
  });

  test('a pid that another process has by now is not compared', () => {
    expect(what(evidence(0, [worker(7)]), evidence(10_000, [worker(7, { start: 1, readBytes: GIB })]))).toEqual([
      'incomparable',
    ]);
  });

  test('bytes that may not be read are no evidence either way', () => {
    expect(grown({ readBytes: 9 * GIB }, { readBytes: null })).toEqual([]);
  });
});

test('cores are counted of all processes together', () => {
  const [before, after] = [0, 1000].map((cpuTicks) => [worker(1, { cpuTicks }), worker(2, { cpuTicks })]);
  expect(motionBetween(evidence(0, before ?? []), evidence(10_000, after ?? []))?.cores).toBe(2);
});

test('GPU memory that changes is work, its utilisation and power are none', () => {
  const gpu = (usedMib: number | null, utilization: number) =>
    look(0, { gpus: [{ uuid: 'a', index: '0', usedMib, utilization }] });
  const moved = (from: number | null, to: number | null) =>
    motionBetween(evidence(0, [], gpu(from, 0)), evidence(10_000, [], gpu(to, 100)));
  expect(moved(21_504, 34_816)?.moved).toEqual([
    { what: 'gpu_memory', amount: 13_312 * MIB, from: 21_504 * MIB, to: 34_816 * MIB, total: null },
  ]);
  expect(moved(21_504, 21_504)).toMatchObject({ moved: [], gpuUse: 100 });
  expect(moved(21_504, 21_510)?.moved).toEqual([]);
  expect(moved(null, 9000)?.moved).toEqual([]);
});

test('bytes that arrive on disk are a download, with what is still to come; received bytes alone are none', () => {
  const at = (bytes: number, total: number | null) =>
    look(0, { received: bytes * 9, folders: [{ role: 'download', path: '/m', bytes, total, isPartial: true }] });
  const motion = motionBetween(evidence(0, [], at(10 * GIB, 50 * GIB)), evidence(10_000, [], at(12 * GIB, 50 * GIB)));
  expect(motion?.moved).toEqual([{ what: 'download', amount: 2 * GIB, from: 10 * GIB, to: 12 * GIB, total: 50 * GIB }]);
  const received = motionBetween(
    evidence(0, [], look(0, { received: 0 })),
    evidence(9000, [], look(9000, { received: GIB })),
  );
  expect(received?.moved).toEqual([]);
});

test('what can’t be compared is nothing: too close, backwards, no process and no look, the same tree twice', () => {
  const tree = [worker(1)];
  expect(motionBetween(evidence(0, tree), evidence(900, [worker(1)]))).toBeNull();
  expect(motionBetween(evidence(9000, tree), evidence(0, [worker(1)]))).toBeNull();
  expect(motionBetween(evidence(0, null), evidence(9000, null))).toBeNull();
  expect(motionBetween(evidence(0, tree), evidence(9000, tree))).toBeNull();
});

describe('what the kernel says of a process in both looks is told where it explains a standstill:', () => {
  const state = (state: string, wchan = '') => [{ pid: 1183, start: 11_830, state, wchan, name: '<!here>' }];
  const told = (before: ReturnType<typeof state>, after: ReturnType<typeof state>) =>
    motionBetween(evidence(0, [], look(0, { states: before })), evidence(9000, [], look(9000, { states: after })))
      ?.troubles;

  test.each([
    ['stopped', state('T'), state('T'), /^Process 1183 is stopped .{1,80}`kill -CONT 1183`/],
    ['held by a debugger', state('t'), state('t'), /^Process 1183 is held by a debugger/],
    ['caught', state('D', 'rpc_wait_bit'), state('D', 'rpc_wait_bit'), /^Process 1183 waits .{1,40}`rpc_wait_bit`/],
    ['in disks, here and there', state('D', 'one'), state('D', 'other'), null],
    ['asleep', state('S', 'futex'), state('S', 'futex'), null],
    ['stopped a moment ago', state('S'), state('T'), null],
  ])('%s', (_name, before, after, words) => {
    expect(told(before, after)).toEqual(words === null ? [] : [expect.stringMatching(words)]);
  });

  test('an nvidia-smi that does not answer, twice', () => {
    const silent = (at: number, isSmiSilent: boolean) => evidence(at, [], look(at, { isSmiSilent }));
    const troubles = (before: boolean) => motionBetween(silent(0, before), silent(9000, true))?.troubles;
    expect(troubles(true)).toEqual([expect.stringMatching(/^`nvidia-smi` does not answer/)]);
    expect(troubles(false)).toEqual([]);
  });
});

test('a slow trickle over a long time is no work', () => {
  const [before, after] = [worker(1), worker(1, { writeBytes: 2 * MIB, rssPages: 205_000 })];
  expect(what(evidence(0, [before]), evidence(600_000, [after]))).toEqual([]);
});

test('the large processes that use no CPU are suspected first', () => {
  const looks = (ticks: number) => [
    worker(1, { rssPages: 900 }),
    worker(2, { rssPages: 300_000, cpuTicks: ticks }),
    worker(3, { rssPages: 200_000 }),
  ];
  const motion = motionBetween(evidence(0, looks(0)), evidence(10_000, looks(1000)));
  expect(motion?.suspects.map(({ pid }) => pid)).toEqual([3, 2]);
});
