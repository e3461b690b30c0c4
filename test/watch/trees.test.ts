import { expect, test } from 'vitest';
import type { ProcessLook, Sample } from '../../src/host/sample.ts';
import { openTrees } from '../../src/watch/trees.ts';

const SERVER: ProcessLook = {
  ...{ pid: 100, start: 1, cpuTicks: 0, minorFaults: 0, majorFaults: 0, rssPages: 500_000 },
  ...{ readBytes: 0, writeBytes: 0, readChars: 0 },
};
const COMPILER = { ...SERVER, pid: 200, start: 9, rssPages: 40_000 };
const SLEEP = { ...COMPILER, pid: 300, rssPages: 200 };

function sample(at: number, tree: readonly ProcessLook[] | null): Sample {
  return { at, bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree };
}

test('a large process that joins those of a run is known by the moment when it was first seen', () => {
  const trees = openTrees();
  const newcomers = [
    sample(0, [SERVER, COMPILER]),
    sample(10_000, [SERVER, SLEEP]),
    sample(15_000, null),
    sample(20_000, [SERVER, COMPILER]),
    sample(30_000, [SERVER, COMPILER]),
  ].map((one) => {
    trees.see(one);
    return trees.newcomerAt();
  });
  expect(newcomers).toEqual([null, null, null, 20_000, 20_000]);
});
