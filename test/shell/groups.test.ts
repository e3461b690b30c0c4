import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import type { Terminate } from '../../src/host/stop.ts';
import {
  parseLeft,
  parseRemaining,
  parseRunning,
  parseTerminate,
  renderKill,
  renderLeft,
  renderRunning,
  renderTerminate,
} from '../../src/shell/signal.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launchStarted, makeSpec } from '../support/local-launch.ts';
import { begin, lineIn, startOf } from '../support/processes.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';
import { writeUndead } from '../support/undead.ts';

const PATIENT = { timeout: 20_000, interval: 10 };

/** The process whose number a test's program left in a file. */
async function noted(path: string): Promise<Pid> {
  const pid = Number(await lineIn(path));
  return { pid, start: startOf(pid) };
}

async function running(shell: Shell, pids: readonly Pid[]): Promise<readonly Pid[]> {
  return parseRunning((await runIn(shell, renderRunning(pids))).output);
}

async function terminate(shell: Shell, order: Partial<Terminate>) {
  const folder = { path: makeFolder('run'), run: 'lab-kpro5-1' };
  const ran = await runIn(shell, renderTerminate({ folder, pids: [], spared: 0, to: 'groups', ...order }));
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  return parseTerminate(ran.output);
}

describe.each(findShells())('in $name', (shell) => {
  const ends = (pids: readonly Pid[]) => expect.poll(() => running(shell, pids), PATIENT).toEqual([]);

  test("a rank's whole group gets TERM once; in the launcher's group only who is named, and the launcher lives on", async () => {
    const folder = makeFolder('groups');
    const ledger = join(folder, 'ledger');
    writeFileSync(ledger, '');
    const worker = `sleep 61 & echo $! >${folder}/worker; trap "echo TERM >>${ledger}; exit" TERM; echo $$ >${folder}/rank; while :; do sleep 0.05; done`;
    const main = `setsid sh -c '${worker}' & sleep 62 & echo $! >${folder}/mate; sleep 63 & echo $! >${folder}/bystander; exec sleep 64`;
    const spec = makeSpec({ argv: ['/bin/sh', '-c', main] });
    const started = await launchStarted(shell, spec);
    const rank = await noted(join(folder, 'rank'));
    const worker1 = await noted(join(folder, 'worker'));
    const mate = await noted(join(folder, 'mate'));
    const bystander = await noted(join(folder, 'bystander'));
    const named = [started.main, rank, worker1, mate];
    expect(await terminate(shell, { folder: spec, pids: named, spared: started.session })).toBe('given');
    await ends(named);
    expect(readFileSync(ledger, 'utf8')).toBe('TERM\n');
    expect(await running(shell, [bystander])).toEqual([bystander]);
    expect(await exitOf(spec)).toMatchObject({ code: null, signal: 15 });
    await runIn(shell, renderKill([bystander], 'KILL'));
  });

  test('one process of a group is enough for all of it, and a pid that another process has since is not', async () => {
    const folder = makeFolder('groups');
    const rank = begin(`sleep 61 & echo $! >${folder}/worker; wait`);
    const worker = await noted(join(folder, 'worker'));
    await terminate(shell, { pids: [{ ...rank, start: rank.start - 1 }] });
    expect(await running(shell, [{ pid: rank.pid, start: 7 }, rank, worker])).toEqual([rank, worker]);
    await terminate(shell, { pids: [worker] });
    await ends([rank, worker]);
  });

  test('the first signal is given once a run folder, and each time where there is none', async () => {
    const ledger = join(makeFolder('ledger'), 'ledger');
    const one = begin(`trap 'echo TERM >>${ledger}' TERM; echo up >${ledger}; while :; do sleep 0.05; done`);
    await lineIn(ledger);
    const order = { folder: { path: makeFolder('run'), run: 'r' }, pids: [one], to: 'each' } as const;
    const answers = await Promise.all([1, 2, 3].map(() => terminate(shell, order)));
    expect(answers.sort()).toEqual(['before', 'before', 'given']);
    await expect.poll(() => readFileSync(ledger, 'utf8'), PATIENT).toBe('up\nTERM\n');
    const nowhere = { ...order, folder: { path: '/nonexistent/run', run: 'r' } };
    expect(await terminate(shell, nowhere)).toBe('given');
    await expect.poll(() => readFileSync(ledger, 'utf8'), PATIENT).toBe('up\nTERM\nTERM\n');
  });

  test("vLLM's children in the launcher's group are left to their server", async () => {
    const folder = makeFolder('vllm');
    writeFileSync(join(folder, 'VLLM::EngineCore'), '#!/bin/sh\nwhile :; do sleep 0.05; done\n', { mode: 0o755 });
    const main = `${folder}/VLLM::EngineCore & echo $! >${folder}/core; while :; do sleep 0.05; done`;
    const spec = makeSpec({ argv: ['/bin/sh', '-c', main] });
    const started = await launchStarted(shell, spec);
    const core = await noted(join(folder, 'core'));
    const comm = () => readFileSync(`/proc/${core.pid}/comm`, 'utf8');
    await expect.poll(comm, PATIENT).toBe('VLLM::EngineCor\n');
    await terminate(shell, { folder: spec, pids: [started.main, core], spared: started.session });
    await ends([started.main]);
    expect(await running(shell, [core])).toEqual([core]);
    await runIn(shell, renderKill([core], 'TERM'));
    await ends([core]);
  });

  test('a halted process takes TERM', async () => {
    const halted = begin('while :; do sleep 0.05; done');
    process.kill(halted.pid, 'SIGSTOP');
    const state = async () => parseRemaining((await runIn(shell, renderRunning([halted]))).output)[0]?.state;
    await expect.poll(state, PATIENT).toBe('T');
    await runIn(shell, renderKill([halted], 'TERM'));
    await ends([halted]);
  });

  test('two that start each other anew do not see each other die of KILL', async () => {
    // Where they outlive the test, they end with the folder.
    const folder = makeFolder('pair');
    const keeper = (own: string, other: string) =>
      `#!/bin/sh\necho $$ >${folder}/${own}.new\nmv ${folder}/${own}.new ${folder}/${own}.pid\nwhile [ -d ${folder} ]; do read -r p <${folder}/${other}.pid && kill -0 "$p" || { ${folder}/${other} & }; sleep 0.01; done\n`;
    writeFileSync(join(folder, 'b.pid'), `${process.pid}\n`);
    writeFileSync(join(folder, 'a'), keeper('a', 'b'), { mode: 0o755 });
    writeFileSync(join(folder, 'b'), keeper('b', 'a'), { mode: 0o755 });
    const one = begin(`exec ${folder}/a`);
    await noted(join(folder, 'a.pid'));
    const other = begin(`exec ${folder}/b`);
    await expect.poll(() => readFileSync(join(folder, 'b.pid'), 'utf8'), PATIENT).toBe(`${other.pid}\n`);
    await runIn(shell, renderKill([one, other], 'KILL'));
    await ends([one, other]);
    const last = ['a', 'b'].map((name) => readFileSync(join(folder, `${name}.pid`), 'utf8').trim());
    expect(last).toEqual([`${one.pid}`, `${other.pid}`]);
  });

  test.skipIf(process.arch !== 'x64')('a zombie of which a thread lives on is still there', async () => {
    const program = join(makeFolder('undead'), 'undead');
    writeUndead(program);
    const undead = begin(`exec ${program}`);
    const stat = () => readFileSync(`/proc/${undead.pid}/stat`, 'utf8');
    await expect.poll(stat, PATIENT).toContain('(undead) Z ');
    const seen = async () => parseRemaining((await runIn(shell, renderRunning([undead]))).output);
    expect(await seen()).toMatchObject([{ ...undead, state: 'Z' }]);
    await runIn(shell, renderKill([undead], 'KILL'));
    await ends([undead]);
  });

  test('what a person should know of those that are left is told', async () => {
    const one = begin('exec sleep 61');
    await expect.poll(() => readFileSync(`/proc/${one.pid}/comm`, 'utf8'), PATIENT).toBe('sleep\n');
    const { output } = await runIn(shell, renderLeft([one, { ...one, start: 7 }]));
    expect(parseLeft(output)).toEqual([
      { pid: one.pid, state: 'S', user: userInfo().username, isOurs: true, command: 'sleep 61' },
    ]);
  });
});
