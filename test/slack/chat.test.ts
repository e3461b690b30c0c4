/** The chat against the local Slack stand-in, by the unmodified SDK. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import { type Chat, ChatError, type Message } from '../../src/chat.ts';
import { renderCard } from '../../src/report/card.ts';
import { openChat } from '../../src/slack/chat.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';
import { GATE } from '../support/gate.ts';

const OPS = 'C0OPS';
const KEY = { run: 'r1', event: '1' };
const CARD = renderCard(sampleRun({}), VIEW);
let slack: SlackStandIn;
let chat: Chat;

const access = (timeoutMs: number) => {
  return { token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs, gate: GATE, log: pino({ level: 'silent' }) };
};
const open = (timeoutMs: number) => openChat(access(timeoutMs));

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
    groups: [{ id: 'S0GPU', handle: 'gpu', members: ['U0ALICE'] }],
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

test('what refused blocks say is said in plain text', async () => {
  const broken: Message = {
    text: 'Failed: CUDA out of memory.',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } },
      { type: 'section', text: { type: 'mrkdwn', text: 'Lower --max-model-len.' } },
    ],
  };
  const root = await chat.post({ channel: OPS, thread: null }, broken, KEY);
  await chat.edit(root, broken, KEY);
  const [message] = slack.messages(OPS);
  expect(message).toMatchObject({ text: broken.text, edits: 1 });
  expect(JSON.stringify(message?.blocks)).toContain('Lower --max-model-len.');
});

test('where even that is refused, the sentence goes out alone', async () => {
  slack.faults.fail('chat.postMessage', 'invalid_blocks', 2);
  await chat.post({ channel: OPS, thread: null }, CARD, KEY);
  expect(slack.messages(OPS)).toMatchObject([{ text: CARD.text, blocks: [{ text: { type: 'plain_text' } }] }]);
});

test('a workspace that takes no plan is asked once', async () => {
  const plan: Message = {
    text: 'Loading.',
    blocks: [{ type: 'plan', title: 'Loading', tasks: [{ type: 'task_card', task_id: 'a', title: 'NCCL up' }] }],
  };
  slack.faults.fail('chat.postMessage', 'invalid_blocks', 1);
  const root = await chat.post({ channel: OPS, thread: null }, plan, KEY);
  await chat.edit(root, { ...plan, text: 'Ready.' }, KEY);
  expect(slack.calls('chat.postMessage')).toHaveLength(2);
  expect(slack.calls('chat.update')).toHaveLength(1);
  expect(slack.calls('chat.update')[0]?.args.blocks).not.toContain('"plan"');
  expect(JSON.stringify(slack.messages(OPS)[0]?.blocks)).toContain('NCCL up');
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

const SNIPPET = { filename: 'kpro5-3.log', title: 'The last lines', text: 'INFO ready\n💥 ERROR\n' };

test('a file is handed over, shared in a thread, and seen there after a while', async () => {
  const root = await chat.post({ channel: OPS, thread: null }, CARD, KEY);
  const file = await chat.upload(SNIPPET);
  expect(slack.messages(OPS)).toHaveLength(1);
  expect(await chat.isShared(file, OPS)).toBe(false);
  await chat.share(file, { channel: OPS, thread: root.ts }, { title: SNIPPET.title, comment: 'Its log.' });
  await vi.waitFor(async () => expect(await chat.isShared(file, OPS)).toBe(true));
  expect(await chat.isShared(file, 'C0OTHER')).toBe(false);
  expect(slack.messages(OPS)[1]).toMatchObject({
    thread: root.ts,
    text: 'Its log.',
    files: [{ id: file, name: SNIPPET.filename, title: SNIPPET.title, text: SNIPPET.text }],
  });
  expect(slack.calls('files.getUploadURLExternal')[0]?.args).toMatchObject({ snippet_type: 'text', length: '22' });
});

test.each([
  [
    'files.getUploadURLExternal',
    'closed',
    (faulty: SlackStandIn, method: string) => faulty.faults.fail(method, 'missing_scope', 1),
  ],
  [
    'files.getUploadURLExternal',
    'closed',
    (faulty: SlackStandIn, method: string) => faulty.faults.fail(method, 'storage_limit_reached', 1),
  ],
  [
    'files.getUploadURLExternal',
    'limited',
    (faulty: SlackStandIn, method: string) => faulty.faults.limit(method, 1, 7),
  ],
  ['upload', 'limited', (faulty: SlackStandIn, method: string) => faulty.faults.limit(method, 1, 7)],
  ['upload', 'ambiguous', (faulty: SlackStandIn, method: string) => faulty.faults.status(method, 500, 1)],
  ['upload', 'ambiguous', (faulty: SlackStandIn, method: string) => faulty.faults.loseResponse(method, 1)],
])('an upload that %s ends is %s, and is not tried a second time', async (method, kind, plan) => {
  plan(slack, method);
  expect(await failure(chat.upload(SNIPPET))).toMatchObject({ kind });
  expect(slack.calls(method)).toHaveLength(1);
});

test('an upload of nothing, or of more than a snippet holds, is refused before Slack is asked', async () => {
  expect(await failure(chat.upload({ ...SNIPPET, text: '' }))).toMatchObject({ kind: 'invalid' });
  expect(await failure(chat.upload({ ...SNIPPET, text: 'é'.repeat(500_001) }))).toMatchObject({ kind: 'invalid' });
  expect(slack.calls('files.getUploadURLExternal')).toHaveLength(0);
});

test.each([
  ['file_update_failed', 'ambiguous'],
  ['file_not_found', 'gone'],
  ['not_in_channel', 'closed'],
])('a file that can not be shown (%s) is %s', async (code, kind) => {
  const file = await chat.upload(SNIPPET);
  slack.faults.fail('files.completeUploadExternal', code, 1);
  const sharing = chat.share(file, { channel: OPS, thread: '1.0' }, { title: 'x', comment: 'y' });
  expect(await failure(sharing)).toMatchObject({ kind });
});

test('a limit on files holds up no post', async () => {
  slack.faults.limit('files.info', 1, 30);
  const looking = failure(chat.isShared('F1', OPS));
  await chat.post({ channel: OPS, thread: null }, CARD, KEY);
  expect(await looking).toEqual({ kind: 'limited', retryAfterMs: 30_000 });
});

test('bytes go to nobody but Slack, whatever address comes back', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, file_id: 'F1', upload_url: 'http://127.0.0.1:9/upload' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  const astray = openChat({ ...access(10_000), apiUrl: `http://127.0.0.1:${port}/api/` });
  expect(await failure(astray.upload(SNIPPET))).toMatchObject({ kind: 'ambiguous' });
  expect(asked).toEqual(['/api/files.getUploadURLExternal']);
});

test('a whisper is seen by one person, in the thread; who is not there is told by a closed door', async () => {
  const root = await chat.post({ channel: OPS, thread: null }, CARD, KEY);
  await chat.whisper({ channel: OPS, thread: root.ts }, 'U0ALICE', { text: 'Only you.', blocks: [] });
  expect(slack.ephemerals()).toMatchObject([{ user: 'U0ALICE', thread: root.ts, text: 'Only you.' }]);
  slack.faults.fail('chat.postEphemeral', 'user_not_in_channel', 1);
  for (const channel of [OPS, 'C0OTHER', 'C0SECRET']) {
    const whisper = chat.whisper({ channel, thread: null }, 'U0ALICE', { text: 'Only you.', blocks: [] });
    expect(await failure(whisper)).toMatchObject({ kind: 'closed' });
  }
});

test('who is in a user group is asked once in five minutes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await Promise.all([chat.members('S0GPU'), chat.members('S0GPU')])).toEqual([['U0ALICE'], ['U0ALICE']]);
  vi.advanceTimersByTime(299_000);
  await chat.members('S0GPU');
  expect(slack.calls('usergroups.users.list')).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  await chat.members('S0GPU');
  expect(slack.calls('usergroups.users.list')).toHaveLength(2);
});

test.each(['missing_scope', 'plan_upgrade_required', 'no_such_subteam'])(
  'a group that Slack refuses to tell (%s) is no token that died, and is asked again a minute later',
  async (code) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    slack.faults.fail('usergroups.users.list', code, 1);
    for (const _ of [1, 2]) expect(await failure(chat.members('S0GPU'))).toMatchObject({ kind: 'closed' });
    expect(slack.calls('usergroups.users.list')).toHaveLength(1);
    vi.advanceTimersByTime(61_000);
    expect(await chat.members('S0GPU')).toEqual(['U0ALICE']);
  },
);

test('a group that Slack does not tell just now is asked again at once', async () => {
  slack.faults.limit('usergroups.users.list', 1, 30);
  expect(await failure(chat.members('S0GPU'))).toMatchObject({ kind: 'limited' });
  expect(await chat.members('S0GPU')).toEqual(['U0ALICE']);
});

test('without chat:write nothing passes; without another scope one ability is missing', async () => {
  slack.faults.fail('chat.update', 'missing_scope', 1);
  slack.faults.fail('conversations.info', 'missing_scope', 1);
  expect(await failure(chat.edit({ channel: OPS, ts: '1.0' }, CARD, KEY))).toMatchObject({ kind: 'dead' });
  expect(await failure(chat.isMember(OPS))).toMatchObject({ kind: 'closed' });
});
