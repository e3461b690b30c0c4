import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { describe, test } from 'vitest';
import { hostKinds, openFollowLab, PATIENT } from '../support/follower.ts';

const MEGABYTE = 1024 * 1024;

// All they do is wait for the host's looks, once a second: both hosts at once.
describe.concurrent.each(hostKinds())('on a host with %s', async (_, config) => {
  const { follow, makeTarget } = await openFollowLab(config);

  test('a log that is not there yet is waited for, and one that comes back is another', async ({ expect }) => {
    const target = await makeTarget(null);
    const first = follow(target);
    await expect.poll(() => first.got.kinds, PATIENT).toEqual(['missing']);
    await writeFile(target.log, 'late\n');
    await expect.poll(() => first.got.text, PATIENT).toBe('late\n');
    expect(first.got.kinds).toEqual(['missing', 'opened']);
    first.stop();
    await rm(target.log);
    const second = follow({ ...target, from: first.got.position });
    await expect.poll(() => second.got.kinds, PATIENT).toEqual(['missing']);
    await writeFile(target.log, 'anew\n');
    await expect.poll(() => second.got.text, PATIENT).toBe('anew\n');
    expect(second.got.kinds.slice(0, 2)).toEqual(['missing', 'opened']);
    second.stop();
  });

  test('a renamed log is read to its end, by the next follower too, and then what stands in its place', async ({
    expect,
  }) => {
    const target = await makeTarget('old line\n');
    const first = follow(target);
    await expect.poll(() => first.got.text, PATIENT).toBe('old line\n');
    first.stop();
    await rename(target.log, `${target.log}.1`);
    await appendFile(`${target.log}.1`, 'late\n');
    await writeFile(target.log, 'a different start\n');
    const second = follow({ ...target, from: first.got.position });
    await expect.poll(() => second.got.text, PATIENT).toBe('late\na different start\n');
    expect(second.got.kinds).toEqual(['opened', 'opened']);
    second.stop();
  });

  test('a log that another file is moved over is read to its end, and then that one from its start', async ({
    expect,
  }) => {
    const target = await makeTarget('old line\n');
    const follower = follow(target);
    await expect.poll(() => follower.got.text, PATIENT).toBe('old line\n');
    await writeFile(`${target.log}.new`, 'new\n');
    await appendFile(target.log, 'last\n');
    await rename(`${target.log}.new`, target.log);
    await expect.poll(() => follower.got.text, PATIENT).toBe('old line\nlast\nnew\n');
    expect(follower.got.kinds).toEqual(['opened', 'opened']);
    follower.stop();
  });

  test('a truncated log is read from its new start and loss is said', async ({ expect }) => {
    const target = await makeTarget('a long first line\n');
    const follower = follow(target);
    await expect.poll(() => follower.got.text, PATIENT).toBe('a long first line\n');
    await truncate(target.log, 0);
    await expect.poll(() => follower.got.kinds, PATIENT).toEqual(['opened', 'opened', 'cut']);
    await appendFile(target.log, 'new\n');
    await expect.poll(() => follower.got.text, PATIENT).toBe('a long first line\nnew\n');
    follower.stop();
  });

  test('a log that is overwritten beyond what was read, before anybody looks, is read again from its start', async ({
    expect,
  }) => {
    const target = await makeTarget('a first line\n');
    const first = follow(target);
    await expect.poll(() => first.got.text, PATIENT).toBe('a first line\n');
    await writeFile(target.log, 'another first line, which is longer\n');
    await expect.poll(() => first.got.text, PATIENT).toMatch(/\nanother first line, which is longer\n$/);
    expect(first.got.kinds).toEqual(['opened', 'opened', 'cut']);
    first.stop();
    await writeFile(target.log, 'a third first line, which is the longest of all\n');
    const second = follow({ ...target, from: first.got.position });
    await expect.poll(() => second.got.text, PATIENT).toBe('a third first line, which is the longest of all\n');
    expect(second.got.kinds).toEqual(['opened', 'cut']);
    second.stop();
  });

  test('a first look at a long log begins at a line near its end and says so; the next follower goes on there', async ({
    expect,
  }) => {
    const target = await makeTarget('the start\n');
    await truncate(target.log, 200 * MEGABYTE);
    await appendFile(target.log, '\nlast line\n');
    const size = 200 * MEGABYTE + 11;
    const first = follow(target);
    await expect.poll(() => first.got.position.offset, PATIENT).toBe(size);
    expect(first.got.skipped).toBeGreaterThan(size - 64 * MEGABYTE);
    expect(first.got.skipped).toBeLessThan(size - 62 * MEGABYTE);
    expect(first.got.text.endsWith('\0\nlast line\n')).toBe(true);
    first.stop();
    await appendFile(target.log, 'more\n');
    const second = follow({ ...target, from: first.got.position });
    await expect.poll(() => second.got.text, PATIENT).toBe('more\n');
    expect(second.got).toMatchObject({ kinds: ['opened'], skipped: 0 });
    second.stop();
  });

  test('the output of a process that goes on is followed wherever it is moved to, and only then what took its place', async ({
    expect,
  }) => {
    const target = await makeTarget('');
    const output = openSync(target.log, 'a');
    spawn('sh', ['-c', 'echo one; sleep 4; echo two'], { stdio: ['ignore', output, output] });
    closeSync(output);
    const follower = follow(target);
    await expect.poll(() => follower.got.text, PATIENT).toBe('one\n');
    await rename(target.log, `${target.log}.1`);
    await writeFile(target.log, 'of another\n');
    await expect.poll(() => follower.got.text, PATIENT).toBe('one\ntwo\nof another\n');
    expect(follower.got.kinds).toEqual(['opened', 'opened']);
    follower.stop();
  });
});
