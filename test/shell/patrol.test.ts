import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KnownFile } from '../../src/host/log.ts';
import { parsePatrol, renderPatrol } from '../../src/shell/patrol.ts';
import { makeFolder } from '../support/folder.ts';
import { findBareShell, findShells, runIn, type Shell } from '../support/shells.ts';

const ODD = [
  'a b.log',
  "it's.log",
  '"q".log',
  'two\nlines.log',
  '$(touch x).log',
  '`touch y`.log',
  '-n.log',
  'é.log',
  'a*[b]?.log',
];

async function look(shell: Shell, globs: readonly string[], known: readonly KnownFile[] = [], environment = {}) {
  const { output, stderr } = await runIn(shell, renderPatrol({ globs, known }), environment);
  const view = parsePatrol(output);
  if (view === null) throw new Error(JSON.stringify([output, stderr]));
  return view;
}

function write(folder: string, name: string, text = `${name}\n`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('files with any name are found, and nothing in a name is run', async () => {
    const folder = join(makeFolder('patrol'), 'runs of "$(touch z)"');
    mkdirSync(folder);
    const paths = ODD.map((name) => write(folder, name));
    const { files, now, facts } = await look(shell, [join(folder, '*.log')]);
    expect(files.map(({ path }) => path).sort()).toEqual(paths.sort());
    expect(readdirSync(folder)).toHaveLength(ODD.length);
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
    expect(facts.bootId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a pattern knows *, ?, [...] and blanks, and all else in it is itself', async () => {
    const folder = makeFolder('patrol');
    for (const name of ['a 1.log', 'a 2.log', 'a 3.log', 'b 1.log', '$HOME.log', 'a;b.log']) write(folder, name);
    const namesOf = async (glob: string) =>
      (await look(shell, [join(folder, glob)])).files.map(({ path }) => path.slice(folder.length + 1)).sort();
    expect(await namesOf('a [12].log')).toEqual(['a 1.log', 'a 2.log']);
    expect(await namesOf('? 1.log')).toEqual(['a 1.log', 'b 1.log']);
    expect(await namesOf('$HOME.l*')).toEqual(['$HOME.log']);
    expect(await namesOf('a;b.log')).toEqual(['a;b.log']);
    expect(await namesOf('no*thing')).toEqual([]);
  });

  test('a pattern with ~/ starts in the home folder, whatever that is called', async () => {
    const home = join(makeFolder('home'), 'h[o]me *');
    mkdirSync(join(home, 'runs', 'one'), { recursive: true });
    const path = write(join(home, 'runs', 'one'), 'run.log');
    for (const glob of ['~/runs/*/run.log', 'runs/*/run.log']) {
      const { files } = await look(shell, [glob], [], { HOME: home });
      expect(files.map((file) => file.path)).toEqual([path]);
    }
  });

  test('those written last come first, and no more than 200', async () => {
    const folder = makeFolder('patrol');
    for (let index = 0; index < 205; index += 1) {
      const path = write(folder, `run ${index}.log`);
      utimesSync(path, 1_700_000_000 + index, 1_700_000_000 + index);
    }
    const { files } = await look(shell, [join(folder, 'run ?.log'), join(folder, 'run ??*.log')]);
    expect(files).toHaveLength(200);
    expect(files[0]).toMatchObject({ path: join(folder, 'run 204.log'), modified: 1_700_000_204_000 });
    expect(files.at(-1)?.path).toBe(join(folder, 'run 5.log'));
  }, 30_000);

  test('a file that is known in its size is not summed again; one that grew or was replaced is', async () => {
    const folder = makeFolder('patrol');
    const grown = write(folder, 'grown.log', 'short\n');
    write(folder, 'same.log', 'x'.repeat(100));
    const first = await look(shell, [join(folder, '*.log')]);
    const heads = new Map(first.files.map(({ path, head }) => [path, head]));
    expect(heads.get(grown)).toMatchObject({ summed: 6 });
    expect(heads.get(join(folder, 'same.log'))).toMatchObject({ summed: 64 });
    appendFileSync(grown, 'more\n');
    const second = await look(shell, [join(folder, '*.log')], first.files);
    const byName = new Map(second.files.map((file) => [file.path, file]));
    expect(byName.get(join(folder, 'same.log'))?.head).toBeNull();
    expect(byName.get(grown)).toMatchObject({ size: 11, head: { summed: 11 } });
    expect(byName.get(grown)?.inode).toBe(String(statSync(grown).ino));
    writeFileSync(grown, 'other\nmore\n');
    const third = await look(shell, [grown]);
    expect(third.files[0]?.head?.sum).not.toBe(byName.get(grown)?.head?.sum);
  });

  test('a file is told once, under its own path rather than under that of a link; folders and dead links are not told', async () => {
    const folder = makeFolder('patrol');
    mkdirSync(join(folder, 'run-7'));
    mkdirSync(join(folder, 'run-8.log'));
    const path = write(join(folder, 'run-7'), 'run.log');
    symlinkSync('run-7', join(folder, 'latest'));
    symlinkSync(path, join(folder, 'a.log'));
    symlinkSync('nowhere', join(folder, 'b.log'));
    linkSync(path, join(folder, 'run-7', 'z.log'));
    const { files } = await look(shell, [join(folder, '*.log'), join(folder, '*', '*.log'), path]);
    expect(files.map((file) => file.path)).toEqual([path]);
  });
});
