import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { appendFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { CommandFailed, HostRefused, HostUnreachable } from '../../src/errors.ts';
import { hostKinds, openFollowLab, PATIENT, sessionOf } from '../support/follower.ts';

const MEGABYTE = 1024 * 1024;

// Mostly they wait for the host's looks, once a second: both hosts at once.
describe.concurrent.each(hostKinds())('on a host with %s', async (name, config) => {
  const { host, follow, makeTarget } = await openFollowLab(config);
  const breaking = await openFollowLab(config);

  test('every byte arrives once across a broken connection, and nothing stays behind of it', async ({ expect }) => {
    // A host of its own: all its connections are cut.
    const { sshd, follow, makeTarget } = breaking;
    const target = await makeTarget('one\n');
    const first = follow(target);
    await appendFile(target.log, 'two\xff\n', 'latin1');
    await expect.poll(() => first.got.text, PATIENT).toBe('one\ntwo\xff\n');
    const session = sessionOf(target);
    const [leader] = session();
    expect(readlinkSync(`/proc/${leader}/exe`).includes('busybox')).toBe(name === 'busybox alone');
    await sshd.cutConnections();
    expect(await first.ended).toBeInstanceOf(HostUnreachable);
    await expect.poll(session, PATIENT).toEqual([]);
    await appendFile(target.log, 'three\n');
    const second = follow({ ...target, from: first.got.position });
    await appendFile(target.log, 'four\n');
    await expect.poll(() => second.got.text, PATIENT).toBe('three\nfour\n');
    expect(second.got.kinds).toEqual(['opened']);
    expect(first.got.text + second.got.text).toBe(readFileSync(target.log, 'latin1'));
    second.stop();
    await expect.poll(sessionOf(target), PATIENT).toEqual([]);
  });

  test('a new follower ends the former with all that belongs to it', async ({ expect }) => {
    const target = await makeTarget('x\n');
    const former = follow(target);
    await expect.poll(() => former.got.text, PATIENT).toBe('x\n');
    const session = sessionOf(target);
    const next = follow(target);
    const error = await former.ended;
    expect(error).toBeInstanceOf(CommandFailed);
    expect(String(error)).toContain('another follower of this run took over');
    await expect.poll(() => next.got.text, PATIENT).toBe('x\n');
    await expect.poll(session, PATIENT).toEqual([]);
    next.stop();
  });

  test('of two followers that begin at once one is left', async ({ expect }) => {
    const target = await makeTarget('x\n');
    const both = [follow(target), follow(target)];
    const first = await Promise.race(both.map(({ ended }, index) => ended.then((error) => ({ error, index }))));
    expect(String(first.error)).toContain('another follower of this run took over');
    await appendFile(target.log, 'y\n');
    await expect.poll(() => both[1 - first.index]?.got.text, PATIENT).toBe('x\ny\n');
    for (const { stop } of both) stop();
  });

  test('a log of which a person typed the path is read only where the path leads to what was allowed', async ({
    expect,
  }) => {
    const plain = await makeTarget('allowed\n');
    const target = { ...plain, real: plain.log };
    const first = follow(target);
    await expect.poll(() => first.got.text, PATIENT).toBe('allowed\n');
    await rename(target.log, `${target.log}.1`);
    await writeFile(join(target.path, 'secret'), 'secret\n');
    await symlink(join(target.path, 'secret'), target.log);
    const error = await first.ended;
    expect(error).toBeInstanceOf(HostRefused);
    expect(String(error)).toContain(`is ${join(target.path, 'secret')} now; it was allowed as ${target.log}`);
    expect(first.got.text).toBe('allowed\n');
    const second = follow({ ...target, from: first.got.position });
    expect(await second.ended).toBeInstanceOf(HostRefused);
    expect(second.got.text).toBe('');
    expect(readdirSync(target.path)).toContain('follower');
  });

  test('a slow consumer holds the host back and loses nothing', async ({ expect }) => {
    const target = await makeTarget('');
    const size = 12 * MEGABYTE;
    await writeFile(target.log, Buffer.alloc(size, 'abcdefg\n'));
    const stop = new AbortController();
    let received = 0;
    for await (const chunk of host.follow(target, stop.signal)) {
      await new Promise((resolve) => setImmediate(resolve));
      if (chunk.kind === 'bytes') received += chunk.bytes.length;
      if (received === size) break;
    }
    expect(received).toBe(size);
    expect(existsSync(join(target.path, 'follower'))).toBe(true);
  });
});
