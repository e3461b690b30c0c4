import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSweep, renderSweep } from '../../src/shell/sweep.ts';
import { makeFolder } from '../support/folder.ts';
import { begin } from '../support/processes.ts';
import { findShells, runIn } from '../support/shells.ts';

const PATIENT = { timeout: 20_000, interval: 10 };

/** Each process lives for a moment and starts the next, until `halt` is there. */
function startHops(run: string) {
  const folder = makeFolder('hop');
  const hop = join(folder, 'hop');
  writeFileSync(hop, `#!/bin/sh\necho >>${folder}/hops\nsleep 0.02\n[ -e ${folder}/halt ] || ${hop} &\n`, {
    mode: 0o755,
  });
  begin(hop, { ...process.env, VIGIL_RUN: run });
  const hops = (): number => (existsSync(join(folder, 'hops')) ? readFileSync(join(folder, 'hops')).length : 0);
  return { hops, halt: () => writeFileSync(join(folder, 'halt'), '') };
}

describe.each(findShells())('in $name', (shell) => {
  const sweep = async (run: string) => {
    const main = { pid: 1, start: 1 };
    const started = { main, session: 1, bootId: '', init: 1, log: '', movedLog: null, preludeShell: null, at: 1 };
    const target = { path: '/nonexistent', run, started: { ...started, warnings: [] } };
    return parseSweep((await runIn(shell, renderSweep(target))).output);
  };

  test('who lives for a moment and starts the next is ended, and nobody of another run', async () => {
    const ours = startHops('lab-kpro5-1');
    const other = startHops('lab-kpro5-12');
    await expect.poll(ours.hops, PATIENT).toBeGreaterThan(3);
    // On a busy machine one may be born between two looks of a sweep: a stop sweeps again while there is something to end.
    await expect.poll(async () => (await sweep('lab-kpro5-1'))?.pids.length, PATIENT).toBeGreaterThan(0);
    await expect.poll(() => sweep('lab-kpro5-1'), PATIENT).toEqual({ pids: [], isQuiet: true });
    const [ended, lives] = [ours.hops(), other.hops()];
    await expect.poll(other.hops, PATIENT).toBeGreaterThan(lives + 5);
    expect(ours.hops()).toBe(ended);
    other.halt();
  });

  test('where nobody comes up there is nothing to tell', async () => {
    expect(await sweep('lab-kpro5-1')).toEqual({ pids: [], isQuiet: true });
  });
});

test('an answer that was cut off is none', () => {
  expect(parseSweep('swept 7 8 busy\n')).toEqual({ pids: [7, 8], isQuiet: false });
  expect(parseSweep('swept 7')).toBeNull();
});
