/** The chat against the local Slack stand-in, by the unmodified SDK. */

import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import { type Chat, ChatError, type Message } from '../../src/chat.ts';
import { renderCard } from '../../src/report/card.ts';
import { openChat } from '../../src/slack/chat.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';

const OPS = 'C0OPS';
const KEY = { run: 'r1', event: '1' };
const CARD = renderCard(sampleRun({}), VIEW);
let slack: SlackStandIn;
let chat: Chat;

const open = (timeoutMs: number) =>
  openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs, log: pino({ level: 'silent' }) });

beforeEach(async () => {
  slack = await startSlack({
    page: false,
    channels: [
      { id: OPS, name: 'ops', botIsMember: true },
      { id: 'C0OTHER', name: 'other', botIsMember: false },
      { id: 'C0SECRET', name: 'secret', botIsMember: false, private: true },
    ],
    users: [
      { id: 'U0ALICE', name: 'Alice', kind: 'member' },
      { id: 'U0GUEST', name: 'Guest', kind: 'guest' },
      { id: 'U0FAR', name: 'Far', kind: 'member', teamId: 'T0FAR' },
    ],
  });
  chat = open(10_000);
});

afterEach(() => slack.stop());

/** What kind of ChatError the work ends in. */
async function failure(work: Promise<unknown>): Promise<{ kind: string; retryAfterMs: number } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ChatError) return { kind: error.kind, retryAfterMs: error.retryAfterMs };
    throw error;
  }
}

test('a card is posted, edited, replied to, and its key found', async () => {
  const root = await chat.post({ channel: OPS, thread: null }, CARD, KEY);
  await chat.edit(root, { ...CARD, text: 'Ready.' }, KEY);
  const reply = await chat.post(
    { channel: OPS, thread: root.ts },
    { text: 'NCCL up.', blocks: [] },
    { run: 'r1', event: '2' },
  );
  expect(slack.messages(OPS)).toMatchObject([
    {
      ts: root.ts,
      text: 'Ready.',
      edits: 1,
      metadata: { event_type: 'vigil', event_payload: { run: 'r1', event: '1' } },
    },
    { ts: reply.ts, thread: root.ts, text: 'NCCL up.' },
  ]);
  const since = Date.now() - 1000;
  expect(await chat.find({ channel: OPS, thread: null }, KEY, since)).toEqual(root);
  expect(await chat.find({ channel: OPS, thread: root.ts }, { run: 'r1', event: '2' }, since)).toEqual(reply);
  expect(await chat.find({ channel: OPS, thread: root.ts }, { run: 'r1', event: '3' }, since)).toBe('none');
  expect(await chat.find({ channel: 'C0OTHER', thread: null }, KEY, since)).toBe('unknown');
  expect(await chat.permalink(root)).toMatch(/archives\/C0OPS\/p/);
});

test('a reply is shown to the whole channel where the message says so, also when only its text goes out', async () => {
  const root = await chat.post({ channel: OPS, thread: null }, { ...CARD, broadcast: true }, KEY);
  const thread = { channel: OPS, thread: root.ts };
  await chat.post(thread, CARD, { run: 'r1', event: '2' });
  await chat.post(thread, { ...CARD, broadcast: true }, { run: 'r1', event: '3' });
  await chat.edit(root, { ...CARD, broadcast: true }, KEY);
  const refused: Message = { text: 'Failed.', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '' } }] };
  await chat.post(thread, { ...refused, broadcast: true }, { run: 'r1', event: '4' });
  const shown = (method: string) => slack.calls(method).map(({ args }) => args.reply_broadcast);
  expect(shown('chat.postMessage')).toEqual([undefined, undefined, 'true', 'true', 'true']);
  expect(shown('chat.update')).toEqual([undefined]);
});

test('a post whose answer was lost is posted once, and counts as ambiguous', async () => {
  for (const how of ['cut', 'silence'] as const) {
    slack.faults.loseResponse('chat.postMessage', 1, how);
    const post = open(how === 'silence' ? 500 : 10_000).post({ channel: OPS, thread: null }, CARD, {
      run: 'r1',
      event: how,
    });
    expect(await failure(post)).toMatchObject({ kind: 'ambiguous' });
    expect(await chat.find({ channel: OPS, thread: null }, { run: 'r1', event: how }, Date.now() - 5000)).toMatchObject(
      { channel: OPS },
    );
  }
  expect(slack.messages(OPS)).toHaveLength(2);
});

test.each([
  [(faulty: SlackStandIn) => faulty.faults.limit('chat.postMessage', 1, 7), { kind: 'limited', retryAfterMs: 7000 }],
  [(faulty: SlackStandIn) => faulty.faults.status('chat.postMessage', 503, 1), { kind: 'ambiguous', retryAfterMs: 0 }],
  [
    (faulty: SlackStandIn) => faulty.faults.fail('chat.postMessage', 'is_archived', 1),
    { kind: 'closed', retryAfterMs: 0 },
  ],
  [
    (faulty: SlackStandIn) => faulty.faults.fail('chat.postMessage', 'token_revoked', 1),
    { kind: 'dead', retryAfterMs: 0 },
  ],
  [
    (faulty: SlackStandIn) => faulty.faults.fail('chat.postMessage', 'restricted_action_read_only_channel', 1),
    { kind: 'closed', retryAfterMs: 0 },
  ],
  [
    (faulty: SlackStandIn) => faulty.faults.fail('chat.postMessage', 'never_heard_of', 1),
    { kind: 'ambiguous', retryAfterMs: 0 },
  ],
])("Slack's refusal %# is told by its kind", async (plan, expected) => {
  plan(slack);
  expect(await failure(chat.post({ channel: OPS, thread: null }, CARD, KEY))).toEqual(expected);
});

test('a reply to a deleted root is taken back, and the root is gone', async () => {
  const root = await chat.post({ channel: OPS, thread: null }, CARD, KEY);
  slack.deleteMessage(OPS, root.ts);
  expect(await failure(chat.post({ channel: OPS, thread: root.ts }, CARD, KEY))).toMatchObject({ kind: 'gone' });
  expect(slack.messages(OPS).filter((message) => !message.deleted)).toEqual([]);
  expect(await failure(chat.edit(root, CARD, KEY))).toMatchObject({ kind: 'gone' });
  expect(await chat.find({ channel: OPS, thread: root.ts }, KEY, 0)).toBe('none');
});

test('refused blocks do not keep the sentence back', async () => {
  const broken: Message = {
    text: 'Failed: CUDA out of memory.',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }],
  };
  const root = await chat.post({ channel: OPS, thread: null }, broken, KEY);
  await chat.edit(root, broken, KEY);
  expect(slack.messages(OPS)).toMatchObject([
    { text: broken.text, edits: 1, blocks: [{ type: 'section', text: { text: broken.text } }] },
  ]);
});

test('people are told apart, and membership is known', async () => {
  expect(await chat.person('U0ALICE')).toEqual({ kind: 'member', name: 'Alice' });
  expect(await chat.person('U0GUEST')).toMatchObject({ kind: 'guest' });
  expect(await chat.person('U0FAR')).toMatchObject({ kind: 'stranger' });
  expect(await chat.person('U0NOBODY')).toEqual({ kind: 'stranger', name: 'U0NOBODY' });
  expect(await chat.person(slack.botUserId)).toMatchObject({ kind: 'bot' });
  expect(await chat.isMember(OPS)).toBe(true);
  expect(await chat.isMember('C0OTHER')).toBe(false);
  expect(await chat.isMember('C0SECRET')).toBe(false);
  await chat.person('U0ALICE');
  expect(slack.calls('users.info').length).toBe(5);
});
