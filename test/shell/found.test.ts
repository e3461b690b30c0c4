import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseSample, renderSampler } from '../../src/shell/sample.ts';
import { parseTree, renderTree } from '../../src/shell/tree.ts';
import type { Pid, SampleTarget } from '../../src/tools.ts';
import { makeFolder } from '../support/folder.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

const begun: ChildProcess[] = [];

afterEach(() => {
  for (const child of begun.splice(0)) child.kill('SIGKILL');
});

/** A training as a person starts it: no launcher, no run folder. */
function begin(text: string): Pid {
  const child = spawn('sh', ['-c', text], { detached: true, stdio: 'ignore' });
  begun.push(child);
  const pid = child.pid ?? 0;
  return { pid, start: Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]) };
}

function targetOf(folder: string, main: Pid): SampleTarget {
  const path = join(folder, 'runs', 'found');
  const log = join(folder, 'run.log');
  writeFileSync(log, 'Epoch 1\n');
  const started = { main, session: 0, bootId: 'b', init: 1, log, movedLog: null, preludeShell: null, at: 0 };
  return { path, run: 'found', started };
}

/** The first samples of one sampler, by run. */
async function sample(shell: Shell, targets: readonly SampleTarget[]) {
  let text = '';
  const { output } = await runIn(shell, renderSampler(targets), {}, (child) =>
    child.stdout?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (new RegExp(`^1 ${targets.length - 1} .*\n`, 'm').test(text)) process.kill(-(child.pid ?? 0), 'SIGKILL');
    }),
  );
  return output.split('\n').flatMap((row) => parseSample(row) ?? []);
}

describe.each(findShells())('in $name', (shell) => {
  test('the tree of a run without a run folder is its main process and the children', async () => {
    const folder = makeFolder('found');
    const mark = join(folder, 'pid');
    const main = begin(`setsid sh -c 'echo $$ >${mark}; exec sleep 61' & wait`);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8')).toMatch(/\n/);
    const target = targetOf(folder, main);
    const look = async (more: SampleTarget) => parseTree((await runIn(shell, renderTree(more))).output);
    const tree = await look(target);
    expect(tree?.pids.map(({ pid }) => pid).sort()).toEqual([main.pid, Number(readFileSync(mark, 'utf8'))].sort());
    expect(tree?.counters.minorFaults).toBeGreaterThan(0);
    expect((await look(targetOf(folder, { pid: 0, start: 0 })))?.pids).toEqual([]);
    expect((await look(targetOf(folder, { ...main, start: 7 })))?.pids).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['pid', 'run.log']);
    process.kill(Number(readFileSync(mark, 'utf8')), 'SIGKILL');
  });

  test('samples of runs without a run folder tell what can be seen, and none is made', async () => {
    const folder = makeFolder('found');
    const main = begin('exec sleep 61');
    const seen = targetOf(folder, main);
    const unseen = targetOf(folder, { pid: 0, start: 0 });
    const nameless = { ...unseen, path: '' };
    const samples = await sample(shell, [seen, unseen, nameless]);
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
