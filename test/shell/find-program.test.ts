import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LaunchSpec, Outlook } from '../../src/host/launch.ts';
import { parseFind, renderFind } from '../../src/shell/find-program.ts';
import { makeFolder } from '../support/folder.ts';
import { makeSpec } from '../support/local-launch.ts';
import { asNobody, makeNobodysFolder } from '../support/plain-user.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

async function find(shell: Shell, spec: LaunchSpec, environment = {}): Promise<Outlook> {
  const ran = await runIn(shell, renderFind(spec), environment);
  const outlook = parseFind(ran.output);
  if (outlook === null) throw new Error(JSON.stringify(ran));
  return outlook;
}

/** A folder with a program, a file that is none and a folder of a program's name. */
function makeBin(): string {
  const bin = makeFolder('bin');
  for (const name of ['vllm', 'plain']) writeFileSync(join(bin, name), '#!/bin/sh\n');
  chmodSync(join(bin, 'vllm'), 0o755);
  mkdirSync(join(bin, 'serve'));
  return bin;
}

describe.each(findShells())('in $name', (shell) => {
  test('a look says what a launch would run where, and leaves nothing behind', async () => {
    const bin = makeBin();
    const spec = makeSpec({ argv: ['vllm'], environment: { PATH: `/nowhere:${bin}:/usr/bin` }, directory: '/usr' });
    expect(await find(shell, spec)).toEqual({
      program: join(bin, 'vllm'),
      path: `/nowhere:${bin}:/usr/bin`,
      directory: '/usr',
      log: join(spec.path, 'log'),
      olderLog: null,
      obstacles: [],
      warnings: [],
    });
    expect(readdirSync(dirname(spec.path))).toEqual([]);
  });

  test("without a PATH of the recipe the login's counts, and the home folder is the working directory", async () => {
    const home = makeFolder('home');
    const outlook = await find(shell, makeSpec({ argv: ['sh'], log: '~/a b.log' }), { HOME: home });
    expect(outlook).toMatchObject({ path: shell.path, directory: home, log: join(home, 'a b.log'), obstacles: [] });
    expect(outlook.program).toBe(join(shell.path.split(':')[0] ?? '', 'sh'));
  });

  test.each([
    ['a path', (bin: string) => ({ argv: [join(bin, 'vllm')] }), 'vllm'],
    ['a path from the working directory', (bin: string) => ({ argv: ['./vllm'], directory: bin }), './vllm'],
    [
      'an empty word of PATH',
      (bin: string) => ({ argv: ['vllm'], directory: bin, environment: { PATH: '/x::/y' } }),
      'vllm',
    ],
    [
      'a relative word of PATH',
      (bin: string) => ({
        argv: ['vllm'],
        directory: dirname(bin),
        environment: { PATH: bin.slice(dirname(bin).length + 1) },
      }),
      'vllm',
    ],
  ])('a program is found by %s', async (_, more, name) => {
    const bin = makeBin();
    const { program, obstacles } = await find(shell, makeSpec(more(bin)));
    expect(program).toBe(`${bin}/${name}`);
    expect(obstacles).toEqual([]);
  });

  test.each(['plain', 'serve', 'cd', 'no such "program"'])('%s is no program', async (name) => {
    const spec = makeSpec({ argv: [name], environment: { PATH: makeBin() } });
    const reason = `The program "${name}" was not found on the PATH of the SSH user: give its full path, or set it up in the recipe's prelude.`;
    expect(await find(shell, spec)).toMatchObject({ program: null, obstacles: [reason] });
    expect(await find(shell, { ...spec, prelude: 'true' })).toMatchObject({ program: null, obstacles: [] });
  });

  test('an older log, one that somebody writes and a path that is no file are told', async () => {
    const folder = makeFolder('logs');
    const [older, held] = [join(folder, 'older.log'), join(folder, 'held.log')];
    writeFileSync(older, 'old\n');
    writeFileSync(held, '');
    const writer = spawn('sh', ['-c', `echo ready; exec sleep 60 >>'${held}'`]);
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    expect(await find(shell, makeSpec({ log: older }))).toMatchObject({ olderLog: 4, obstacles: [] });
    const { obstacles } = await find(shell, makeSpec({ log: folder, aside: [held, join(folder, 'none')] }));
    writer.kill();
    expect(obstacles).toEqual([
      expect.stringContaining(`Process ${writer.pid} has the log ${held} open for writing`),
      expect.stringContaining(`The log path ${folder} is no regular file`),
    ]);
  });

  test('what the user may not do is told, all of it', async () => {
    const nobody = asNobody(shell, { hidepid: false });
    const folder = makeFolder('roots');
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'x.log'), 'old\n');
    const spec = makeSpec({ path: join(folder, 'runs/a'), directory: '/root', log: join(folder, 'new/x.log') });
    expect((await find(nobody, spec)).obstacles).toEqual([
      `The run folder can't be written (${folder}/runs/a: Permission denied): let the SSH user write there, or set another state_dir for this host.`,
      `The log ${folder}/new/x.log can't be written (Permission denied): let the SSH user write there, or give the recipe another log path.`,
      "The working directory /root can't be entered: create it, or correct the recipe.",
    ]);
    const own = makeSpec({ path: join(makeNobodysFolder('own'), 'a'), directory: '/', log: join(folder, 'x.log') });
    expect((await find(nobody, own)).obstacles).toEqual([
      expect.stringContaining(`The older log can't be moved aside (${folder}/x.log: Permission denied)`),
    ]);
    expect(await find(nobody, { ...own, log: null })).toMatchObject({ obstacles: [] });
  });
});
