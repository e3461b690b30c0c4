import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launch, launchStarted, makeSpec } from '../support/local-launch.ts';
import { findShells } from '../support/shells.ts';

const begun: ChildProcess[] = [];

afterEach(() => {
  for (const child of begun.splice(0)) child.kill();
});

/** The names that stand in a folder, with stamps cut off. */
function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => name.replace(/\d{8}T\d{6}Z$/, 'STAMP'))
    .sort();
}

describe.each(findShells())('in $name', (shell) => {
  test('logs that the command will write itself are moved aside, and none is made in their place', async () => {
    const home = makeFolder('home');
    mkdirSync(join(home, 'logs'));
    for (const name of ['vllm "1".log', 'draft.log']) writeFileSync(join(home, 'logs', name), `old ${name}\n`);
    const aside = ['~/logs/vllm "1".log', 'logs/draft.log', join(home, 'logs', 'never.log')];
    const spec = makeSpec({ argv: ['ls', join(home, 'logs')], aside });
    const { outcome } = await launch(shell, spec, 'c1', { HOME: home });
    expect(outcome).toMatchObject({ kind: 'started', started: { movedLog: null } });
    await exitOf(spec);
    expect(namesIn(join(home, 'logs'))).toEqual(['draft.log.STAMP', 'vllm "1".log.STAMP']);
    const moved = readdirSync(join(home, 'logs')).find((name) => name.startsWith('vllm')) ?? '';
    expect(readFileSync(join(home, 'logs', moved), 'utf8')).toBe('old vllm "1".log\n');
    expect(readFileSync(join(spec.path, 'log'), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('what a started run writes is not moved by a launch that is made again', async () => {
    const target = join(makeFolder('logs'), 'vllm.log');
    writeFileSync(target, 'old\n');
    const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo own >${target}`], aside: [target] });
    const started = await launchStarted(shell, spec);
    await exitOf(spec);
    const { outcome } = await launch(shell, spec, 'c2');
    expect(outcome).toEqual({ kind: 'already', started });
    expect(readFileSync(target, 'utf8')).toBe('own\n');
  });

  test('launches at once move a log once and never that of the one which started', async () => {
    for (let round = 0; round < 8; round += 1) {
      const folder = makeFolder('logs');
      const target = join(folder, 'vllm.log');
      writeFileSync(target, 'old\n');
      const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo own >${target}`], aside: [target] });
      const outcomes = await Promise.all(['a', 'b', 'c'].map((claim) => launch(shell, spec, claim)));
      await exitOf(spec);
      expect(outcomes.map(({ outcome }) => outcome?.kind).sort()).toEqual(['already', 'already', 'started']);
      expect(namesIn(folder)).toEqual(['vllm.log', 'vllm.log.STAMP']);
      expect(readFileSync(target, 'utf8')).toBe('own\n');
    }
  });

  test('a log that another launch has moved a moment before, and made anew, refuses nothing', async () => {
    const log = join(makeFolder('logs'), 'serve.log');
    writeFileSync(log, 'old\n');
    const tools = makeFolder('mv');
    const other = `mkdir '${tools}/once' 2>/dev/null && { mv "$1" "$1.other"; : >"$1"; exit 1; }`;
    const move = `#!/bin/sh\nPATH='${shell.path}'\ncase "$1" in '${log}') ${other} ;; esac\nexec mv "$@"\n`;
    writeFileSync(join(tools, 'mv'), move, { mode: 0o755 });
    const { outcome } = await launch({ ...shell, path: `${tools}:${shell.path}` }, makeSpec({ log }));
    expect(outcome).toMatchObject({ kind: 'started', started: { movedLog: null } });
    expect(readFileSync(`${log}.other`, 'utf8')).toBe('old\n');
  });

  test('a log that somebody writes, and a path that is no file, refuse the launch and stay', async () => {
    const folder = makeFolder('logs');
    const held = join(folder, 'held.log');
    writeFileSync(held, 'theirs\n');
    const writer = spawn('sh', ['-c', `exec sleep 60 >>${held}`]);
    begun.push(writer);
    await expect.poll(() => readFileSync(`/proc/${writer.pid}/cmdline`, 'utf8')).toMatch(/^sleep/);
    const spec = makeSpec({ aside: [join(folder, 'none.log'), held] });
    const { outcome } = await launch(shell, spec);
    const reason = `Process ${writer.pid} has the log ${held} open for writing: stop that process, or give the recipe another log path.`;
    expect(outcome).toEqual({ kind: 'refused', reason });
    expect(readFileSync(held, 'utf8')).toBe('theirs\n');
    expect(existsSync(join(spec.path, 'started'))).toBe(false);
    const other = await launch(shell, makeSpec({ aside: ['/tmp'] }));
    expect(other.outcome).toMatchObject({ reason: expect.stringContaining('The log path /tmp is no regular file') });
  });
});
