import { mkdirSync, readFileSync } from 'node:fs';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommandFailed, HostUnreachable } from '../../src/errors.ts';
import type { FollowTarget, LogChunk, LogPosition } from '../../src/tools.ts';
import { openLab } from '../support/lab.ts';

const PATIENT = { timeout: 20_000, interval: 10 };
const START: LogPosition = { generation: null, offset: 0 };
const { sshd, host } = await openLab();
let count = 0;

async function makeTarget(text: string): Promise<FollowTarget> {
  count += 1;
  const path = join(sshd.folder, `run-${count}`);
  mkdirSync(path);
  const log = join(path, 'log');
  await writeFile(log, text);
  return { path, run: `run-${count}`, log, role: 'main', from: START };
}

/** What a follower has got so far; it goes on until stopped. */
function followFrom(target: FollowTarget) {
  const stop = new AbortController();
  const got: { position: LogPosition; text: string; kinds: string[] } = { position: target.from, text: '', kinds: [] };
  const ended = (async () => {
    for await (const chunk of host.follow(target, stop.signal)) note(got, chunk);
  })().catch((error: unknown) => error);
  return { got, ended, stop: () => stop.abort() };
}

function note(got: { position: LogPosition; text: string; kinds: string[] }, chunk: LogChunk): void {
  if (chunk.kind !== 'bytes') got.kinds.push(chunk.kind);
  if (chunk.kind === 'opened') got.position = { generation: chunk.generation, offset: chunk.offset };
  if (chunk.kind !== 'bytes') return;
  got.text += Buffer.from(chunk.bytes).toString('latin1');
  got.position = { ...got.position, offset: got.position.offset + chunk.bytes.length };
}

test('every byte arrives once across a broken connection', async () => {
  const target = await makeTarget('one\n');
  const first = followFrom(target);
  await appendFile(target.log, 'two\xff\n', 'latin1');
  await expect.poll(() => first.got.text, PATIENT).toBe('one\ntwo\xff\n');
  await sshd.cutConnections();
  expect(await first.ended).toBeInstanceOf(HostUnreachable);
  await appendFile(target.log, 'three\n');
  const second = followFrom({ ...target, from: first.got.position });
  await appendFile(target.log, 'four\n');
  await expect.poll(() => second.got.text, PATIENT).toBe('three\nfour\n');
  expect(second.got.kinds).toEqual(['opened']);
  expect(first.got.text + second.got.text).toBe(readFileSync(target.log, 'latin1'));
  second.stop();
});

test('a new follower ends the former', async () => {
  const target = await makeTarget('x\n');
  const former = followFrom(target);
  await expect.poll(() => former.got.text, PATIENT).toBe('x\n');
  const next = followFrom(target);
  const error = await former.ended;
  expect(error).toBeInstanceOf(CommandFailed);
  expect(String(error)).toContain('another follower of this run took over');
  await expect.poll(() => next.got.text, PATIENT).toBe('x\n');
  next.stop();
});

test('a renamed log is followed by its descriptor; when it is opened again, another file is told and loss is said', async () => {
  const target = await makeTarget('old line\n');
  const first = followFrom(target);
  await expect.poll(() => first.got.text, PATIENT).toBe('old line\n');
  await rename(target.log, `${target.log}.1`);
  await writeFile(target.log, 'a different start\n');
  await appendFile(`${target.log}.1`, 'late\n');
  await expect.poll(() => first.got.text, PATIENT).toBe('old line\nlate\n');
  first.stop();
  const second = followFrom({ ...target, from: first.got.position });
  await expect.poll(() => second.got.text, PATIENT).toBe('a different start\n');
  expect(second.got.kinds).toEqual(['opened', 'lost']);
  second.stop();
});

test('a truncated log is read from its new start and loss is said', async () => {
  const target = await makeTarget('a long first line\n');
  const follower = followFrom(target);
  await expect.poll(() => follower.got.text, PATIENT).toBe('a long first line\n');
  await truncate(target.log, 0);
  await expect.poll(() => follower.got.kinds, PATIENT).toEqual(['opened', 'opened', 'lost']);
  await appendFile(target.log, 'new\n');
  await expect.poll(() => follower.got.text, PATIENT).toBe('a long first line\nnew\n');
  follower.stop();
});

test('a slow consumer holds the host back and loses nothing', async () => {
  const target = await makeTarget('');
  const size = 12 * 1024 * 1024;
  await writeFile(target.log, Buffer.alloc(size, 'abcdefg\n'));
  const stop = new AbortController();
  let received = 0;
  for await (const chunk of host.follow(target, stop.signal)) {
    await new Promise((resolve) => setImmediate(resolve));
    if (chunk.kind === 'bytes') received += chunk.bytes.length;
    if (received === size) break;
  }
  expect(received).toBe(size);
});
