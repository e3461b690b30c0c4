import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { openLab } from '../support/lab.ts';
import { begin } from '../support/processes.ts';

const NEVER = new AbortController().signal;
const { host } = await openLab();

test('work and stacks of a process are told over SSH', async () => {
  const folder = makeFolder('work');
  writeFileSync(join(folder, 'shard'), Buffer.alloc(100_000, 1));
  const main = begin('exec sleep 61');
  const view = await host.work({ folders: [folder], hub: [], environment: {}, pids: [main] }, NEVER);
  expect(view.bytes.get(folder)).toBeGreaterThanOrEqual(100_000);
  expect(view).toMatchObject({ tree: [main], states: [{ ...main, state: 'S' }] });
  expect(await host.stacks([main], NEVER)).toMatchObject([main]);
});

test('the room on the file systems of paths is told over SSH, also where a path is not there yet', async () => {
  const folder = makeFolder('room');
  const room = await host.room([folder, join(folder, 'later', 'serve.log'), '~/.cache'], NEVER);
  expect([...room.keys()]).toHaveLength(3);
  const [own, later] = [room.get(folder), room.get(join(folder, 'later', 'serve.log'))];
  expect(own?.total).toBeGreaterThan(0);
  expect(later).toMatchObject({ mount: own?.mount, total: own?.total });
});
