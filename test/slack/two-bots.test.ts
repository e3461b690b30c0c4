/** Two bot processes behind one Slack, with one Redis: what Slack brings again, to whichever of them, is carried out once. */

import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import type { Chat, Place } from '../../src/chat.ts';
import { observe } from '../../src/flow/write.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { renderCard } from '../../src/report/card.ts';
import type { Observation } from '../../src/run/observe.ts';
import { startSlackApp } from '../../src/slack/app.ts';
import { openChat } from '../../src/slack/chat.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';
import { GATE } from '../support/gate.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { CONFIG } from './set-up.ts';

const CHANNEL = 'C0OPS';
const FROM = { user: 'U0ALICE', channel: CHANNEL };
let slack: SlackStandIn;
let store: Store;
let chat: Chat;
let releasers: (() => Promise<void>)[];

beforeEach(async () => {
  const log = pino({ level: 'silent' });
  const config = { ...CONFIG, instance: freshPrefix() };
  slack = await startSlack({
    page: false,
    appName: 'vigil',
    channels: [
      { id: CHANNEL, name: 'ops', botIsMember: true },
      { id: 'C0HOST', name: 'host', botIsMember: true },
    ],
    users: [{ id: 'U0ALICE', name: 'Alice', kind: 'member' }],
  });
  releasers = [() => slack.stop()];
  const { botToken, appToken, apiUrl } = slack;
  for (let bot = 0; bot < 2; bot++) {
    store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
    releasers.push(store.close);
    chat = openChat({ token: botToken, apiUrl, timeoutMs: 2000, gate: GATE, log });
    const unanswered = { kind: 'failed', reason: 'no host is asked' } as const;
    const ask = { ask: async () => 'a question', answerTo: async () => unanswered };
    const desk = { ...openDesk({ ...store, config, clock: Date }), ...ask };
    const app = await startSlackApp(
      {
        ...{ config, desk, chat, gate: GATE, clock: Date, log },
        slack: { kind: 'tokens', botToken, apiUrl, entrance: { kind: 'socket', appToken } },
        onFatal(error) {
          throw error;
        },
      },
      { staggerMs: 10, drainMs: 50 },
    );
    releasers.push(app.stop);
  }
  await vi.waitFor(() => expect(slack.connections.open).toBe(4));
});

afterEach(async () => {
  for (const release of releasers.reverse()) await release();
});

/** Brings the newest envelope to every connection once more, and waits until all have acknowledged it. */
async function again(): Promise<void> {
  const before = slack.connections.envelopes().at(-1)?.acks.length ?? 0;
  for (let time = 0; time < 4; time++) slack.connections.redeliver();
  await vi.waitFor(() => expect(slack.connections.envelopes().at(-1)?.acks.length).toBe(before + 4));
}

async function launched(): Promise<string> {
  await slack.command({ ...FROM, text: '/vllm launch kpro5 dflash' });
  const [id = ''] = await vi.waitFor(async () => {
    const live = await store.journal.live();
    expect(live).toHaveLength(1);
    return live;
  });
  return id;
}

/** The card of a run that has started, as a report would post it. */
async function card(id: string, ...more: Observation[]): Promise<Place> {
  const at = Date.now();
  const { started } = sampleRun({ phase: 'loading' });
  if (started === null) throw new Error('the sample has not started');
  const launching: Observation = { kind: 'launched', started: { ...started, at }, at, seen: at };
  const run = await observe(store.journal, id, () => [launching, ...more]);
  if (run === null) throw new Error('the run is not known');
  const root = await chat.post({ channel: CHANNEL, thread: null }, renderCard(run, VIEW), { run: id, event: 'root' });
  await store.outbox.delivered(id, await store.outbox.take(id), 0, root);
  return root;
}

const eventsOf = async (id: string) => ((await store.outbox.read(id))?.events ?? []).map(({ kind }) => kind);
const count = (all: readonly string[], kind: string): number => all.filter((one) => one === kind).length;

test('a launch', async () => {
  await launched();
  await again();
  expect(await store.journal.live()).toHaveLength(1);
});

test('a stop, and clicks of two people at once', async () => {
  const id = await launched();
  const root = await card(id);
  const click = { ...FROM, ts: root.ts, actionId: 'stop' };
  await Promise.all([slack.click(click), slack.click(click)]);
  await again();
  await vi.waitFor(async () => expect(count(await eventsOf(id), 'stopping')).toBe(1));
  expect(count(await eventsOf(id), 'stopping')).toBe(1);
});

test('a restart', async () => {
  const id = await launched();
  const at = Date.now();
  const root = await card(id, { kind: 'exited', exit: { code: 1, signal: null, at }, tail: [], at, seen: at });
  await slack.click({ ...FROM, ts: root.ts, actionId: 'restart' });
  await again();
  await vi.waitFor(async () => expect(await store.journal.live()).toHaveLength(1));
  const [other = ''] = await store.journal.live();
  // Also when the second has ended by then.
  await observe(store.journal, other, () => [{ kind: 'refused', reason: 'no', at, seen: at }]);
  await again();
  expect(await store.journal.live()).toEqual([]);
});

test('a log as a file', async () => {
  const id = await launched();
  await card(id);
  await slack.command({ ...FROM, text: '/vllm logs last --file' });
  await again();
  expect(count(await eventsOf(id), 'log_asked')).toBe(1);
});

test('a mention', async () => {
  await slack.talk({ ...FROM, text: '@vigil launch kpro5 dflash' });
  await again();
  await vi.waitFor(async () => expect(await store.journal.live()).toHaveLength(1));
  await again();
  expect(await store.journal.live()).toHaveLength(1);
});

test('a modal that is sent, twice', async () => {
  await slack.command({ ...FROM, text: '/vllm' });
  const [view] = slack.dialogs();
  if (view === undefined) throw new Error('no modal has opened');
  const sent = { user: 'U0ALICE', viewId: view.id, values: {} };
  await slack.submit(sent);
  await again();
  await vi.waitFor(async () => expect(await store.journal.live()).toHaveLength(1));
  expect(await store.journal.live()).toHaveLength(1);
});
