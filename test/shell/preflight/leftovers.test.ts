import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LEFTOVERS, parseLeftovers } from '../../../src/shell/preflight/leftovers.ts';
import { makeFolder } from '../../support/folder.ts';
import { begin, lineIn } from '../../support/processes.ts';
import { writeProgram } from '../../support/program.ts';
import { findShells, runIn, type Shell } from '../../support/shells.ts';

async function find(shell: Shell) {
  const ran = await runIn(shell, LEFTOVERS);
  const found = parseLeftovers(ran.output);
  if (found === null) throw new Error(JSON.stringify(ran));
  return found;
}

/** Starts a process of that name, whose parent has ended when this resolves (or lives on, with `kept`); its pid. */
async function start(
  name: string,
  {
    kept = false,
    environment = {},
    session = false,
  }: { kept?: boolean; environment?: Record<string, string>; session?: boolean } = {},
): Promise<number> {
  const folder = makeFolder('process');
  const program = writeProgram(folder, name, `echo $$ >"${folder}/pid"\nread -r _ <"${folder}/never"`);
  const own = `${session ? 'setsid ' : ''}"${program}"`;
  begin(`mkfifo "${folder}/never"; ${own} & ${kept ? 'wait' : 'exit 0'}`, { PATH: process.env.PATH, ...environment });
  const pid = Number(await lineIn(join(folder, 'pid')));
  started.push(pid);
  return pid;
}

/** Those with a session of their own are in no group that ends with the test. */
const started: number[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) process.kill(pid, 'SIGKILL');
});

describe.each(findShells())('in $name', (shell) => {
  test('workers and engine cores without a parent are told, and nobody else', async () => {
    const worker = await start('VLLM::Worker_TP0', { environment: { VIGIL_RUN: 'lab-kpro5-1a' } });
    const core = await start('VLLM::EngineCore');
    const others = [
      await start('VLLM::Worker_TP1', { kept: true }),
      await start('VLLM::APIServer'),
      await start('vllm'),
      await start('python3'),
    ];
    const found = await find(shell);
    expect(found.find(({ pid }) => pid === worker)).toEqual({
      pid: worker,
      command: expect.stringMatching(/VLLM::Worker_TP0$/),
      user: userInfo().username,
      since: expect.any(Number),
      run: 'lab-kpro5-1a',
    });
    expect(Math.abs((found.find(({ pid }) => pid === core)?.since ?? 0) - Date.now())).toBeLessThan(120_000);
    expect(found.filter(({ pid }) => others.includes(pid))).toEqual([]);
  });

  test('a rank that torchrun started is told when torchrun is gone', async () => {
    const environment = { TORCHELASTIC_RUN_ID: 'none' };
    const rank = await start('python3.12', { environment, session: true });
    const kept = await start('python3.12', { environment, session: true, kept: true });
    const helper = await start('python3.12', { environment });
    const pids = (await find(shell)).map(({ pid }) => pid);
    expect([rank, kept, helper].map((pid) => pids.includes(pid))).toEqual([true, false, false]);
  });

  test('the children of process 1 are none where that is a server itself', async () => {
    const worker = await start('VLLM::Worker_TP0');
    const contained = { ...LEFTOVERS, text: LEFTOVERS.text.replace('vigil_words_of 1\n', 'vigil_words=vllm-serve\n') };
    const ran = await runIn(shell, contained);
    expect(parseLeftovers(ran.output)?.map(({ pid }) => pid)).not.toContain(worker);
  });
});

test('an answer that was cut off is none', () => {
  expect(parseLeftovers('left 5 - - - VLLM::Worker\0')).toBeNull();
});
