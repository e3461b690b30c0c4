import { appendFileSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogPosition } from '../../src/host/log.ts';
import { parseHeader, renderFollow } from '../../src/shell/follow.ts';
import { parsePeek, renderPeek } from '../../src/shell/peek.ts';
import { makeFolder } from '../support/folder.ts';
import { killGroup } from '../support/processes.ts';
import { findBareShell, findShells, runIn, type Shell } from '../support/shells.ts';

const NAME = 'a "log"\n$(touch x) é';

async function peek(shell: Shell, path: string, from: number, most = 1000) {
  const { output, stderr } = await runIn(shell, renderPeek(path, { from, most, countsLines: true }));
  const answer = parsePeek(output);
  if (answer === null) throw new Error(JSON.stringify([output, stderr]));
  return answer;
}

async function look(shell: Shell, path: string, from: number, most = 1000) {
  const answer = await peek(shell, path, from, most);
  if (answer === 'gone') throw new Error('gone');
  return answer;
}

/** What a follower says who starts there; ended once it has said it. */
async function openingFrom(shell: Shell, log: string, from: LogPosition) {
  const target = { path: '/nowhere/run', run: 'r', log, real: null, role: 'main', from } as const;
  const script = renderFollow(target, { how: 'resume' }, '/proc/self/fd/3');
  const { output } = await runIn(shell, script, {}, (child) =>
    child.stdout?.on('data', (bytes: Buffer) => {
      if (bytes.includes('opened ')) killGroup(child);
    }),
  );
  const header = parseHeader(output.split('\n')[0] ?? '');
  return header?.kind === 'opened' ? header.opening : null;
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('the text from a byte on, its line and the size are told', async () => {
    const path = join(makeFolder('peek'), NAME);
    writeFileSync(path, 'one\ntwo é\n\0three');
    expect(await look(shell, path, 0)).toMatchObject({ size: 17, line: 1, text: 'one\ntwo é\n\0three' });
    expect(await look(shell, path, 4)).toMatchObject({ line: 2, text: 'two é\n\0three' });
    expect(await look(shell, path, 4, 5)).toMatchObject({ size: 17, line: 2, text: 'three' });
    expect(await look(shell, path, 17)).toMatchObject({ line: 3, text: '' });
  });

  test('of a file that shrank below the byte nothing is told but its size', async () => {
    const path = join(makeFolder('peek'), NAME);
    writeFileSync(path, 'one\ntwo\n');
    const before = await look(shell, path, 4);
    truncateSync(path, 3);
    const after = await look(shell, path, 4);
    expect(after).toMatchObject({ size: 3, text: '' });
    expect(after.generation).not.toEqual(before.generation);
    rmSync(path);
    expect(await peek(shell, path, 4)).toBe('gone');
    expect(await peek(shell, '/tmp', 0)).toBe('gone');
  });

  test('a file that is not at the path that was allowed is none', async () => {
    const folder = realpathSync(makeFolder('peek'));
    const [path, link] = [join(folder, 'log'), join(folder, 'link')];
    writeFileSync(path, 'one\n');
    symlinkSync(path, link);
    const at = async (file: string, real: string | null) => {
      const script = renderPeek(file, { from: 0, most: 10, countsLines: false, real });
      return parsePeek((await runIn(shell, script)).output);
    };
    expect(await at(path, path)).toMatchObject({ text: 'one\n' });
    expect(await at(link, null)).toMatchObject({ text: 'one\n' });
    expect(await at(link, link)).toBe('gone');
  });

  test('a follower goes on from what was looked at, also when the file grew or its device has another number, and sees when it was replaced', async () => {
    const path = join(makeFolder('peek'), NAME);
    writeFileSync(path, 'one\n');
    const { generation, size } = await look(shell, path, 0);
    appendFileSync(path, 'two\n');
    expect(await openingFrom(shell, path, { generation, offset: size })).toMatchObject({ offset: 4, loss: null });
    const restarted = { ...generation, device: '77' };
    expect(await openingFrom(shell, path, { generation: restarted, offset: size })).toMatchObject({
      offset: 4,
      loss: null,
    });
    writeFileSync(path, 'another start\n');
    expect(await openingFrom(shell, path, { generation, offset: size })).toMatchObject({ offset: 0, loss: 'cut' });
  });
});
