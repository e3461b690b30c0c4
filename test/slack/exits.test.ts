/** Every way out to Slack, with a secret of every shape in all that it carries: none gets through. */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KnownBlock, ModalView } from '@slack/types';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import type { Chat, Message } from '../../src/chat.ts';
import { UsageError } from '../../src/errors.ts';
import { openChat } from '../../src/slack/chat.ts';
import { openDialogs } from '../../src/slack/dialogs.ts';
import { openGate } from '../../src/slack/gate.ts';
import { openWayBack } from '../../src/slack/respond.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { SAMPLES } from '../support/secrets.ts';
import { runningApp } from './running.ts';

const OWN = 'Own-v4lue/of=the+team';
const ALL = [...SAMPLES, { shape: 'a value of the configuration', secret: OWN, line: `connected with ${OWN} to it` }];
/** Without a name before it, as it would be typed by mistake. */
const TOLD_BY_SHAPE = ALL.filter(({ secret, line }) => line.endsWith(`with ${secret} from disk`) || secret === OWN);
const OPS = 'C0OPS';
const gate = openGate({ secrets: [OWN] });
const log = pino({ level: 'silent' });

let slack: SlackStandIn;
let chat: Chat;

beforeAll(async () => {
  slack = await startSlack({
    page: false,
    channels: [{ id: OPS, name: 'ops', botIsMember: true }],
    users: [{ id: 'U0ALICE', name: 'Alice', kind: 'member' }],
  });
  chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: 10_000, gate, log });
});

afterAll(() => slack.stop());

function messageWith(line: string): Message {
  const block: KnownBlock = { type: 'section', text: { type: 'mrkdwn', text: line, verbatim: true } };
  return { text: line, blocks: [block] };
}

/** By the Web API's method; `upload` are the bytes of a file. */
const WAYS: Readonly<Record<string, (line: string) => Promise<unknown>>> = {
  'chat.postMessage': (line) => chat.post({ channel: OPS, thread: null }, messageWith(line), { run: 'r', event: '1' }),
  'chat.update': async (line) => {
    const place = await chat.post({ channel: OPS, thread: null }, messageWith('x'), { run: 'r', event: '2' });
    await chat.edit(place, messageWith(line), { run: 'r', event: '2' });
  },
  'chat.postEphemeral': (line) => chat.whisper({ channel: OPS, thread: null }, 'U0ALICE', messageWith(line)),
  'files.getUploadURLExternal': (line) => chat.upload({ filename: `${line}.log`, title: line, text: line }),
  upload: (line) => chat.upload({ filename: 'a.log', title: line, text: `a\n${line}\nb` }),
  'files.completeUploadExternal': async (line) => {
    const root = await chat.post({ channel: OPS, thread: null }, messageWith('x'), { run: 'r', event: '3' });
    const file = await chat.upload({ filename: 'a.log', title: line, text: 'a' });
    await chat.share(file, { channel: OPS, thread: root.ts }, { title: line, comment: line });
  },
};

test.each(Object.keys(WAYS))('%s carries no secret of any shape', async (method) => {
  for (const { secret, line } of ALL) {
    const before = slack.calls().length;
    await WAYS[method]?.(line);
    const calls = slack.calls().slice(before);
    expect(calls.map((call) => call.method)).toContain(method);
    const sent = calls.flatMap(({ args }) => Object.values(args));
    for (const written of [secret, JSON.stringify(secret).slice(1, -1)])
      for (const value of sent) expect(value).not.toContain(written);
  }
  for (const { secret } of ALL) expect(JSON.stringify(slack.messages(OPS))).not.toContain(secret);
});

test('a response_url gets no secret of any shape', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  const origin = { user: 'U0ALICE', channel: OPS, thread: null, url: `${apiUrl}answer` };
  const bring = openWayBack({ chat: new FakeChat(), gate, log, apiUrl }, origin);
  for (const { line } of ALL) await bring(messageWith(line));
  server.close();
  expect(bodies).toHaveLength(ALL.length);
  for (const [index, body] of bodies.entries())
    expect(body).not.toContain(JSON.stringify(ALL[index]?.secret).slice(1, -1));
});

test('neither an acknowledgement nor a modal shows a secret of any shape', async () => {
  const world = await runningApp({ gate });
  const who = { user: 'U0ALICE', channel: OPS };
  const dialogs = openDialogs({ token: world.slack.botToken, apiUrl: world.slack.apiUrl, timeoutMs: 5000, gate, log });
  for (const { secret, line } of TOLD_BY_SHAPE) {
    const { ack, triggerId } = await world.slack.command({
      ...who,
      text: `/vllm launch ${secret} dflash`,
    });
    expect(JSON.stringify(ack)).not.toContain(secret);
    const opened = dialogs(triggerId);
    const id = await opened.open(modalWith(line));
    await opened.update(id, modalWith(`again: ${line}`));
    const sent = [...world.slack.calls('views.open'), ...world.slack.calls('views.update')].map(
      ({ args }) => args.view,
    );
    expect(sent.length).toBeGreaterThan(1);
    for (const view of sent) expect(view).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
});

test('what a host answers stands in a modal and in its submission’s answer without secrets', async () => {
  const world = await runningApp({ gate });
  const who = { user: 'U0ALICE', channel: OPS };
  for (const { secret, line } of TOLD_BY_SHAPE.filter((_, index) => index % 7 === 0)) {
    world.desk.told.set('dry_run', { kind: 'failed', reason: `The host said: ${line}` });
    world.desk.launch = () => Promise.reject(new UsageError(`Not started: ${line}.`));
    await world.slack.command({ ...who, text: '/vllm' });
    const viewId = world.slack.dialogs().at(-1)?.id ?? '';
    const before = world.slack.calls('views.update').length;
    for (const [actionId, value] of [
      ['host', 'kpro5'],
      ['recipe', 'dflash'],
    ] as const)
      await world.slack.choose({ ...who, viewId, actionId, value });
    const updates = () =>
      world.slack
        .calls('views.update')
        .slice(before)
        .map(({ args }) => args.view ?? '');
    await vi.waitFor(() => expect(updates().join()).toContain('The host said'));
    const { ack } = await world.slack.submit({ ...who, viewId, values: {} });
    const shown = JSON.stringify([updates(), ack, world.slack.dialogs(), world.slack.ephemerals()]);
    expect(shown).not.toContain(secret);
    expect(shown).toContain('[masked]');
  }
});

function modalWith(line: string): ModalView {
  return { type: 'modal', title: { type: 'plain_text', text: 'x' }, blocks: [...messageWith(line).blocks] };
}

const src = new URL('../../src/slack/', import.meta.url);
/** Methods that carry no text of ours. */
const MUTE = [
  ...['auth.test', 'chat.delete', 'chat.getPermalink', 'conversations.history', 'conversations.info'],
  ...['conversations.replies', 'files.info', 'team.info', 'usergroups.users.list', 'users.info'],
];

it('is all that there is: no other call of Slack is made anywhere', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = files.map((name) => [name, readFileSync(new URL(name, src), 'utf8')] as const);
  const called = texts.flatMap(([, text]) => [...text.matchAll(/call\(\s*'([\w.]+)'/g)].map((match) => match[1] ?? ''));
  const carrying = [...new Set(called)].filter((method) => !MUTE.includes(method));
  const known = [...Object.keys(WAYS).filter((method) => method !== 'upload'), 'views.open', 'views.update'];
  expect(carrying.toSorted()).toEqual(known.toSorted());
  const fetching = texts.filter(([, text]) => /\bfetch\(/.test(text)).map(([name]) => name);
  // The sockets hand on what the SDK asks for itself: the address of a connection.
  expect(fetching.toSorted()).toEqual(['files.ts', 'respond.ts', 'sockets.ts']);
});
