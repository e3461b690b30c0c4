import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { note, readNote } from '../../src/flow/note.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { newRun, UNNAMED } from '../../src/run/step.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

let store: Store;

beforeEach(() => {
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), freshPrefix());
});

afterEach(async () => {
  await store.close();
});

const REQUEST = {
  kind: 'serve',
  id: 'vigil-kpro5-1a2b',
  name: 'kpro5-7',
  host: 'kpro5',
  recipe: 'dflash',
  argv: ['vllm', 'serve', "it's\n"],
  log: '/root/vllm-serve.log',
  gpus: ['0', '1'],
  address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
  stopGrace: 60,
  by: 'U0ALICE',
  channel: 'C0OPS',
  at: 1000,
  found: null,
} as const;

const PLACEMENT = { devices: ['0', '1'], holds: ['GPU 0', 'GPU 1'], freeAt: 900 };

test('an adopted run holds what it held, and new names go on after its own', async () => {
  expect(await store.journal.adopt(newRun(REQUEST), 'C0OPS', null)).toBe(true);
  expect(await store.journal.adopt(newRun(REQUEST), 'C0OPS', null)).toBe(false);
  const desk = openDesk({ ...store, config: sampleConfig(), clock: { now: () => 2000 } });
  const order = {
    trigger: 'T',
    host: 'kpro5',
    recipe: 'dflash',
    by: 'U0BOB',
    channel: 'C0OPS',
    mode: { kind: 'now' },
  } as const;
  expect(await desk.launch(order, 'unknown')).toMatchObject({ kind: 'held', holders: [{ name: 'kpro5-7' }] });
  await store.redis.del(store.keys.holds);
  expect(await desk.launch(order, 'unknown')).toMatchObject({ kind: 'accepted', request: { name: 'kpro5-8' } });
});

test('the report of an adopted run looks for its old root before it posts one', async () => {
  await store.journal.adopt(newRun(REQUEST), 'C0OPS', null);
  expect((await store.outbox.read(REQUEST.id))?.intent).toMatchObject({ event: 'root' });
});

test('a run that was found gets the next name, and its log is read from where it was found', async () => {
  const { address: _address, ...asked } = REQUEST;
  const found = { process: null, size: 900, trigger: null, answered: false };
  const request = { ...asked, kind: 'train', name: UNNAMED, address: null, targetLog: null, found } as const;
  const position = { generation: null, offset: 700 };
  const checkpoint = { position, carry: { line: 12 }, target: null };
  expect(await store.journal.adopt(newRun({ ...request, argv: [] }), 'C0TRAIN', checkpoint)).toBe(true);
  expect(await store.journal.load(REQUEST.id)).toMatchObject({
    run: { request: { name: 'kpro5-1' } },
    home: 'C0TRAIN',
    checkpoint,
  });
  expect(await store.redis.hlen(store.keys.holds)).toBe(0);
});

test('a host is surveyed once, until Redis loses what it knows', async () => {
  expect(await store.journal.isSurveyed('kpro5')).toBe(false);
  await store.journal.markSurveyed('kpro5');
  expect(await store.journal.isSurveyed('kpro5')).toBe(true);
  expect(await store.journal.isSurveyed('trainer')).toBe(false);
});

test('a note in a run folder is read back as it was, and a foreign one is not read', () => {
  expect(
    readNote(note({ request: { ...REQUEST, argv: [...REQUEST.argv] }, home: 'C0OPS', placement: PLACEMENT })),
  ).toEqual({
    request: REQUEST,
    home: 'C0OPS',
    placement: PLACEMENT,
  });
  expect(readNote('{}')).toBeNull();
  expect(readNote('not JSON')).toBeNull();
});
