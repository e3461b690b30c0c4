import { expect, test } from 'vitest';
import { DeskClosed } from '../../src/requests.ts';
import { sampleRun } from '../report/sample-run.ts';
import { setUp } from './set-up.ts';

const RUN = 'vigil-kpro5-1a2b';

test('an accepted launch says what was understood and the name of the run', async () => {
  const { type, desk } = setUp();
  expect(await type('launch kpro5 dflash')).toMatchInlineSnapshot(
    `
    "Launching dflash on kpro5 as kpro5-3, port 8000, GPUs 0 and 1. Its thread follows here.
    vllm serve Qwen/Qwen3-8B --port 8000"
  `,
  );
  expect(desk.orders).toEqual([
    { trigger: '1.1', host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS', mode: { kind: 'now' } },
  ]);
  expect(desk.homes.get(RUN)).toBe('C0OPS');
});

test('the same trigger gets the same answer', async () => {
  const { type } = setUp();
  expect(await type('launch kpro5 dflash')).toBe(await type('launch kpro5 dflash'));
});

test("outside its channels the thread goes to the host's, and its link follows", async () => {
  const { type, desk, afterwards } = setUp();
  expect(await type('launch kpro5 dflash', { channel: 'C0LOBBY' })).toContain(
    'I am not in this channel: its thread follows in #C0HOST.',
  );
  expect(desk.homes.get(RUN)).toBe('C0HOST');
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0HOST', ts: '9.000001' } });
  expect(await afterwards()).toEqual([
    'kpro5-3 is followed in #C0HOST: open its thread (https://example.slack.com/archives/C0HOST/p9000001).',
  ]);
});

test('nothing is said twice when the thread stands where the command was typed', async () => {
  const { type, desk, afterwards } = setUp();
  await type('launch kpro5 dflash');
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '9.000001' } });
  expect(await afterwards()).toEqual([]);
});

test('a thread that does not come is told', async () => {
  const { type, afterwards } = setUp();
  await type('launch kpro5 dflash');
  expect(await afterwards()).toEqual([
    "The thread of kpro5-3 isn't there yet. /vllm status kpro5-3 tells how it stands.",
  ]);
});

test('without a channel to tell it in, nothing starts, and the answer says how to invite', async () => {
  const { type, chat, desk } = setUp();
  chat.memberships.clear();
  expect(await type('launch kpro5 dflash', { channel: 'C0LOBBY' })).toMatchInlineSnapshot(
    `"Not started: I am not a member of this channel or #C0HOST (the channel of kpro5), so kpro5-3 has no place for its thread. Invite me with /invite @vigil, then ask again."`,
  );
  expect(desk.homes.get(RUN)).toBeNull();
});

test('a place that a worker decided before holds, whatever this process found', async () => {
  const { type, chat, desk, afterwards } = setUp();
  chat.memberships.clear();
  desk.homes.set(RUN, 'C0HOST');
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0HOST', ts: '9.000001' } });
  expect(await type('launch kpro5 dflash')).toContain('Where its thread goes follows in a moment.');
  expect((await afterwards())[0]).toContain('is followed in #C0HOST');
});

test('a slow Slack holds nobody up: the answer comes, and what became of the thread follows', async () => {
  const { type, chat, desk, afterwards } = setUp();
  const asked: ((isIn: boolean) => void)[] = [];
  chat.isMember = () => new Promise((resolve) => asked.push(resolve));
  expect(await type('launch kpro5 dflash')).toContain('Where its thread goes follows in a moment.');
  expect(desk.homes.size).toBe(0);
  for (const answer of asked) answer(false);
  expect((await afterwards())[0]).toContain('Not started: I am not a member of');
  expect(desk.homes.get(RUN)).toBeNull();
});

test('when Redis does not answer, the launch is not accepted', async () => {
  const { type, desk } = setUp();
  desk.launch = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await type('launch kpro5 dflash')).toBe('Not accepted: Redis does not answer, nothing was started.');
});

test('when Redis goes away before the thread has its place, the run is not started and that is told', async () => {
  const limits = { person: 100, answer: 50, thread: 120, poll: 5, host: 100, verify: 100, pollHost: 5 };
  const { type, desk, afterwards } = setUp({ limits });
  desk.decideHome = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await type('launch kpro5 dflash')).toContain('Where its thread goes follows in a moment.');
  expect(await afterwards()).toEqual([
    'kpro5-3 was not started: Redis does not answer, so its thread has no place. Ask again in a minute.',
  ]);
});
