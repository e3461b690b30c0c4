import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FACTS, parseFacts } from '../../src/shell/facts.ts';
import { renderKill } from '../../src/shell/signal.ts';
import { parseTree, renderTree } from '../../src/shell/tree.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launchStarted, makeSpec } from '../support/local-launch.ts';
import { begin, lineIn } from '../support/processes.ts';
import { findShells, runIn } from '../support/shells.ts';

describe.each(findShells())('in $name', (shell) => {
  test('the tree holds a grandchild with a session of its own, also when its parent is gone and its environ is empty', async () => {
    const mark = join(makeFolder('mark'), 'pid');
    const inner = `setsid env -i sh -c 'echo $$ >${mark}; sleep 61'`;
    const spec = makeSpec({ argv: ['/bin/sh', '-c', `(${inner}) & sleep 60`] });
    const started = await launchStarted(shell, spec);
    await expect.poll(() => existsSync(mark) && statSync(mark).size > 0).toBe(true);
    const target = { path: spec.path, run: spec.run, started };
    const look = async () =>
      parseTree((await runIn(shell, renderTree(target))).output)?.map(({ pid, start }) => ({ pid, start })) ?? [];
    const grandchild = Number(readFileSync(mark, 'utf8'));
    const all = await look();
    expect(all.map(({ pid }) => pid)).toEqual(expect.arrayContaining([started.main.pid, grandchild]));
    expect(all.map(({ pid }) => pid)).not.toContain(started.session);
    const rest = all.filter(({ pid }) => pid !== grandchild);
    await runIn(
      shell,
      renderKill(
        rest.map(({ pid }) => ({ pid, start: 1 })),
        'KILL',
      ),
    );
    expect(await look()).toEqual(all);
    await runIn(
      shell,
      renderKill(
        rest.filter(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== 'sleep\x0061\0'),
        'KILL',
      ),
    );
    await expect.poll(async () => (await look()).map(({ pid }) => pid)).toContain(grandchild);
    expect(await exitOf(spec)).toMatchObject({ signal: 9 });
    await runIn(shell, renderKill(await look(), 'KILL'));
    await expect.poll(look).toEqual([]);
  });

  test('an orphan with a session of its own is told by its mark, also where a look at all environs at once hangs', async () => {
    const run = `lab-kpro5-${process.pid}-1`;
    const folder = makeFolder('marked');
    const orphan = (name: string) => `(setsid sh -c 'echo $$ >${folder}/${name}; exec sleep 61' &)`;
    begin(orphan('own'), { A: '1', PATH: process.env.PATH, VIGIL_RUN: run });
    begin(orphan('other'), { A: '1', PATH: process.env.PATH, VIGIL_RUN: `${run}0` });
    const [own, other] = [Number(await lineIn(join(folder, 'own'))), Number(await lineIn(join(folder, 'other')))];
    const nobody = { bootId: 'b', init: 1, movedLog: null, preludeShell: null, at: 0, warnings: [] };
    const started = { main: { pid: 0, start: 0 }, session: 0, log: '/nowhere', ...nobody };
    const look = async (path: string) => {
      const { output } = await runIn({ ...shell, path }, renderTree({ path: join(folder, 'run'), run, started }));
      return parseTree(output)?.map(({ pid }) => pid);
    };
    expect(await look(shell.path)).toEqual([own]);
    const limited = makeFolder('timeout');
    const text = '#!/bin/sh\n[ $# -le 7 ] || exit 137\nshift 3\nexec "$@"\n';
    writeFileSync(join(limited, 'timeout'), text, { mode: 0o755 });
    expect(await look(`${limited}:${shell.path}`)).toEqual([own]);
    for (const pid of [own, other]) process.kill(pid, 'SIGKILL');
  });

  test('facts are read', async () => {
    const facts = parseFacts((await runIn(shell, FACTS)).output);
    expect(facts?.bootId).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(Math.abs((facts?.now ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(facts?.hasBash).toBe(shell.name !== 'busybox');
  });
});
