import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { report } from '../../jobs/report.ts';
import type { SlackStandIn } from '../../rehearsal/slack/server.ts';
import { observe } from '../../src/flow/write.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import type { Store } from '../../src/queue/store.ts';
import type { Observation } from '../../src/run/observe.ts';
import { CHANNEL, openReportStage, type ReportStage } from '../support/report-stage.ts';

let stage: ReportStage;
let slack: SlackStandIn;
let store: Store;
let tools: Tools;
let id: string;

beforeEach(async () => {
  stage = await openReportStage({ post: 400, intent: 600, cardYoung: 0, reconnect: 20 });
  ({ slack, store, tools } = stage);
  const desk = openDesk({ ...store, config: tools.config, clock: tools.clock });
  const answer = await desk.launch(
    { trigger: 'T', host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: CHANNEL, mode: { kind: 'now' } },
    'unknown',
  );
  id = answer.kind === 'accepted' ? answer.request.id : '';
  await store.journal.decideHome(id, CHANNEL);
});

afterEach(async () => {
  await stage.close();
});

const run = (): Promise<unknown> => report(id, tools, new AbortController().signal);

async function happen(...observations: Observation[]): Promise<void> {
  await observe(store.journal, id, () => observations);
}

const REFUSED: Observation = {
  kind: 'refused',
  reason: 'port 8000 is in use by pid 12',
  at: Date.now(),
  seen: Date.now(),
};

/** What stands in the channel: the card's text, and each reply's. */
function thread(): { roots: string[]; replies: string[] } {
  const standing = slack.messages(CHANNEL).filter((message) => !message.deleted);
  return {
    roots: standing.filter((message) => message.thread === null).map((message) => message.text),
    replies: standing.filter((message) => message.thread !== null).map((message) => message.text),
  };
}

describe('a report', () => {
  test('posts one card, edits it in place, and tells the end in a reply that mentions who asked', async () => {
    await run();
    await happen(REFUSED);
    await run();
    const { roots, replies } = thread();
    expect(roots).toHaveLength(1);
    expect(roots[0]).toContain('kpro5-1');
    expect(replies).toHaveLength(1);
    expect(replies[0]).toContain('port 8000 is in use by pid 12');
    expect(slack.messages(CHANNEL).at(-1)?.notified).toContainEqual(expect.objectContaining({ id: 'U0ALICE' }));
    expect(await store.journal.dirty()).toEqual([]);
  });

  test('does not let the card fall behind many replies', async () => {
    await run();
    const notices = Array.from(
      { length: 4 },
      (_, i) => ({ kind: 'notice', text: `notice ${i}`, at: 1, seen: 1 }) as const,
    );
    await happen({ kind: 'checking', at: 1, seen: 1 }, ...notices);
    await store.redis.hincrby(store.keys.run(id), 'cardAt', -60_000);
    await run();
    const calls = slack.calls().map((call) => call.method);
    expect(calls.indexOf('chat.update')).toBeGreaterThan(-1);
    expect(calls.indexOf('chat.update')).toBeLessThan(calls.lastIndexOf('chat.postMessage'));
    expect(thread().replies).toHaveLength(4);
  });

  test('says nothing twice when it runs again', async () => {
    await happen(REFUSED);
    await run();
    await run();
    expect(thread()).toMatchObject({ roots: [expect.any(String)], replies: [expect.any(String)] });
  });

  test('finds a root whose answer was lost instead of posting a second', async () => {
    slack.faults.loseResponse('chat.postMessage', 1);
    await run();
    expect(thread().roots).toHaveLength(1);
    expect(slack.calls('chat.postMessage')).toHaveLength(1);
  });

  test('finds a reply whose answer was lost instead of posting a second', async () => {
    await run();
    slack.faults.loseResponse('chat.postMessage', 1);
    await happen(REFUSED);
    await run();
    expect(thread().replies).toHaveLength(1);
  });

  test('goes on looking when the search itself is rate limited', async () => {
    slack.faults.loseResponse('chat.postMessage', 1);
    slack.faults.limit('conversations.history', 1, 1);
    await run();
    expect(thread().roots).toHaveLength(1);
  });

  test('posts again what Slack never stored', async () => {
    slack.faults.fail('chat.postMessage', 'internal_error', 1);
    await run();
    expect(thread().roots).toHaveLength(1);
  });

  test('waits out a rate limit and goes on', async () => {
    slack.faults.limit('chat.postMessage', 1, 1);
    await happen(REFUSED);
    await run();
    expect(thread()).toMatchObject({ roots: [expect.any(String)], replies: [expect.any(String)] });
  });

  test('starts a new thread when somebody deleted the root', async () => {
    await run();
    const root = slack.messages(CHANNEL)[0];
    slack.deleteMessage(CHANNEL, root?.ts ?? '');
    await happen(REFUSED);
    await run();
    expect(thread()).toMatchObject({ roots: [expect.any(String)], replies: [expect.any(String)] });
  });

  test('goes to a direct message when the channel is closed to it', async () => {
    slack.faults.fail('chat.postMessage', 'is_archived', 1);
    await run();
    expect(thread().roots).toEqual([]);
    const [, root, why] = slack.calls('chat.postMessage').map(({ args }) => args);
    expect(root?.channel).toBe('U0ALICE');
    expect(why?.text).toMatch(/told here, since its channel can't be written to .*is_archived/);
    expect(await store.journal.dirty()).toEqual([]);
  });

  test('of a run without a home tells nobody and is settled', async () => {
    const other = await store.journal.load(id);
    expect(other?.home).toBe(CHANNEL);
    await store.redis.hset(store.keys.run(id), 'home', 'nowhere');
    await run();
    expect(slack.calls('chat.postMessage')).toEqual([]);
    expect(await store.journal.dirty()).toEqual([]);
  });
});
