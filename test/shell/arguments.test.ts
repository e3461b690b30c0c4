import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differenceIn, type Meant, sampleLists, specOf } from '../support/argument-lists.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launch, launchStarted, makeSpec } from '../support/local-launch.ts';
import { findShells, type Shell } from '../support/shells.ts';

/** Random lists over all shells; a soak takes thousands. */
const LISTS = Number(process.env.LAUNCH_LISTS ?? 60);
const AT_ONCE = 4;
const shells = findShells();

async function differenceOf(shell: Shell, meant: Meant): Promise<string | null> {
  const spec = makeSpec(specOf(meant));
  await launchStarted(shell, spec);
  await exitOf(spec);
  const difference = differenceIn(meant, join(spec.path, 'log'));
  rmSync(dirname(spec.path), { recursive: true });
  return difference;
}

async function differencesOf(shell: Shell, lists: readonly Meant[]): Promise<string[]> {
  const left = [...lists];
  const found: string[] = [];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const difference = await differenceOf(shell, next);
      if (difference !== null) found.push(difference);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** The shell with a stack of 1 MiB: a quarter of it is what a program may get in words (execve(2)). */
function withSmallStack({ name, path }: Shell): Shell {
  const folder = makeFolder('stack');
  const text = `#!/usr/bin/dash\nulimit -s 1024\nPATH='${path}' exec /usr/bin/env sh "$@"\n`;
  writeFileSync(join(folder, 'sh'), text, { mode: 0o755 });
  return { name, path: folder };
}

describe.each(shells)('in $name', (shell) => {
  test('random argument lists, environments and preludes arrive byte for byte', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const lists = sampleLists(Math.ceil(LISTS / shells.length), seed);
    const begun = Date.now();
    const found = await differencesOf(shell, lists);
    if (process.env.LAUNCH_LISTS !== undefined)
      console.log(`${shell.name}: ${lists.length} lists in ${Math.round((Date.now() - begun) / 1000)} s, seed ${seed}`);
    expect(found, `seed ${seed}`).toEqual([]);
  }, 7_200_000);

  test('what stands at the limits arrives byte for byte', async () => {
    const none = { environment: {}, prelude: null };
    const lists: Meant[] = [
      { ...none, words: [] },
      { ...none, words: ['x'.repeat(131_071), `${'é"\n\\'.repeat(20_000)}\n`] },
      { ...none, words: Array.from({ length: 4000 }, (_, index) => `--flag-${index}={"a": "$b c"}`) },
      { ...none, words: Array.from({ length: 300 }, (_, index) => `line ${index}\n\n`) },
      { words: ['\n'.repeat(60_000)], environment: { X: 'v'.repeat(131_069) }, prelude: 'p'.repeat(100_000) },
    ];
    for (const list of lists) expect(await differenceOf(shell, list)).toBeNull();
  });

  test('as many bytes as the host takes arrive; more are refused in words, and nothing is used up', async () => {
    const small = withSmallStack(shell);
    const chunk = 'x'.repeat(1000);
    const fits = Math.floor((262_144 - 8_000) / 1009);
    const meant = { words: Array.from({ length: fits }, () => chunk), environment: {}, prelude: null };
    expect(await differenceOf(small, meant)).toBeNull();
    const spec = makeSpec(specOf({ ...meant, words: [...meant.words, ...meant.words.slice(0, 10)] }));
    const { outcome } = await launch(small, spec);
    expect(outcome).toMatchObject({
      reason: expect.stringMatching(
        /^argv and environment are about 26\d{4} bytes together, and this host takes 262144 \(a quarter of the SSH user's stack limit, "ulimit -s": 1024 KiB\)/,
      ),
    });
    expect(existsSync(join(spec.path, 'started'))).toBe(false);
    expect((await launch(small, { ...spec, argv: ['true'] }, 'c2')).outcome).toMatchObject({ kind: 'started' });
    expect(readdirSync(join(spec.path, 'started'))).toEqual(['name']);
  });
});
