import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseLaunch, renderLaunch, renderVoid } from '../../src/shell/launch.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launch, launchStarted, logOf, makeSpec, readSome } from '../support/local-launch.ts';
import { killGroup } from '../support/processes.ts';
import { findShells, runIn } from '../support/shells.ts';

describe.each(findShells())('in $name', (shell) => {
  test('a second launch starts nothing, nor does a launch after a stop', async () => {
    const ledger = join(makeFolder('ledger'), 'ledger');
    const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo start >>${ledger}`] });
    const first = await launchStarted(shell, spec);
    const { outcome } = await launch(shell, spec, 'c2');
    expect(outcome).toEqual({ kind: 'already', started: first });
    await exitOf(spec);
    expect(readFileSync(ledger, 'utf8')).toBe('start\n');
    const stopped = makeSpec({ argv: spec.argv });
    expect((await runIn(shell, renderVoid(stopped))).output).toBe('void\n');
    expect((await launch(shell, stopped)).outcome).toEqual({ kind: 'void' });
    expect(readFileSync(ledger, 'utf8')).toBe('start\n');
  });

  test('launches at once are one start', async () => {
    const ledger = join(makeFolder('ledger'), 'ledger');
    const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo start >>${ledger}`] });
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((claim) => launch(shell, spec, claim)));
    await exitOf(spec);
    expect(readFileSync(ledger, 'utf8')).toBe('start\n');
    expect(outcomes.map(({ outcome }) => outcome?.kind).sort()).toEqual(['already', 'already', 'already', 'started']);
  });

  test('a stop and a launch at once agree on whether the run started', async () => {
    const ledger = join(makeFolder('ledger'), 'ledger');
    writeFileSync(ledger, '');
    let starts = 0;
    for (let round = 0; round < 8; round += 1) {
      const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo start >>${ledger}`] });
      const launching = launch(shell, spec);
      await readSome(spec.path, round);
      const stopped = parseLaunch((await runIn(shell, renderVoid(spec))).output);
      const { outcome } = await launching;
      const hasStarted = existsSync(join(spec.path, 'started'));
      if (hasStarted) await exitOf(spec);
      if (hasStarted) starts += 1;
      expect(stopped?.kind).toBe(hasStarted ? 'already' : 'void');
      expect(outcome?.kind).toBe(hasStarted ? 'started' : 'void');
    }
    expect(readFileSync(ledger, 'utf8')).toBe('start\n'.repeat(starts));
  });

  test('launches that are killed at any moment and made again are one start', async () => {
    for (let round = 1; round <= 8; round += 1) {
      const ledger = join(makeFolder('ledger'), 'ledger');
      const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo start >>${ledger}; exec sleep 60`] });
      await runIn(shell, renderLaunch(spec, 'cut'), {}, (child) =>
        readSome(spec.path, round).then(() => killGroup(child)),
      );
      const { ran, outcome } = await launch(shell, spec, 'again');
      if (outcome?.kind !== 'started' && outcome?.kind !== 'already') throw new Error(JSON.stringify([ran, outcome]));
      // The file is there a moment before its line: a kill in between would leave it empty.
      await expect
        .poll(() => existsSync(ledger) && readFileSync(ledger, 'utf8'), { timeout: 20_000, interval: 10 })
        .toBeTruthy();
      process.kill(outcome.started.main.pid, 'SIGKILL');
      await exitOf(spec);
      expect(readFileSync(ledger, 'utf8')).toBe('start\n');
    }
  });

  test('an older log is moved aside, unless somebody writes it', async () => {
    const log = join(makeFolder('log'), 'serve.log');
    writeFileSync(log, 'old\n');
    const spec = makeSpec({ argv: ['echo', 'new'], log });
    const started = await launchStarted(shell, spec);
    await exitOf(spec);
    expect(readFileSync(log, 'utf8')).toBe('new\n');
    expect(started.movedLog).toMatch(/serve\.log\.\d{8}T\d{6}Z$/);
    expect(readFileSync(started.movedLog ?? '', 'utf8')).toBe('old\n');
    expect(logOf(spec)).toBe('new\n');
    const writer = spawn('sh', ['-c', `exec sleep 60 >>${log}`]);
    await expect.poll(() => readFileSync(`/proc/${writer.pid}/cmdline`, 'utf8')).toMatch(/^sleep/);
    const { outcome } = await launch(shell, makeSpec({ argv: ['echo', 'new'], log }));
    writer.kill();
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(`Process ${writer.pid} has the log ${log} open`),
    });
  });

  test.each([
    ['the directory', { directory: '/nowhere' }, "The working directory /nowhere can't be entered"],
    ['the program', { argv: ['no-such-program'] }, 'The program "no-such-program" was not found'],
    ['a program by its path', { argv: ['/opt/no/vllm'] }, 'The program /opt/no/vllm is not there'],
    ["a command of the shell's own", { argv: ['cd', '/'] }, 'The program "cd" was not found'],
    ['the log', { log: '/nowhere/serve.log' }, "The log /nowhere/serve.log can't be written"],
    ['the log as a folder', { log: '/tmp' }, 'The log path /tmp is no regular file'],
    ['the run folder', { path: '/proc/nowhere/run' }, "The run folder can't be written"],
  ])('a refusal names what is wrong: %s', async (_, more, reason) => {
    const { outcome } = await launch(shell, makeSpec(more));
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  test('a file system that moves no folders refuses the launch in words', async () => {
    const folder = makeFolder('mv');
    const failing = `case "$*" in */started) echo 'mv: Function not implemented' >&2; exit 1 ;; esac`;
    const text = `#!/bin/sh\n${failing}\nPATH='${shell.path}' exec /usr/bin/env mv "$@"\n`;
    writeFileSync(join(folder, 'mv'), text, { mode: 0o755 });
    const spec = makeSpec();
    const { outcome } = await launch({ ...shell, path: `${folder}:${shell.path}` }, spec);
    expect(outcome).toEqual({
      kind: 'refused',
      reason:
        "The claim in the run folder can't be renamed (mv: Function not implemented), which launching once rests on: set state_dir to a local folder of the SSH user.",
    });
    expect(existsSync(join(spec.path, 'started'))).toBe(false);
  });

  test('cut-off data starts nothing', async () => {
    const spec = makeSpec();
    const whole = renderLaunch(spec, 'c1');
    const ran = await runIn(shell, { ...whole, input: whole.input.slice(0, -5) });
    expect(ran.code).toBe(74);
    expect(existsSync(join(spec.path, 'started'))).toBe(false);
  }, 20_000);
});
