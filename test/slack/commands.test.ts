import { expect, test } from 'vitest';
import { ChatError } from '../../src/chat.ts';
import { DeskClosed } from '../../src/requests.ts';
import { answerClick } from '../../src/slack/click.ts';
import { sampleRun } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';
import { setUp } from './set-up.ts';

const ROOT = { channel: 'C0OPS', ts: '9.000001' };

function withRuns() {
  const world = setUp();
  world.desk.summaries.push(
    { run: sampleRun({ progress: { phase: 'loading', done: 3, total: 15 } }), root: ROOT },
    { run: sampleRun({ phase: 'stopped' }, { id: 'r2', name: 'kpro5-2', by: 'U0BOB' }), root: ROOT },
    { run: sampleRun({}, { id: 'r9', name: 'kpro6-9', host: 'kpro6' }), root: null },
  );
  return world;
}

test('help lists the commands, and explains one', async () => {
  const { type } = setUp();
  expect(await type('help')).toMatchInlineSnapshot(`
    "/vllm launch HOST RECIPE  Start a recipe on a host and watch it until it answers
    /vllm status [RUN]  List the live runs, or tell all about one
    /vllm stop RUN  End a run and prove that it is gone
    /vllm logs RUN  Show the last lines of a run, to you alone
    /vllm help [VERB]  List the commands, or explain one
    RUN is a run's name such as kpro5-3, a host with one live run, or last."
  `);
  expect(await type('')).toBe(await type('help'));
  expect(await type('help stop')).toMatchInlineSnapshot(`
    "/vllm stop RUN
    End a run and prove that it is gone.
    The whole process tree ends; the thread shows what proves it.
    Needs the right to stop on the host (vigil.yaml)."
  `);
});

test.each([
  [
    'launhc kpro5 dflash',
    'VERB “launhc” is not known. Did you mean launch? /vllm knows launch, status, stop, logs and help.',
  ],
  ['launch kpor5 dflash', 'HOST “kpor5” is not known. Did you mean kpro5? There is kpro5 and kpro6.'],
  ['launch kpro5 dflahs', 'RECIPE “dflahs” is not known. Did you mean dflash? There is dflash.'],
  ['launch kpro5', 'RECIPE is missing. There is dflash.'],
  ['launch', 'HOST is missing. There is kpro5 and kpro6. RECIPE is missing. There is dflash.'],
  ['launch kpro5 dflash now', '“now” is too much: expected launch HOST RECIPE. Leave it out.'],
  ['launch kpro5 dflash —dry-run', '“--dry-run” is an option, and this command takes none. Leave it out.'],
  ['stop', 'RUN is missing: a name such as kpro5-3, a host with one live run, or last.'],
  [
    'stop kpro5-4',
    'RUN “kpro5-4” is not known. Did you mean kpro5-3? There is kpro5-3 (dflash, loading weights 3/15) and kpro5-2 (dflash, stopped).',
  ],
  [
    'stop <!channel>',
    'RUN “<!channel>” is not known. There is kpro5-3 (dflash, loading weights 3/15) and kpro5-2 (dflash, stopped).',
  ],
  ['logs kpro6-9', 'RUN “kpro6-9” is not known.'],
])('%j is answered with what was found, what is allowed and the usage', async (text, expected) => {
  expect((await withRuns().type(text)).replaceAll('\n', ' ')).toContain(expected);
});

test('capitals of a phone do not matter', async () => {
  expect(await withRuns().type('Launch Kpro5 Dflash')).toContain('Launching dflash on kpro5');
});

test('a host stands for its one live run, and several are listed', async () => {
  const { type, desk } = withRuns();
  expect(await type('status kpro5')).toContain('(kpro5-3)');
  desk.summaries.push({ run: sampleRun({}, { id: 'r1', name: 'kpro5-1' }), root: null });
  expect(await type('stop kpro5')).toContain(
    'kpro5 has 2 live runs: kpro5-3 (dflash, loading weights 3/15) and kpro5-1 (dflash, loading weights).',
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
    "One live run:
    • kpro5-3 dflash on kpro5: loading weights 3/15 since 2026-11-30 07:00 UTC, by Alice"
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

test('logs shows the last lines that fit, and the line for a terminal', async () => {
  const { type, desk } = withRuns();
  desk.lines = ['INFO one', 'ERROR <!channel> ```', 'x'.repeat(900)];
  const answer = await type('logs kpro5-3');
  expect(answer).toContain('The last 3 lines of kpro5-3:\n    INFO one\n    ERROR <!channel> ```');
  expect(answer).toContain('ssh -p 10978 root@203.0.113.7 tail -n 100 -F ');
  desk.lines = Array.from({ length: 40 }, (_, index) => `${index} ${'y'.repeat(200)}`);
  expect(await type('logs kpro5-3')).toContain('The last 11 lines');
});

test.each([
  ['launch kpro5 dflash', 'Refused: you (U0BOB) may not launch on kpro5.'],
  ['stop kpro5-3', 'Refused: you (U0BOB) may not stop on kpro5.'],
])('%j is refused without the right', async (text, expected) => {
  const { type, desk } = withRuns();
  expect(await type(text, { user: 'U0BOB' })).toContain(expected);
  expect([desk.orders.length, desk.stops.size]).toEqual([0, 0]);
});

test.each([
  ['guest', 'you are a guest of this workspace'],
  ['bot', 'a bot asks'],
  ['stranger', 'you belong to another workspace'],
] as const)('a %s is refused', async (kind, expected) => {
  const { type, chat, desk } = setUp();
  chat.people.set('U0ALICE', { kind, name: 'x' });
  expect(await type('launch kpro5 dflash')).toContain(expected);
  expect(desk.orders).toEqual([]);
});

test('a command from another workspace is refused', async () => {
  expect(await setUp().type('help', { team: 'T9' })).toContain('you ask from another workspace');
});

test('who cannot be looked up is refused, and told why', async () => {
  const { type, chat, desk } = setUp();
  chat.person = () => new Promise(() => {});
  expect(await type('launch kpro5 dflash')).toContain('Nothing was done: Slack did not say within 0.1 s who you are.');
  chat.person = () => Promise.reject(new ChatError('ambiguous', 'users.info: no answer'));
  expect(await type('launch kpro5 dflash')).toContain('Nothing was done: Slack did not say');
  expect(desk.orders).toEqual([]);
});

test('another slash command is answered, too', async () => {
  expect(await setUp().type('x', { command: '/dflash' })).toContain("Vigil doesn't answer /dflash; it answers /vllm.");
});

test('a mistake of ours becomes an answer, not silence', async () => {
  const { type, desk } = setUp();
  desk.runs = () => Promise.reject(new TypeError('x is not a function'));
  const answer = await type('status');
  expect(answer).toContain('Vigil could not finish this; its own log has the reason');
  expect(answer).not.toContain('TypeError');
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
  expect((await afterwards())[0]).toContain('live run');
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
