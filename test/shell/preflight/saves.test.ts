import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSaves, renderSaves } from '../../../src/shell/preflight/saves.ts';
import { makeFolder } from '../../support/folder.ts';
import { asNobody } from '../../support/plain-user.ts';
import { findBareShell, findShells, runIn, type Shell } from '../../support/shells.ts';

async function looks(shell: Shell, paths: readonly string[], directory: string | null = null) {
  const ran = await runIn(shell, renderSaves(paths, directory));
  const found = parseSaves(ran.output, paths);
  if (found === null) throw new Error(JSON.stringify(ran));
  return paths.map((path) => found.get(path));
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('the checkpoints of a save path are told by names, bytes and age', async () => {
    const save = makeFolder('save');
    for (const name of ['0', '12', 'interrupted', 'epoch_1_step_500', 'epoch_x_step_1', 'logs', '3a'])
      mkdirSync(join(save, name));
    symlinkSync('12', join(save, '13'));
    writeFileSync(join(save, '14'), '');
    mkdirSync(join(save, '12/rank 0'));
    const old = Date.now() / 1000 - 7200;
    for (const [name, bytes] of [
      ['config.json', 20],
      ['rank 0/optimizer.pt', 300],
    ] as const) {
      writeFileSync(join(save, '12', name), 'x'.repeat(bytes));
      utimesSync(join(save, '12', name), old, old);
    }
    const [found] = await looks(shell, ['.'], save);
    expect(found).toMatchObject({ kind: 'folder', isWritable: true });
    if (found?.kind !== 'folder') return;
    expect(found.checkpoints.map(({ name, names, bytes }) => [name, names, bytes])).toEqual([
      ['0', [], 0],
      ['12', ['config.json', 'rank 0/optimizer.pt'], 320],
      ['epoch_1_step_500', [], 0],
      ['interrupted', [], 0],
    ]);
    expect(Math.abs((found.checkpoints[1]?.age ?? 0) - 7200)).toBeLessThan(300);
    expect(found.checkpoints[0]?.age).toBeLessThan(300);
  });

  test('a path that is none, or a file, is told as such', async () => {
    const folder = makeFolder('none');
    writeFileSync(join(folder, 'file'), '');
    expect(await looks(shell, ['none', 'file'], folder)).toEqual([{ kind: 'missing' }, { kind: 'file' }]);
  });
});

test('a save path that the user may not write is told', async () => {
  const [shell] = findShells();
  if (shell === undefined) throw new Error('no shell');
  const folder = makeFolder('roots');
  chmodSync(folder, 0o755);
  expect(await looks(asNobody(shell, { hidepid: false }), [folder])).toMatchObject([{ isWritable: false }]);
});
