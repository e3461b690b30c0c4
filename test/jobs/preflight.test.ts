import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../../jobs/ask.ts';
import { launch } from '../../jobs/launch.ts';
import type { Checklist } from '../../src/check/check.ts';
import type { Config } from '../../src/config/config.ts';
import { CommandFailed } from '../../src/errors.ts';
import type { GpuUse } from '../../src/host/gpu.ts';
import type { LaunchSpec } from '../../src/host/launch.ts';
import type { PreflightFacts } from '../../src/host/preflight.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Run } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { fakeHost } from '../support/fake-host.ts';
import { gpu, stranger } from '../support/gpus.ts';
import { facts } from '../support/preflight.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const clock = { now: () => Date.now() };
const never = new AbortController().signal;
const FREE = [gpu(0), gpu(1)];
/** A file of the model that is a pointer: 134 bytes of Git LFS. */
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:0f1e\nsize 3985000000\n';

let store: Store;
let config: Config;
let launched: LaunchSpec[];
let seen: readonly GpuUse[];
let told: PreflightFacts | Error;

beforeEach(() => {
  config = { ...sampleConfig(), instance: freshPrefix() };
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  launched = [];
  seen = FREE;
  told = facts({ gpus: { kind: 'told', value: FREE } });
});

afterEach(() => store.close());

function tools(): Tools {
  const chat = new FakeChat();
  chat.people.set('U0ALICE', { kind: 'member', name: 'alice' });
  const host: Host = fakeHost('kpro5', {
    listener: async () => ({ kind: 'closed' }),
    gpus: async () => seen,
    preflight: async () => {
      if (told instanceof Error) throw told;
      return told;
    },
    launch: async (spec) => {
      launched.push(spec);
      return { kind: 'refused', reason: 'Enough.' };
    },
  });
  const queue = { add: async () => {} };
  const hosts = { get: () => host, close: async () => {} };
  return { ...store, hosts, chat, config, clock, queue, timings: PRODUCTION, log: pino({ level: 'silent' }) };
}

let triggers = 0;

async function ordered(change: { isForced?: true } = {}): Promise<string> {
  triggers += 1;
  const desk = openDesk({ ...store, config, clock });
  const order = { trigger: `P${triggers}`, host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS' };
  const answer = await desk.launch({ ...order, mode: { kind: 'now' }, ...change }, 'unknown');
  if (answer.kind !== 'accepted') throw new Error(`answered with ${answer.kind}`);
  await desk.decideHome(answer.request.id, 'C0OPS');
  return answer.request.id;
}

async function runOf(id: string): Promise<Run> {
  const entry = await store.journal.load(id);
  if (entry === null) throw new Error('the run is not known');
  return entry.run;
}

async function eventsOf(id: string): Promise<readonly string[]> {
  return ((await store.outbox.read(id))?.events ?? []).map(({ kind }) => kind);
}

function withPointer(): PreflightFacts {
  const weights = [
    { name: 'model.safetensors', size: 134, first: POINTER.slice(0, 64), headerLength: null, header: '' },
  ];
  const model = {
    kind: 'model',
    path: '/models/target',
    weights,
    index: null,
    config: '{"model_type":"qwen3"}',
    partial: [],
    names: ['model.safetensors', 'config.json', 'tokenizer.json'],
  } as const;
  return facts({
    gpus: { kind: 'told', value: FREE },
    models: { kind: 'told', value: new Map([['/models/target', model]]) },
  });
}

test('a launch whose checks refuse nothing goes on, with the list kept', async () => {
  const id = await ordered();
  await launch(id, tools(), never);
  expect(launched).toHaveLength(1);
  expect(await eventsOf(id)).toEqual(['requested', 'checking', 'checked', 'failed']);
  expect((await runOf(id)).checks?.findings.map(({ verdict }) => verdict)).not.toContain('refused');
});

test('the versions that the host told are kept with the list', async () => {
  const value = { version: '580.159.04', cuda: '13.0', capabilities: new Map() };
  told = facts({ gpus: { kind: 'told', value: FREE }, driver: { kind: 'told', value } });
  const id = await ordered();
  await launch(id, tools(), never);
  expect((await runOf(id)).checks?.versions).toEqual({ driver: '580.159.04' });
});

test('a model whose weights are a Git LFS pointer is refused before anything starts, with the whole list', async () => {
  told = withPointer();
  const id = await ordered();
  await launch(id, tools(), never);
  expect(launched).toEqual([]);
  const { failure, attempted } = await runOf(id);
  expect(attempted).toBe(false);
  expect(failure).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/refuses it: .*Nothing was started/),
  });
  const refused =
    failure?.kind === 'refused' ? failure.checks?.findings.filter((one) => one.verdict === 'refused') : [];
  expect(refused).toMatchObject([{ found: expect.stringContaining('Git LFS') }]);
});

test('--force starts it all the same, and the list says who overrode it', async () => {
  told = withPointer();
  const id = await ordered({ isForced: true });
  await launch(id, tools(), never);
  expect(launched).toHaveLength(1);
  expect((await runOf(id)).checks?.forcedBy).toBe('U0ALICE');
});

test('--force of somebody who has lost the right to it starts nothing', async () => {
  const id = await ordered({ isForced: true });
  const { kpro5 } = config.hosts;
  if (kpro5 === undefined) throw new Error('the sample has lost its host');
  const hosts = { ...config.hosts, kpro5: { ...kpro5, rights: { ...kpro5.rights, force: [] } } };
  config = { ...config, hosts };
  await launch(id, tools(), never);
  expect(launched).toEqual([]);
  expect((await runOf(id)).failure).toMatchObject({ reason: expect.stringContaining('may not force on kpro5') });
});

test('GPUs that others took meanwhile are told as such, not as a failed check', async () => {
  const id = await ordered();
  seen = [gpu(0), gpu(1, { usedMib: 40_000, freeMib: 8_000, processes: [stranger()] })];
  told = facts({ gpus: { kind: 'told', value: seen } });
  await launch(id, tools(), never);
  expect(launched).toEqual([]);
  expect((await runOf(id)).failure).toMatchObject({ kind: 'refused', taken: { holders: [{ kind: 'process' }] } });
});

test('a host that fails at the checks alone is started on, and the list says that nothing was checked', async () => {
  told = new CommandFailed({ host: 'kpro5', script: 'preflight', exitCode: 127, stderr: 'dd: not found' });
  const id = await ordered();
  await launch(id, tools(), never);
  expect(launched).toHaveLength(1);
  expect((await runOf(id)).checks?.findings).toMatchObject([{ verdict: 'unknown', label: 'Checks' }]);
});

test('a check that somebody asks for tells what Vigil’s own runs hold, and starts nothing', async () => {
  const holder = await ordered();
  const desk = openDesk({ ...store, config, clock });
  const id = await desk.ask({ kind: 'check', host: 'kpro5', recipe: 'dflash' });
  await ask(id, tools(), never);
  const answer = await desk.answerTo<'check'>(id);
  const checks: Checklist | null = answer?.kind === 'told' ? answer.told : null;
  expect(checks?.findings[0]).toMatchObject({
    label: 'In use',
    verdict: 'refused',
    found: expect.stringContaining('kpro5-1'),
  });
  expect(launched).toEqual([]);
  expect((await runOf(holder)).phase).toBe('queued');
});
