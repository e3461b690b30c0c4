import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import { parseStacks, renderStacks } from '../../src/shell/stacks.ts';
import { makeFolder } from '../support/folder.ts';
import { begin } from '../support/processes.ts';
import { writeProgram } from '../support/program.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

/** As py-spy 0.4 prints it. */
const DUMP = `Process 4242: python train.py --key hf_secretsecretsecret
Python v3.12.3 (/opt/venv/bin/python3.12)

Thread 4242 (idle): "MainThread"
    sleep (train.py:30)
    main (train.py:52)
Thread 4243 (active): "pin memory"
    run (threading.py:982)`;
const said = (text: string) => `cat <<'END'\n${text}\nEND`;

async function dump(shell: Shell, pids: readonly Pid[]) {
  const dumps = parseStacks((await runIn(shell, renderStacks(pids))).output);
  if (dumps === null) throw new Error('no whole answer');
  return dumps;
}

function withSpy(shell: Shell, text: string): Shell {
  const folder = makeFolder('spy');
  writeProgram(folder, 'py-spy', text);
  return { ...shell, path: `${folder}:${shell.path}` };
}

describe.each(findShells())('in $name', (shell) => {
  test('py-spy is asked without stopping the process, and tells threads without the command line', async () => {
    const main = begin('exec sleep 61');
    const folder = makeFolder('asked');
    const [first] = await dump(withSpy(shell, `echo "$*" >${folder}/asked; ${said(DUMP)}`), [main]);
    expect(first).toEqual({ ...main, by: 'py-spy', text: DUMP.slice(DUMP.indexOf('Thread')) });
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(`dump --nonblocking --pid ${main.pid}\n`);
  });

  test.each([['cp'], ['ln', '-s']])('py-spy is found beside the Python that a process runs (%s)', async (...place) => {
    const prefix = makeFolder('python');
    mkdirSync(join(prefix, 'bin'));
    const [command = '', ...words] = place;
    execFileSync(command, [...words, '/usr/bin/dash', join(prefix, 'bin/python3')]);
    writeProgram(join(prefix, 'bin'), 'py-spy', said(DUMP));
    const main = begin(`exec ${prefix}/bin/python3 -c 'read -r x' <>${makeFifo()}`);
    await expect.poll(() => readFileSync(`/proc/${main.pid}/comm`, 'utf8')).toBe('python3\n');
    expect(await dump(shell, [main])).toMatchObject([{ pid: main.pid, by: 'py-spy' }]);
  });

  test.each([
    ['may not', 'echo "Error: Permission Denied: Try running again with elevated permissions" >&2; exit 1'],
    ['says nothing of a thread', 'echo odd'],
    ['breaks off', `${said(DUMP)}\nexit 1`],
  ])('where py-spy %s the kernel is asked', async (_, text) => {
    const main = begin('exec sleep 61');
    await expect.poll(() => readFileSync(`/proc/${main.pid}/comm`, 'utf8')).toBe('sleep\n');
    const [first] = await dump(withSpy(shell, text), [main]);
    expect(first).toMatchObject({ ...main, by: 'proc' });
    expect(first?.text).toMatch(/^state S \w*\nthreads by state:\n *1 S/);
  });

  test('a py-spy that hangs is ended, and the kernel is asked', async () => {
    const main = begin('exec sleep 61');
    const hasty = { ...renderStacks([main]) };
    const script = { ...hasty, text: hasty.text.replaceAll('vigil_left=5', 'vigil_left=1') };
    expect(script.text).not.toBe(hasty.text);
    const { output } = await runIn(withSpy(shell, 'exec sleep 61'), script);
    expect(parseStacks(output)).toMatchObject([{ pid: main.pid, by: 'proc' }]);
  });

  test('a stack is cut, and a process that is gone or another one has none', async () => {
    const [main, other] = [begin('exec sleep 61'), begin('exec sleep 61')];
    const long = withSpy(shell, `echo 'Thread 1 (idle)'; head -c 20000 /dev/zero | tr '\\000' x`);
    const dumps = await dump(long, [main, { ...main, start: 1 }, { pid: 2 ** 22 - 3, start: 1 }, other]);
    expect(dumps.map(({ pid }) => pid)).toEqual([main.pid, other.pid]);
    expect(dumps[0]?.text).toHaveLength(4096);
  });
});

function makeFifo(): string {
  const path = join(makeFolder('fifo'), 'fifo');
  execFileSync('mkfifo', [path]);
  return path;
}

test('an answer that is cut off is no answer', () => {
  expect(parseStacks('1\x002\0py-spy\0Thread')).toBeNull();
  expect(parseStacks('whole\0')).toEqual([]);
});
