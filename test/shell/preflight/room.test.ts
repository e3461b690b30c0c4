import { chmodSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRoom, renderRoom } from '../../../src/shell/preflight/room.ts';
import { makeFolder } from '../../support/folder.ts';
import { asNobody } from '../../support/plain-user.ts';
import { findShells, runIn, type Shell } from '../../support/shells.ts';

async function looks(shell: Shell, paths: readonly string[], directory: string | null = null) {
  const ran = await runIn(shell, renderRoom(paths, directory), { HOME: '/' });
  const found = parseRoom(ran.output, paths);
  if (found === null) throw new Error(JSON.stringify(ran));
  return paths.map((path) => found.get(path));
}

describe.each(findShells())('in $name', (shell) => {
  test('the room of the nearest folder that exists is told', async () => {
    const folder = makeFolder('room');
    const asked = [join(folder, 'new/deeper'), '/dev/shm', 'x', '/'];
    const [deep, shared, relative, top] = await looks(shell, asked, folder);
    const { blocks, bsize } = statfsSync(folder);
    expect(deep).toMatchObject({ path: folder, isWritable: true });
    expect(deep?.total).toBe(blocks * bsize);
    expect(deep?.free).toBeLessThanOrEqual(blocks * bsize);
    expect(shared).toMatchObject({ path: '/dev/shm', mount: expect.stringMatching(/^\/dev/), isWritable: true });
    expect([relative?.path, top?.path]).toEqual([folder, '/']);
  });
});

test('a folder that the user may not write is told', async () => {
  const [shell] = findShells();
  if (shell === undefined) throw new Error('no shell');
  const folder = makeFolder('roots');
  chmodSync(folder, 0o755);
  expect(await looks(asNobody(shell, { hidepid: false }), [folder])).toMatchObject([{ isWritable: false }]);
});

test.each([
  ['srv:/a b  1000 -5 995 0% /mnt/a b', { mount: '/mnt/a b', total: 1_024_000, free: 1_018_880 }],
  ['overlay 1000 1000 -10 100% /', { mount: '/', free: 0 }],
  ['none 0 0 0 - /dev/shm', { mount: '/dev/shm', total: 0 }],
])('df: %s', (row, room) => {
  const head = 'Filesystem 1024-blocks Used Available Capacity Mounted on';
  const text = `room 0\0path /p\0writable 1\0df ${head}\n${row}\0told \0`;
  expect(parseRoom(text, ['/p'])?.get('/p')).toMatchObject(room);
});

test('a path that df can not tell of is left out', () => {
  expect(parseRoom('room 0\0path /p\0df \0told \0', ['/p'])).toEqual(new Map());
});
