import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRecall, renderRecall } from '../../src/shell/recall.ts';
import { renderRemember } from '../../src/shell/remember.ts';
import { makeFolder } from '../support/folder.ts';
import { findShells, runIn } from '../support/shells.ts';

const start = Number(readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]);
const STARTED = {
  ...{ main: { pid: process.pid, start }, session: 0, bootId: 'b-1', init: 7, at: 1234, warnings: [] },
  ...{ log: "/root/it's a log", movedLog: null, preludeShell: null },
};

describe.each(findShells())('in $name', (shell) => {
  test('what was found is read back as a launch is, however often it is written down', async () => {
    const path = join(makeFolder('runs'), 'of "$(touch x)"', 'vigil-kpro5-1a');
    const folder = { path, run: 'vigil-kpro5-1a' };
    const request = '{"request": "$HOME `touch y`"}';
    for (const words of ['{}', request]) {
      const { code, stderr } = await runIn(shell, renderRemember(folder, STARTED, words));
      expect([code, stderr]).toEqual([0, '']);
    }
    const recall = async () => parseRecall((await runIn(shell, renderRecall(folder))).output);
    expect(await recall()).toEqual({ request, started: STARTED, isAlive: true });
    expect(readdirSync(path).sort()).toEqual(['pid.found', 'request', 'started']);
    expect(statSync(join(path, 'request')).mode & 0o077).toBe(0);
    await runIn(shell, renderRemember(folder, { ...STARTED, main: { pid: process.pid, start: 1 } }, request));
    expect(await recall()).toMatchObject({ isAlive: false });
  });
});
