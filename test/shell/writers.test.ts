import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseWriters, renderWriters } from '../../src/shell/writers.ts';
import { makeFolder } from '../support/folder.ts';
import { killGroup } from '../support/processes.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

const NAME = "run 'a' $(touch x)\n.log";
const begun: ChildProcess[] = [];

afterEach(() => {
  for (const child of begun.splice(0)) killGroup(child);
});

/** Bash as a person starts it, in a process group of its own, with $LOG as its log. */
function begin(text: string, log: string, environment: Record<string, string> = {}): number {
  const child = spawn('bash', ['-c', text], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', LOG: log, ...environment },
  });
  begun.push(child);
  return child.pid ?? 0;
}

async function look(shell: Shell, path: string) {
  return parseWriters((await runIn(shell, renderWriters(path))).output);
}

async function settle(shell: Shell, path: string, names: readonly string[]) {
  const found = async () => (await look(shell, path)).map(({ name }) => name);
  await expect.poll(found, { timeout: 20_000, interval: 50 }).toEqual(names);
  return look(shell, path);
}

describe.each(findShells())('in $name', (shell) => {
  test('who redirects into a file is its writer, with owner, start, command and run', async () => {
    const log = join(makeFolder('writers'), NAME);
    const pid = begin('exec sleep 60 >"$LOG"', log, { VIGIL_RUN: 'other-kpro5-1a' });
    const [writer, ...rest] = await settle(shell, log, ['sleep']);
    expect(rest).toEqual([]);
    expect(writer).toMatchObject({
      pid,
      parent: process.pid,
      group: pid,
      by: 'open',
      command: 'sleep 60',
      user: 'root',
      run: 'other-kpro5-1a',
    });
    expect(writer?.start).toBe(Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]));
    expect(Math.abs((writer?.since ?? 0) - Date.now())).toBeLessThan(30_000);
  });

  test('a pipeline that ends in tee is told by its process group, and nobody beside it', async () => {
    const log = join(makeFolder('writers'), NAME);
    begin('exec sleep 60', log);
    const pid = begin('sh -c "sleep 60; exit 3" 2>&1 | tee -a "$LOG"; true', log);
    const writers = await settle(shell, log, ['tee', 'bash', 'sh', 'sleep']);
    expect(writers.map(({ by, group }) => [by, group])).toEqual([
      ['open', pid],
      ['group', pid],
      ['group', pid],
      ['group', pid],
    ]);
    expect(writers.find(({ name }) => name === 'bash')).toMatchObject({ pid, run: null });
  });

  test('who only reads a file is no writer', async () => {
    const log = join(makeFolder('writers'), NAME);
    writeFileSync(log, 'x\n');
    const mark = `${log}.read`;
    begin('exec 3<"$LOG"; exec tail -n +1 -f "$LOG" >"$LOG.read"', log);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8')).toBe('x\n');
    expect(await look(shell, log)).toEqual([]);
  });

  test('a file that is gone has no writer, nor has one that took its place', async () => {
    const log = join(makeFolder('writers'), NAME);
    begin('exec sleep 60 >"$LOG"', log);
    await settle(shell, log, ['sleep']);
    writeFileSync(`${log}.new`, 'x');
    expect(await look(shell, `${log}.new`)).toEqual([]);
    expect(await look(shell, `${log}.gone`)).toEqual([]);
  });

  test('a program is named whatever it calls itself', async () => {
    const log = join(makeFolder('writers'), NAME);
    begin(
      "exec python3 -c \"import time; open('/proc/self/comm', 'w').write('a) (S 1 b'); time.sleep(60)\" >\"$LOG\"",
      log,
    );
    const [writer] = await settle(shell, log, ['a) (S 1 b']);
    expect(writer).toMatchObject({ parent: process.pid, by: 'open' });
  });
});
