import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import { parseClean, renderClean } from '../../src/shell/clean.ts';
import { makeFolder } from '../support/folder.ts';
import { begin, lineIn } from '../support/processes.ts';
import { findBareShell, findShells, runIn, type Shell } from '../support/shells.ts';

const DAY = 86_400_000;
const BOOT = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const NOBODY = { pid: 2 ** 22 - 3, start: 7 };

interface Made {
  /** Days since the exit record; null = there is none. */
  readonly ended?: number | null;
  /** Days since anything in it was written. */
  readonly written?: number;
  readonly main?: Pid;
  readonly boot?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
}

/** A run folder as the launcher leaves it. */
function makeRun(runs: string, name: string, made: Made = {}): string {
  const { ended = 40, written = 40, main = NOBODY, boot = BOOT, files = {}, links = {} } = made;
  const path = join(runs, name);
  mkdirSync(join(path, 'started'), { recursive: true });
  const record = `pid ${main.pid} ${main.start} ${main.pid}\nboot ${boot}\ninit 1\nshell -\nat 1\nlog ${path}/log\n`;
  const exit = ended === null ? {} : { exit: `0 ${Date.now() - ended * DAY}\n` };
  const all = { 'started/name': 'c1\n', 'pid.c1': record, request: '{}\n', ...exit, ...files };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(path, file), text);
  for (const [link, to] of Object.entries(links)) symlinkSync(to, join(path, link));
  const at = (Date.now() - written * DAY) / 1000;
  for (const file of [...Object.keys(all), 'started', '.']) utimesSync(join(path, file), at, at);
  return path;
}

async function clean(shell: Shell, folder: string, keep: readonly string[] = []) {
  const { output, stderr } = await runIn(shell, renderClean({ folder, days: 30, keep }));
  expect(stderr).toBe('');
  return { removed: parseClean(output), left: existsSync(folder) ? readdirSync(folder).sort() : null };
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('runs that ended longer ago are removed, others stay', async () => {
    const runs = makeFolder('runs');
    makeRun(runs, 'old', { written: 0 });
    makeRun(runs, 'recent', { ended: 20 });
    makeRun(runs, 'kept');
    makeRun(runs, 'lost', { ended: null, boot: 'another' });
    makeRun(runs, 'lost-in-this-boot', { ended: null });
    makeRun(runs, 'lost-lately', { ended: null, boot: 'another', written: 20 });
    makeRun(runs, 'strange-record', { ended: null, written: 20, files: { exit: 'what\n' } });
    expect(await clean(shell, runs, ['kept', 'other'])).toEqual({
      removed: 3,
      left: ['kept', 'lost-lately', 'recent', 'strange-record'],
    });
    expect(await clean(shell, runs, ['kept'])).toMatchObject({ removed: 0 });
  });

  test('whoever lives keeps the folder: main process, launcher, a process of the tree, one that has a file in it open', async () => {
    const runs = makeFolder('runs');
    const alive = begin('exec sleep 61');
    const pair = `${alive.pid}:${alive.start}`;
    makeRun(runs, 'main', { main: alive });
    makeRun(runs, 'launcher', { files: { 'launcher.c1': `${alive.pid} ${alive.start}\n` } });
    makeRun(runs, 'tree', { ended: null, files: { tree: `5:5 ${pair}\n` } });
    const open = makeRun(runs, 'open');
    const mark = join(makeFolder('mark'), 'pid');
    begin(`exec >>${open}/log; echo $$ >${mark}; exec sleep 61`);
    await lineIn(mark);
    makeRun(runs, 'reused', { main: { ...alive, start: alive.start + 1 } });
    expect(await clean(shell, runs)).toEqual({ removed: 1, left: ['launcher', 'main', 'open', 'tree'] });
  });

  test('links are not followed, what is no run folder stays, and half a removal is finished', async () => {
    const [runs, elsewhere] = [makeFolder('runs'), makeFolder('elsewhere')];
    const own = join(elsewhere, 'run.log');
    writeFileSync(own, 'Epoch 1\n');
    writeFileSync(`${own}.20260101T000000Z`, 'Epoch 0\n');
    makeRun(elsewhere, 'another');
    makeRun(runs, 'linked-log', {
      files: { moved: `${own}.20260101T000000Z\n` },
      links: { log: own, more: elsewhere },
    });
    symlinkSync(join(elsewhere, 'another'), join(runs, 'link'));
    mkdirSync(join(runs, 'mine'));
    writeFileSync(join(runs, 'mine', 'exit'), '0 1000\n');
    writeFileSync(join(runs, 'notes'), 'mine\n');
    mkdirSync(join(runs, '.gone.half'));
    expect(await clean(shell, runs)).toEqual({ removed: 1, left: ['link', 'mine', 'notes'] });
    expect(readdirSync(elsewhere).sort()).toEqual(['another', 'run.log', 'run.log.20260101T000000Z']);
    expect(readFileSync(own, 'utf8')).toBe('Epoch 1\n');
    expect(existsSync(join(elsewhere, 'another', 'started', 'name'))).toBe(true);
  });

  test('a run that was stopped before it started goes too; where there is no folder there is nothing to do', async () => {
    const runs = makeFolder('runs');
    const at = (Date.now() - 40 * DAY) / 1000;
    for (const name of ["it's; $(void) *", 'halted']) {
      mkdirSync(join(runs, name, name === 'halted' ? 'halt' : 'void.c1'), { recursive: true });
      for (const path of [...readdirSync(join(runs, name)), '.']) utimesSync(join(runs, name, path), at, at);
    }
    expect(await clean(shell, runs)).toEqual({ removed: 2, left: [] });
    expect(await clean(shell, join(runs, 'nowhere'))).toEqual({ removed: 0, left: null });
  });
});
