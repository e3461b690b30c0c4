import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRunning, renderKill, renderRunning, renderTerminateGroups } from '../../src/shell/signal.ts';
import type { Pid } from '../../src/tools.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launchStarted, makeSpec } from '../support/local-launch.ts';
import { findShells, runIn } from '../support/shells.ts';

const PATIENT = { timeout: 20_000, interval: 10 };

/** The process whose number a test's program left in a file. */
async function noted(path: string): Promise<Pid> {
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8'), PATIENT).toMatch(/^\d+\n/);
  const pid = Number(readFileSync(path, 'utf8').split('\n')[0]);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return { pid, start: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]) };
}

describe.each(findShells())('in $name', (shell) => {
  const running = async (pids: readonly Pid[]) => parseRunning((await runIn(shell, renderRunning(pids))).output);
  const ends = (pids: readonly Pid[]) => expect.poll(() => running(pids), PATIENT).toEqual([]);

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
    const ran = await runIn(shell, renderTerminateGroups(named, started.session));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    await ends(named);
    expect(readFileSync(ledger, 'utf8')).toBe('TERM\n');
    expect(await running([bystander])).toEqual([bystander]);
    expect(await exitOf(spec)).toMatchObject({ code: null, signal: 15 });
    await runIn(shell, renderKill([bystander], 'KILL'));
  });

  test('one process of a group is enough for all of it, and a pid that another process has since is not', async () => {
    const folder = makeFolder('groups');
    const inner = `sleep 61 & echo $! >${folder}/worker; echo $$ >${folder}/rank; wait`;
    const spec = makeSpec({ argv: ['/bin/sh', '-c', `setsid sh -c '${inner}' & wait`] });
    const started = await launchStarted(shell, spec);
    const rank = await noted(join(folder, 'rank'));
    const worker = await noted(join(folder, 'worker'));
    const late = [
      { ...rank, start: rank.start - 1 },
      { pid: started.main.pid, start: 7 },
    ];
    expect((await runIn(shell, renderTerminateGroups(late, started.session))).code).toBe(0);
    expect(await running([...late, rank, worker, started.main])).toEqual([rank, worker, started.main]);
    await runIn(shell, renderTerminateGroups([worker], started.session));
    await ends([rank, worker]);
    expect(await exitOf(spec)).toMatchObject({ code: 0 });
    expect((await runIn(shell, renderTerminateGroups([], started.session))).code).toBe(0);
  });
});
