import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launch } from '../../jobs/launch.ts';
import { stop } from '../../jobs/stop.ts';
import { ChatError, type Person } from '../../src/chat.ts';
import type { Config, HostConfig } from '../../src/config/config.ts';
import { homeOf } from '../../src/flow/home.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const clock = { now: () => Date.now() };
const never = new AbortController().signal;
let store: Store;
let config: Config;
let id: string;

beforeEach(async () => {
  config = { ...sampleConfig(), instance: freshPrefix() };
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  const desk = openDesk({ ...store, config, clock });
  const answer = await desk.launch(
    { trigger: 'T', host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS', mode: { kind: 'now' } },
    'unknown',
  );
  id = answer.kind === 'accepted' ? answer.request.id : '';
  await desk.decideHome(id, 'C0OPS');
});

afterEach(() => store.close());

/** What a worker has whose vigil.yaml grants nothing on kpro5 any more, or whose Slack knows a guest. */
function tools(change: { config?: Config; kind?: Person['kind'] }): Tools {
  const chat = new FakeChat();
  chat.people.set('U0ALICE', { kind: change.kind ?? 'member', name: 'alice' });
  const hosts = {
    get: () => {
      throw new Error('no host may be asked');
    },
    close: async () => {},
  };
  return {
    ...store,
    hosts,
    chat,
    config: change.config ?? config,
    clock,
    timings: PRODUCTION,
    log: pino({ level: 'silent' }),
  };
}

function withoutRights(): Config {
  return withRights({});
}

function withRights(rights: Partial<HostConfig['rights']>): Config {
  const none = { see: [], launch: [], force: [], stop: [], watch: [] };
  const kpro5 = { ...config.hosts.kpro5, rights: { ...none, ...rights } };
  return { ...config, hosts: { ...config.hosts, kpro5: kpro5 as Config['hosts'][string] } };
}

test('a launch whose right was taken away before a worker came to it starts nothing', async () => {
  await launch(id, tools({ config: withoutRights() }), never);
  expect((await store.journal.load(id))?.run).toMatchObject({
    phase: 'failed',
    failure: { reason: expect.stringContaining('may not launch on kpro5') },
  });
});

test('a launch by somebody who is a guest by now starts nothing', async () => {
  await launch(id, tools({ kind: 'guest' }), never);
  expect((await store.journal.load(id))?.run).toMatchObject({
    failure: { kind: 'refused', reason: expect.stringContaining('no full member') },
  });
});

test('a launch by a group that Slack does not tell starts nothing, and the card says why', async () => {
  const byGroup = withRights({ launch: ['S0GPU'] });
  const all = tools({ config: byGroup });
  const members = () => Promise.reject(new ChatError('closed', 'usergroups.users.list: Slack says no_such_subteam'));
  await launch(id, { ...all, chat: Object.assign(new FakeChat(), { members }) }, never);
  expect((await store.journal.load(id))?.run).toMatchObject({
    phase: 'failed',
    failure: { reason: expect.stringMatching(/may not launch on kpro5.*user group S0GPU.*Nothing was started/s) },
  });
});

const noScope = (method: string, scope: string) => () =>
  Promise.reject(new ChatError('closed', `${method}: Slack says missing_scope (needed: ${scope})`));

test('where Slack will never say who asked, nothing is started, and the card says what the app lacks', async () => {
  const person = noScope('users.info', 'users:read');
  await launch(id, { ...tools({}), chat: Object.assign(new FakeChat(), { person }) }, never);
  expect((await store.journal.load(id))?.run).toMatchObject({
    phase: 'failed',
    failure: { reason: expect.stringMatching(/does not say who asked.*users:read.*Nothing was started/s) },
  });
});

test('where Slack will never say whether the bot is in a channel, the thread goes to who asked', async () => {
  const answer = await openDesk({ ...store, config, clock }).launch(
    { trigger: 'T2', host: 'trainer', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS', mode: { kind: 'now' } },
    'unknown',
  );
  const other = answer.kind === 'accepted' ? answer.request.id : '';
  const isMember = noScope('conversations.info', 'channels:read');
  const late = { ...PRODUCTION, home: -1 };
  const asking = { ...tools({}), timings: late, chat: Object.assign(new FakeChat(), { isMember }) };
  expect(await homeOf(other, asking, never)).toBe('U0ALICE');
});

test('a stop that is let go while Slack is away is not carried out before anybody was asked', async () => {
  const desk = openDesk({ ...store, config, clock });
  await desk.stop(id, 'U0ALICE');
  const gone = new AbortController();
  const person = () => {
    gone.abort();
    return Promise.reject(new ChatError('ambiguous', 'users.info: no answer from Slack'));
  };
  const outcome = await stop(id, { ...tools({}), chat: Object.assign(new FakeChat(), { person }) }, gone.signal);
  expect(outcome).toBe('again');
  expect((await store.journal.load(id))?.run).toMatchObject({ phase: 'queued', stopBy: 'U0ALICE' });
});

test('a stop whose right was taken away is not carried out, and the run goes on', async () => {
  const desk = openDesk({ ...store, config, clock });
  await desk.stop(id, 'U0ALICE');
  await stop(id, tools({ config: withoutRights() }), never);
  const entry = await store.journal.load(id);
  expect(entry?.run.phase).not.toBe('stopped');
  expect(entry?.run.stopBy).toBeNull();
  const events = (await store.outbox.read(id))?.events ?? [];
  expect(events.at(-1)).toMatchObject({ kind: 'notice', text: expect.stringContaining('may not stop on kpro5') });
});
