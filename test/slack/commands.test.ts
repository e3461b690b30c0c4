import { expect, test } from 'vitest';
import { DeskClosed } from '../../src/requests.ts';
import { answerClick } from '../../src/slack/click.ts';
import { OOM, sampleRun } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';
import { setUp, withRuns } from './set-up.ts';

test('capitals of a phone do not matter', async () => {
  expect(await withRuns().type('Launch Kpro5 Dflash')).toContain('Launching dflash on kpro5');
});

test('a host stands for its one live run, and several are listed', async () => {
  const { type, desk } = withRuns();
  expect(await type('status kpro5')).toContain('(kpro5-3)');
  desk.summaries.push({ run: sampleRun({}, { id: 'r1', name: 'kpro5-1' }), root: null });
  expect(await type('stop kpro5')).toContain(
    'kpro5 has 2 live servers: kpro5-3 (dflash, loading weights 3/15) and kpro5-1 (dflash, loading weights).',
  );
});

test('last is the newest run of who asks, else the newest that they may see', async () => {
  const { type } = withRuns();
  expect(await type('status last', { user: 'U0BOB' })).toContain('(kpro5-2)');
  expect(await type('status last', { user: 'U0CAROL' })).toContain('(kpro5-3)');
});

test('status lists the live runs that one may see', async () => {
  const { type } = withRuns();
  expect(await type('status', { user: 'U0BOB' })).toMatchInlineSnapshot(`
    "One live server:
    ⏳ kpro5-3 dflash on kpro5: loading weights 3/15 since 2026-11-30 07:00 UTC, by Alice"
  `);
  expect(await type('status', { user: 'U0CAROL' })).toContain('kpro6-9');
});

test('status of a run is its card, without a button, and the way to its thread', async () => {
  const answer = await withRuns().type('status kpro5-3');
  expect(answer).toContain('Loading weights 3/15: dflash on kpro5 (kpro5-3)');
  expect(answer).toContain('Open its thread (https://example.slack.com/');
  expect(answer).not.toContain('[Stop]');
});

test('stop asks once, and says so', async () => {
  const { type, desk } = withRuns();
  expect(await type('stop kpro5-3')).toBe(
    'Stopping kpro5-3 (dflash on kpro5). Its thread in #C0OPS tells when it is proved gone.',
  );
  expect(await type('stop kpro5-3')).toContain('is being stopped already');
  expect(await type('stop kpro5-2')).toContain('has ended already (stopped): there is nothing to stop.');
  expect(desk.stops).toEqual(new Map([['vigil-kpro5-1a2b', 'U0ALICE']]));
});

test('a thread in a direct message is called so, since Slack shows no name of such a channel', async () => {
  const { type, desk, chat } = withRuns();
  chat.permalink = async () => null;
  const [server] = desk.summaries;
  if (server !== undefined) desk.summaries.splice(0, 1, { ...server, root: { channel: 'D0ALICE', ts: '9.000001' } });
  expect(await type('stop kpro5-3')).toContain('Its thread in a direct message tells when it is proved gone.');
  expect(await type('logs kpro5-3 --file')).toContain('is being posted as a file in its thread in a direct message,');
  expect(await type('status kpro5-3')).toContain('Its thread is in a direct message.');
});

test('logs shows the last lines that fit, and the line for a terminal', async () => {
  const { type, desk } = withRuns();
  desk.lines = ['INFO one', 'ERROR <!channel> ```', 'x'.repeat(900)];
  const answer = await type('logs kpro5-3');
  expect(answer).toContain('The last 3 lines of kpro5-3:\n    INFO one\n    ERROR <!channel> ```');
  expect(answer).toContain('ssh -p 10978 root@203.0.113.7 tail -n 100 -F ');
  desk.lines = Array.from({ length: 40 }, (_, index) => `${index} ${'y'.repeat(200)}`);
  expect(await type('logs kpro5-3')).toContain('The last 11 lines');
});

test('logs of a failed run begin with why it failed', async () => {
  const { type, desk } = setUp();
  const exit = { code: 1, signal: null, at: 0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  desk.summaries.push({ run: sampleRun({ phase: 'failed', failure }), root: null });
  desk.lines = ['the last'];
  expect(await type('logs last')).toContain(
    'Failed: CUDA out of memory (Worker_TP1, line 101 of the log)\nThe last line of kpro5-3:\n    the last',
  );
});

test('a mistake of ours becomes an answer, not silence', async () => {
  const { type, desk } = setUp();
  desk.runs = () => Promise.reject(new TypeError('x is not a function'));
  const answer = await type('status');
  expect(answer).toContain('Vigil could not finish this; its own log has the reason');
  expect(answer).toContain(' /vllm status tells whether anything was started.');
  expect(await type('status', { command: '/dflash' })).toContain(' /dflash status tells whether');
  expect(answer).not.toContain('TypeError');
});

test('a mistake of ours at a click names what tells of either kind', async () => {
  const { edge, followup, desk } = withRuns();
  desk.run = () => Promise.reject(new TypeError('x is not a function'));
  const click = { action: 'stop', value: 'r', user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '2.2' };
  expect(plainMessage(await answerClick(edge, click, followup))).toContain(
    '/vllm status or /dflash status tells whether anything was started.',
  );
});

test.each(['status', 'status kpro5-3', 'stop kpro5-3', 'logs kpro5-3'])(
  '%j says what holds when Redis does not answer',
  async (text) => {
    const { type, desk } = withRuns();
    desk.runs = () => Promise.reject(new DeskClosed('Redis does not answer'));
    expect(await type(text)).toMatch(/Redis does not answer/);
  },
);

test('an answer that takes too long is announced, and follows', async () => {
  const { type, desk, afterwards } = withRuns();
  let open = () => {};
  const runs = desk.summaries;
  desk.runs = () =>
    new Promise((resolve) => {
      open = () => resolve(runs);
    });
  expect(await type('status')).toBe('Understood, but something is slow: the answer follows.');
  open();
  expect((await afterwards())[0]).toContain('live server');
});

test('a click on Stop is judged like the command', async () => {
  const { edge, followup, desk } = withRuns();
  const click = {
    action: 'stop',
    value: 'vigil-kpro5-1a2b',
    user: 'U0BOB',
    team: 'T0',
    channel: 'C0OPS',
    trigger: '2.2',
  };
  expect(plainMessage(await answerClick(edge, click, followup))).toContain('you (U0BOB) may not stop on kpro5');
  expect(plainMessage(await answerClick(edge, { ...click, user: 'U0ALICE', value: 'gone' }, followup))).toContain(
    'not known any more',
  );
  expect(plainMessage(await answerClick(edge, { ...click, user: 'U0ALICE' }, followup))).toContain('Stopping kpro5-3');
  expect(desk.stops.get('vigil-kpro5-1a2b')).toBe('U0ALICE');
});
