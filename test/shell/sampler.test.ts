import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import type { SampleTarget } from '../../src/host/sample.ts';
import { FIND_NEWCOMERS } from '../../src/shell/newcomers.ts';
import type { SampleLine } from '../../src/shell/sample.ts';
import { SCAN } from '../../src/shell/scan.ts';
import { makeFolder } from '../support/folder.ts';
import { begin, lineIn, startOf, usedBy } from '../support/processes.ts';
import { sampleUntil } from '../support/sampling.ts';
import { findBareShell, findShells, runIn } from '../support/shells.ts';

function targetOf(folder: string, main: Pid, run: string): SampleTarget {
  const path = join(folder, 'runs', run);
  mkdirSync(path, { recursive: true });
  const log = join(folder, 'run.log');
  const about = { bootId: 'b', init: 1, log, movedLog: null, preludeShell: null, at: 0, warnings: [] };
  return { path, run, started: { main, session: 0, ...about } };
}

const treesOf = (samples: readonly SampleLine[], index = 0) =>
  samples
    .filter((row) => row.index === index && row.sample.tree !== null)
    .map(({ sample }) => (sample.tree ?? []).map(({ pid }) => pid).sort());

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('between two looks at all processes a newcomer joins the tree: a child with a session of its own, a marked orphan', async () => {
    const run = `lab-kpro5-${process.pid}-`;
    const folder = makeFolder('newcomers');
    const file = (name: string) => join(folder, name);
    const child = `setsid env -i PATH="$PATH" sh -c 'echo $$ >${file('child')}; exec sleep 61' &`;
    const orphan = `(setsid sh -c 'echo $$ >${file('orphan')}; exec sleep 61' &);`;
    const wait = `until [ -e ${file('go')} ]; do sleep 0.05; done;`;
    const marked = { ...process.env, VIGIL_RUN: `${run}1` };
    const main = begin(`echo $$ >${file('main')}; ${wait} ${child} ${orphan} echo both >${file('made')}; wait`, marked);
    await lineIn(file('main'));
    const quiet = begin('exec sleep 61');
    const targets = [targetOf(folder, main, `${run}1`), targetOf(folder, quiet, `${run}2`)];
    const samples = await sampleUntil(shell, targets, (all) => {
      if (all.length >= 2 && !existsSync(file('go'))) writeFileSync(file('go'), '');
      const now = treesOf(all).at(-1) ?? [];
      return ['child', 'orphan'].every(
        (name) => existsSync(file(name)) && now.includes(Number(readFileSync(file(name), 'utf8'))),
      );
    });
    const [joined, orphaned] = [Number(await lineIn(file('child'))), Number(await lineIn(file('orphan')))];
    expect(treesOf(samples)[0]).not.toContain(joined);
    expect(treesOf(samples).at(-1)).toEqual(expect.arrayContaining([main.pid, joined, orphaned]));
    expect(treesOf(samples, 1).at(-1)).toEqual([quiet.pid]);
    for (const pid of [joined, orphaned]) process.kill(pid, 'SIGKILL');
    const after = await sampleUntil(shell, targets, (all) => treesOf(all).length > 0);
    expect(treesOf(after)[0]).not.toContain(joined);
    expect(readFileSync(join(targets[0]?.path ?? '', 'tree'), 'utf8')).not.toContain(String(orphaned));
  });

  test('each process is told with what it has used, and with the CPU of its children that have ended', async () => {
    const folder = makeFolder('used');
    const file = (name: string) => join(folder, name);
    const work = `(n=0; while [ $n -lt 300000 ]; do n=$((n + 1)); done); head -c 300000 /dev/zero >${file('data')}; echo $$ >${file('child')}`;
    const main = begin(`sh -c '${work}; exec sleep 61' & wait`);
    const child = Number(await lineIn(file('child')));
    const [sample] = await sampleUntil(shell, [targetOf(folder, main, `used-${process.pid}`)], (all) => all.length > 0);
    const used = (pid: number) => sample?.sample.tree?.find((process) => process.pid === pid);
    expect(used(child)).toEqual({ pid: child, start: startOf(child), ...usedBy(child) });
    expect(used(main.pid)).toEqual({ ...main, ...usedBy(main.pid) });
    expect(used(child)?.cpuTicks).toBeGreaterThan(used(main.pid)?.cpuTicks ?? Number.POSITIVE_INFINITY);
  });

  test('pids are given in a circle', async () => {
    const ask = (from: number, latest: number, pids: readonly number[]) =>
      `vigil_from=${from} vigil_latest=${latest}; for vigil_p in ${pids.join(' ')}; do vigil_is_new $vigil_p && printf '%s ' $vigil_p; done; echo`;
    const text = [
      SCAN,
      FIND_NEWCOMERS,
      ask(100, 110, [99, 100, 101, 110, 111, 4000]),
      ask(32_000, 310, [32_000, 32_001, 32_767, 300, 310, 311, 900]),
    ].join('\n');
    const { output } = await runIn(shell, { name: 'circle', text, input: '' });
    expect(output).toBe('101 110 \n32001 32767 300 310 \n');
  });
});
