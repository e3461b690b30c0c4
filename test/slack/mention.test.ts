/** What a mention of the app comes to: in a run's thread the run goes without saying, elsewhere the words say what is meant. */

import { describe, expect, test } from 'vitest';
import { DeskClosed } from '../../src/requests.ts';
import { OOM, sampleRun, sampleTraining } from '../report/sample-run.ts';
import { ROOT, setUp, withRuns } from './set-up.ts';

const THREAD = { thread: ROOT.ts };
const TRAINING_THREAD = { thread: '9.000002' };

/** With a server's thread, and a training's. */
function withThreads() {
  const world = withRuns();
  world.desk.summaries.push({
    run: sampleTraining({}, { id: 't1', name: 'kpro5-7', host: 'kpro5' }),
    root: { ...ROOT, ts: TRAINING_THREAD.thread },
  });
  const dflash = (text: string) => world.type(text, { command: '/dflash' });
  return { ...world, dflash };
}

describe("in a run's thread", () => {
  test.each(['', 'status', 'Status', 'status kpro5-3', 'vllm', '/vllm status', 'vllm status'])(
    '%j is answered with how the run stands, in the words of the slash command',
    async (text) => {
      const { mention, type } = withThreads();
      expect(await mention(`<@U0BOT> ${text}`, THREAD)).toBe(await type('status kpro5-3'));
    },
  );

  test.each(['logs', 'explain', 'stop', 'restart'])('%s is of that run', async (verb) => {
    const { mention } = withThreads();
    const { type } = withThreads();
    expect(await mention(`<@U0BOT> ${verb}`, THREAD)).toBe(await type(`${verb} kpro5-3`, { trigger: 'Ev1' }));
  });

  test('options go with it, and another run can be named', async () => {
    const { mention, desk } = withThreads();
    expect(await mention('<@U0BOT> logs —file', THREAD)).toContain('is being posted as a file');
    expect([...desk.shared.values()]).toEqual([{ run: 'vigil-kpro5-1a2b', by: 'U0ALICE' }]);
    expect(await mention('<@U0BOT> stop kpro5-2', THREAD)).toContain('kpro5-2 (dflash on kpro5) has ended already');
    expect(desk.stops.size).toBe(0);
  });

  test("a training's thread is asked about by its own slash command", async () => {
    const { mention, dflash } = withThreads();
    expect(await mention('<@U0BOT>', TRAINING_THREAD)).toBe(await dflash('status kpro5-7'));
    expect(await mention('<@U0BOT> stop', TRAINING_THREAD)).toContain('Stopping kpro5-7 (drafter on kpro5).');
  });

  test('a verb that only the other slash command has is carried out by that one, without the run', async () => {
    const { mention } = withThreads();
    expect(await mention('<@U0BOT> verify', TRAINING_THREAD)).toContain('The run is missing');
    expect(await mention('<@U0BOT> dflash status', THREAD)).toContain('One live training:');
    expect(await mention('<@U0BOT> train kpro5 drafter', THREAD)).toContain('Training drafter on kpro5');
  });

  test('a note is the text behind the verb, as it was typed, whatever word it begins with', async () => {
    const exit = { code: 1, signal: null, at: 0 };
    const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
    const { mention, desk } = setUp();
    desk.summaries.push({ run: sampleRun({ phase: 'failed', failure }), root: ROOT });
    await mention('<@U0BOT> note kpro5 needs “more” memory: &lt;64 GB', THREAD);
    expect(desk.notes.get(OOM.fingerprint)?.text).toBe('kpro5 needs “more” memory: <64 GB');
    await mention('<@U0BOT> note kpro5-3 Take  fewer', THREAD);
    expect(desk.notes.get(OOM.fingerprint)?.text).toBe('Take  fewer');
    expect(await mention('<@U0BOT> note', THREAD)).toContain('Noted for what is wrong with kpro5-3');
    expect(await mention('<@U0BOT> note --help', THREAD)).toContain('Example: /vllm note kpro5-3');
  });

  test('help lists what can be done there, and explains a verb', async () => {
    const { mention, type, dflash } = withThreads();
    expect(await mention('<@U0BOT> help', THREAD)).toBe(await type('help'));
    expect(await mention('<@U0BOT> help', TRAINING_THREAD)).toBe(await dflash('help'));
    expect(await mention('<@U0BOT> stop --help', THREAD)).toBe(await type('stop --help'));
  });

  test('rights are looked at as for the slash command', async () => {
    const { mention, desk } = withThreads();
    expect(await mention('<@U0BOT> stop', { ...THREAD, user: 'U0BOB' })).toContain(
      'you (U0BOB) may not stop on kpro5.',
    );
    expect(desk.stops.size).toBe(0);
  });
});

describe('where no thread tells what it is about', () => {
  test.each([
    ['vllm launch kpro5 dflash', 'Launching dflash on kpro5'],
    ['/vllm launch kpro5 dflash', 'Launching dflash on kpro5'],
    ['launch kpro5 dflash', 'Launching dflash on kpro5'],
    ['train kpro5 drafter', 'Training drafter on kpro5'],
    ['DFlash train kpro5 drafter', 'Training drafter on kpro5'],
    ['dflash status', 'One live training:'],
    ['stop kpro5-3', 'Stopping kpro5-3 (dflash on kpro5).'],
    ['status kpro5-7', 'drafter on kpro5 (kpro5-7)'],
    ['check kpro5 dflash', 'No worker could say anything about kpro5'],
    ['help launch', '/vllm launch HOST RECIPE'],
    ['help train', '/dflash train [HOST] [RECIPE]'],
    ['kill kpro5-3', 'There is no command “kill”. Did you mean stop?'],
  ])('%j is carried out by the slash command that its words tell', async (text, expected) => {
    expect(await withThreads().mention(`<@U0BOT> ${text}`)).toContain(expected);
  });

  test.each([
    ['status', '@vigil vllm status', '@vigil dflash status'],
    ['stop kpro5', '@vigil vllm stop kpro5', '@vigil dflash stop kpro5'],
    ['logs last —file', '@vigil vllm logs last --file', '@vigil dflash logs last --file'],
  ])('%j is of both kinds: nothing is done, and both lines are there to copy', async (text, first, second) => {
    const { mention, desk } = withThreads();
    const answer = await mention(`<@U0BOT> ${text}`);
    expect(answer).toContain(`Say which, to copy: ${first} or ${second}.`);
    expect(desk.stops.size).toBe(0);
  });

  test('nothing behind it, and help, tell what can be said', async () => {
    const { mention } = withThreads();
    expect(await mention('<@U0BOT>')).toMatchInlineSnapshot(`
      "In a run's thread
      @vigil status · logs · explain
      @vigil stop · restart
      Anywhere
      @vigil vllm launch HOST RECIPE
      @vigil dflash train HOST RECIPE
      All of it: /vllm help, /dflash help"
    `);
    expect(await mention('<@U0BOT> help')).toBe(await mention('<@U0BOT>'));
    expect(await mention('<@U0BOT> ?', { thread: '1.000001' })).toBe(await mention('<@U0BOT>'));
  });

  test('the same event launches once', async () => {
    const { mention, desk } = withThreads();
    await mention('<@U0BOT> launch kpro5 dflash', { trigger: 'Ev7' });
    await mention('<@U0BOT> launch kpro5 dflash', { trigger: 'Ev7' });
    expect(desk.orders.map(({ trigger, channel }) => [trigger, channel])).toEqual([
      ['Ev7', 'C0OPS'],
      ['Ev7', 'C0OPS'],
    ]);
  });

  test('the bare slash command and verb are answered with words, since no modal can open', async () => {
    const { mention } = withThreads();
    expect(await mention('<@U0BOT> launch')).toContain('The host is missing. Hosts: kpro5 and kpro6.');
    expect(await mention('<@U0BOT> vllm')).toContain('launch HOST RECIPE');
  });
});

test.each([
  '<@U0BOT|vigil> stop',
  '  <@U0BOT>stop',
  '<@U0BOB> <@U0BOT>: stop',
  '<@U0BOT> <@U0BOB> stop',
  '&gt; <@U0BOT> stop',
  '*<@U0BOT> stop*',
  '*<@U0BOT>* stop',
  '_<@U0BOT>_\n*stop*',
  '<@U0BOT>\u00a0stop',
  '\u200b<@U0BOT>, *stop*',
  '<@U0BOT> `stop`',
  '<@U0BOT> ```\nstop\n```',
  '<@U0BOT>\nStop.',
  '<@U0BOT> stop!',
  '<@U0BOT> /vllm stop',
])('%j is a stop', async (text) => {
  const { mention, desk } = withThreads();
  expect(await mention(text, THREAD)).toContain('Stopping kpro5-3');
  expect(desk.stops.size).toBe(1);
});

test.each([
  ...["don't <@U0BOT> stop", 'I asked <@U0BOT> to stop', 'stop <@U0BOT>', '_hm_ <@U0BOT> stop', ''],
  // Said to somebody else, who is to do it by our help.
  ...['<@U0BOB> stop', '<@U0BOB> stop it, or <@U0BOT> does', '<@U0BOB>, ask <@U0BOT> to stop', '<@U0BOTH> stop'],
])('%j is talk about the app: nothing is done', async (text) => {
  const { mention, desk } = withThreads();
  expect(await mention(text, THREAD)).toBe(
    'Nothing was done. To have something done, begin the message with the mention: @vigil help.',
  );
  expect(desk.stops.size).toBe(0);
});

test.each([
  ['launch kpor5 dflash', 'To copy: @vigil vllm launch kpro5 dflash'],
  ['stop kpro5-7', 'To copy: @vigil dflash stop kpro5-7'],
  ['launch kpro5', 'Usage: @vigil vllm launch HOST RECIPE'],
  ['lgos', 'To copy: @vigil vllm logs kpro5-3'],
  ['why', 'To copy: @vigil vllm explain kpro5-3'],
])(
  '%j is put right with a line that can be said in a thread, where slash commands can not be typed',
  async (text, line) => {
    expect(await withThreads().mention(`<@U0BOT> ${text}`, THREAD)).toContain(line);
  },
);

test('guests and people of other workspaces are refused, and bots are not answered at all', async () => {
  const { mention, chat, desk } = withThreads();
  chat.people.set('U0GUEST', { kind: 'guest', name: 'x' });
  chat.people.set('U0ROBOT', { kind: 'bot', name: 'x' });
  expect(await mention('<@U0BOT> stop', { ...THREAD, user: 'U0GUEST' })).toContain('you are a guest');
  expect(await mention('<@U0BOT> stop', { ...THREAD, user: 'U0ROBOT' })).toBeNull();
  expect(desk.stops.size).toBe(0);
});

test('a quote that is never closed, and a Redis that does not answer, are told', async () => {
  const { mention, desk } = withThreads();
  expect(await mention('<@U0BOT> launch "kpro5', THREAD)).toContain('A quote (") is opened and never closed.');
  desk.runAt = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await mention('<@U0BOT> stop', THREAD)).toBe('Not accepted: Redis does not answer, nothing was done.');
});

test('an answer that takes too long is announced, and follows', async () => {
  const { mention, desk, afterwards } = withThreads();
  const [first] = desk.summaries;
  let open = () => {};
  desk.runAt = () =>
    new Promise((resolve) => {
      open = () => resolve(first ?? null);
    });
  expect(await mention('<@U0BOT> status', THREAD)).toBe('Understood, but something is slow: the answer follows.');
  open();
  expect((await afterwards())[0]).toContain('dflash on kpro5 (kpro5-3)');
});
