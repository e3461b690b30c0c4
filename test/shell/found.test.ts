import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import type { SampleTarget } from '../../src/host/sample.ts';
import { parseTree, renderTree } from '../../src/shell/tree.ts';
import { makeFolder } from '../support/folder.ts';
import { begin, lineIn } from '../support/processes.ts';
import { sampleUntil } from '../support/sampling.ts';
import { findShells, runIn } from '../support/shells.ts';

function targetOf(folder: string, main: Pid): SampleTarget {
  const path = join(folder, 'runs', 'found');
  const log = join(folder, 'run.log');
  writeFileSync(log, 'Epoch 1\n');
  const started = {
    main,
    session: 0,
    bootId: 'b',
    init: 1,
    log,
    movedLog: null,
    preludeShell: null,
    at: 0,
    warnings: [],
  };
  return { path, run: 'found', started };
}

describe.each(findShells())('in $name', (shell) => {
  test('the tree of a run without a run folder is its main process and the children', async () => {
    const folder = makeFolder('found');
    const mark = join(folder, 'pid');
    const main = begin(`setsid sh -c 'echo $$ >${mark}; exec sleep 61' & wait`);
    const child = Number(await lineIn(mark));
    const target = targetOf(folder, main);
    const look = async (more: SampleTarget) => parseTree((await runIn(shell, renderTree(more))).output);
    const tree = await look(target);
    expect(tree?.map(({ pid }) => pid).sort()).toEqual([main.pid, child].sort());
    expect(tree?.find(({ pid }) => pid === main.pid)?.minorFaults).toBeGreaterThan(0);
    expect(await look(targetOf(folder, { pid: 0, start: 0 }))).toEqual([]);
    expect(await look(targetOf(folder, { ...main, start: 7 }))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['pid', 'run.log']);
    process.kill(child, 'SIGKILL');
  });

  test('samples of runs without a run folder tell what can be seen, and none is made', async () => {
    const folder = makeFolder('found');
    const main = begin('exec sleep 61');
    const seen = targetOf(folder, main);
    const unseen = targetOf(folder, { pid: 0, start: 0 });
    const nameless = { ...unseen, path: '' };
    const samples = await sampleUntil(shell, [seen, unseen, nameless], (all) => all.length > 3);
    const [one, two, three] = samples.map((row) => row.sample);
    expect(one).toMatchObject({ alive: true, exit: null, logSize: 8, tree: [main] });
    expect(two).toMatchObject({ alive: false, exit: null, logSize: 8, tree: [] });
    expect(three).toMatchObject({ alive: false, exit: null, logSize: 8, tree: [] });
    expect(readdirSync(folder)).toEqual(['run.log']);
  });

  test('what is in a run folder is still remembered there', async () => {
    const folder = makeFolder('found');
    const main = begin('exec sleep 61');
    const target = targetOf(folder, main);
    mkdirSync(target.path, { recursive: true });
    await runIn(shell, renderTree(target));
    expect(readFileSync(join(target.path, 'tree'), 'utf8')).toBe(`${main.pid}:${main.start}\n`);
  });
});
