import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseFamily, renderFamily } from '../../src/shell/family.ts';
import { makeFolder } from '../support/folder.ts';
import { killGroup } from '../support/processes.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

const PATIENCE = { timeout: 50_000, interval: 50 };
const begun: ChildProcess[] = [];

afterEach(() => {
  for (const child of begun.splice(0)) killGroup(child);
});

/** A shell in a process group of its own. */
function begin(text: string, environment: Record<string, string> = {}, ...words: string[]): number {
  const child = spawn('bash', ['-c', text, ...words], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', ...environment },
  });
  begun.push(child);
  return child.pid ?? 0;
}

function startOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]);
}

async function look(shell: Shell, roots: readonly { pid: number; start: number | null }[]) {
  const family = parseFamily((await runIn(shell, renderFamily(roots))).output);
  if (family === null) throw new Error('no whole answer');
  return family;
}

describe.each(findShells())('in $name', (shell) => {
  test('a process is told with its words, its owner, its start and its run, and its descendants behind it', async () => {
    const mark = join(makeFolder('family'), 'pid');
    const words = ['a b', '', 'two\nlines', '{"x": "$(touch z)"}', 'é*'];
    const pid = begin(
      'setsid sh -c \'echo $$ >"$MARK"; exec sleep 61\' & wait; true',
      { MARK: mark, VIGIL_RUN: 'other-kpro5-1a' },
      ...words,
    );
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8'), PATIENCE).toMatch(/\n/);
    const child = Number(readFileSync(mark, 'utf8'));
    await expect.poll(() => readFileSync(`/proc/${child}/comm`, 'utf8'), PATIENCE).toBe('sleep\n');
    const { processes, hasSelf } = await look(shell, [{ pid, start: null }]);
    expect(hasSelf).toBe(false);
    expect(processes.map((one) => [one.pid, one.parent])).toEqual([
      [pid, process.pid],
      [child, pid],
    ]);
    expect(processes[0]).toMatchObject({ group: pid, name: 'bash', user: 'root', run: 'other-kpro5-1a' });
    expect(processes[0]?.start).toBe(startOf(pid));
    expect(processes[0]?.argv.slice(3)).toEqual(words);
    expect(processes[1]?.argv).toEqual(['sleep', '61']);
    expect(Math.abs((processes[0]?.since ?? 0) - Date.now())).toBeLessThan(30_000);
  });

  test('a pid that another process has now, or nobody, is left out', async () => {
    const pid = begin('sleep 61; true');
    expect((await look(shell, [{ pid, start: 7 }])).processes).toEqual([]);
    expect((await look(shell, [{ pid: 4_194_305, start: null }])).processes).toEqual([]);
    expect((await look(shell, [])).processes).toEqual([]);
    const both = await look(shell, [
      { pid, start: startOf(pid) },
      { pid, start: null },
    ]);
    expect(both.processes.filter((one) => one.pid === pid)).toHaveLength(1);
  });

  test('whatever a program calls itself, it is told as it is, and nobody else with it', async () => {
    const named = begin(`printf 'a) (S 1 b' >/proc/$$/comm; sleep 61; true`);
    await expect.poll(() => readFileSync(`/proc/${named}/comm`, 'utf8'), PATIENCE).toBe('a) (S 1 b\n');
    expect((await look(shell, [{ pid: named, start: null }])).processes[0]).toMatchObject({
      ...{ pid: named, name: 'a) (S 1 b', parent: process.pid },
    });
    const folder = makeFolder('forged');
    const forge = `name="$DIR/$(printf '\\n1 (x')"; ln -s "$(command -v sleep)" "$name"; "$name" 61; true`;
    const forger = begin(forge, { DIR: folder });
    const child = () => `/proc/${readFileSync(`/proc/${forger}/task/${forger}/children`, 'utf8').trim()}/comm`;
    await expect.poll(() => existsSync(child()) && readFileSync(child(), 'utf8'), PATIENCE).toBe('\n1 (x\n');
    const { processes } = await look(shell, [{ pid: forger, start: null }]);
    expect(processes.map(({ pid }) => pid)).not.toContain(1);
  });

  test('who asks is told when the connection itself is among them', async () => {
    expect((await look(shell, [{ pid: process.pid, start: null }])).hasSelf).toBe(true);
  });
});

test('an answer that is cut off is none', () => {
  expect(parseFamily('12\x0034\x00')).toBeNull();
  expect(parseFamily('')).toBeNull();
});
