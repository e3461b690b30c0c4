import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { observe } from '../../src/flow/write.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Desk, RestartAnswer } from '../../src/requests.ts';
import { gpu } from '../support/gpus.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const clock = { now: () => Date.now() };
const FREE = [gpu(0), gpu(1), gpu(2), gpu(3)];
let store: Store;
let config: Config;
let desk: Desk;
let former: string;

beforeEach(async () => {
  config = { ...sampleConfig(), instance: freshPrefix() };
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  desk = openDesk({ ...store, config, clock });
  former = await launch('T1');
});

afterEach(() => store.close());

async function launch(trigger: string): Promise<string> {
  const order = { trigger, host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS' };
  const answer = await desk.launch({ ...order, mode: { kind: 'now' } }, FREE);
  if (answer.kind !== 'accepted') throw new Error(`answered with ${answer.kind}`);
  return answer.request.id;
}

function restart(trigger: string, run = former, of: Desk = desk): Promise<RestartAnswer> {
  return of.restart({ run, by: 'U0BOB', channel: 'C0LOBBY', trigger });
}

async function written(answering: Promise<RestartAnswer>) {
  const answer = await answering;
  if (answer.kind !== 'accepted' && answer.kind !== 'same') throw new Error(`answered with ${answer.kind}`);
  return answer;
}

async function end(run: string): Promise<void> {
  await observe(store.journal, run, () => [{ kind: 'refused', reason: 'no', at: 1, seen: 1 }]);
}

test('a restart has what its former had, though vigil.yaml says otherwise by now, and both name each other', async () => {
  const { dflash } = config.recipes;
  if (dflash?.kind !== 'serve') throw new Error('the sample has lost its recipe');
  const recipes = {
    ...config.recipes,
    dflash: { ...dflash, argv: ['vllm', 'serve', 'other'], log: null, stopGrace: 1 },
  };
  const later = openDesk({ ...store, config: { ...config, recipes }, clock });
  const { request } = await written(restart('T2', former, later));
  const [was, now] = await Promise.all([former, request.id].map((id) => store.journal.load(id)));
  const { argv, log, gpus, stopGrace, kind } = was?.run.request ?? {};
  expect(now?.run.request).toMatchObject({ argv, log, gpus, stopGrace, kind, by: 'U0BOB', channel: 'C0LOBBY' });
  expect(now?.run.request.again).toEqual({ run: former, name: 'kpro5-1', trigger: 'T2' });
  expect(was?.run.restartedAs).toEqual({ run: request.id, name: 'kpro5-2' });
  expect(now?.run.waiting?.after).toEqual([former]);
});

test('GPUs that were chosen for the former are named from then on', async () => {
  const { dflash } = config.recipes;
  if (dflash?.kind !== 'serve') throw new Error('the sample has lost its recipe');
  await end(former);
  desk = openDesk({ ...store, config: { ...config, recipes: { dflash: { ...dflash, gpus: 1 } } }, clock });
  const { request } = await written(restart('T3', await launch('T2')));
  expect(request.gpus).toEqual(['0']);
});

test('a restart that lives is one, whoever asks for it and how often', async () => {
  const answers = await Promise.all(['T2', 'T2', 'T3'].map((trigger) => written(restart(trigger))));
  expect(new Set(answers.map(({ request }) => request.id)).size).toBe(1);
  expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
});

test('once it has ended the former can be restarted again, but not by a redelivery', async () => {
  const first = await written(restart('T2'));
  await end(former);
  await end(first.request.id);
  expect(await restart('T2')).toMatchObject({ kind: 'same', request: { id: first.request.id } });
  const second = await written(restart('T3'));
  expect([second.kind, second.former]).toEqual(['accepted', 'failed']);
  expect(second.request.id).not.toBe(first.request.id);
  expect((await store.journal.load(former))?.run.restartedAs?.run).toBe(second.request.id);
});

test('a run that has ended takes nobody’s place', async () => {
  await end(former);
  await launch('T2');
  expect(await restart('T3')).toEqual({ kind: 'held' });
  expect(await restart('T4', 'vigil-kpro5-unknown')).toEqual({ kind: 'unknown' });
});
