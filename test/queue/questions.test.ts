import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../../jobs/ask.ts';
import { HostUnreachable } from '../../src/errors.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Desk } from '../../src/requests.ts';
import type { Host } from '../../src/tools.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

let store: Store;
let desk: Desk;

beforeEach(() => {
  const instance = freshPrefix();
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
  desk = openDesk({ ...store, config: { ...sampleConfig(), instance }, clock: { now: Date.now } });
});

afterEach(async () => {
  await store.close();
});

/** The job's tools with one host, whose GPUs are told so. */
function toolsWith(gpus: Host['gpus']): Tools {
  const host: Partial<Host> = { name: 'kpro5', gpus };
  return { ...store, log: pino({ level: 'silent' }), hosts: { get: () => host } } as unknown as Tools;
}

const going = new AbortController().signal;

test('what a worker sees of a host reaches who asked, once', async () => {
  let looks = 0;
  const tools = toolsWith(async () => {
    looks += 1;
    return null;
  });
  const id = await desk.ask({ kind: 'gpus', host: 'kpro5' });
  expect(await desk.answerTo(id)).toBeNull();
  expect(await ask(id, tools, going)).toBe('done');
  expect(await ask(id, tools, going)).toBe('done');
  expect(await desk.answerTo(id)).toEqual({ kind: 'told', told: null });
  expect(looks).toBe(1);
});

test('a host that can not be reached is an answer, in its own words', async () => {
  const tools = toolsWith(() => Promise.reject(new HostUnreachable('kpro5', 'kpro5 does not answer.')));
  const id = await desk.ask({ kind: 'gpus', host: 'kpro5' });
  await ask(id, tools, going);
  expect(await desk.answerTo(id)).toEqual({ kind: 'failed', reason: 'kpro5 does not answer.' });
});

test("Vigil's own mistake is told as such", async () => {
  const tools = toolsWith(() => Promise.reject(new TypeError('x is not a function')));
  const id = await desk.ask({ kind: 'gpus', host: 'kpro5' });
  await ask(id, tools, going);
  expect(await desk.answerTo(id)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('its own log') });
});

test('a job that is to let go answers nothing and goes on elsewhere', async () => {
  const stop = new AbortController();
  const tools = toolsWith(async () => {
    stop.abort();
    throw new HostUnreachable('kpro5', 'aborted');
  });
  const id = await desk.ask({ kind: 'gpus', host: 'kpro5' });
  expect(await ask(id, tools, stop.signal)).toBe('again');
  expect(await desk.answerTo(id)).toBeNull();
});

test('a question that is forgotten is no work', async () => {
  expect(
    await ask(
      'gone',
      toolsWith(() => Promise.reject(new Error('asked'))),
      going,
    ),
  ).toBe('done');
});
