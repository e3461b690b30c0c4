import { expect, test } from 'vitest';
import type { Message } from '../../src/chat.ts';
import { DeskClosed, type Held, type LaunchAnswer } from '../../src/requests.ts';
import type { ProcessHolder, RunHolder } from '../../src/run/holder.ts';
import { answerCommand } from '../../src/slack/answer.ts';
import { answerClick } from '../../src/slack/click.ts';
import { sampleRun, T0 } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';
import { CONFIG, setUp } from './set-up.ts';

const BASE: RunHolder = {
  kind: 'run',
  what: ['port 8000', 'GPU 0'],
  run: 'vigil-kpro5-base',
  name: 'kpro5-2',
  recipe: 'base',
  by: 'U0BOB',
  since: T0,
};
const STRANGER: ProcessHolder = {
  kind: 'process',
  what: ['GPU 1'],
  pid: 4242,
  command: 'python train.py',
  user: 'bob',
  since: T0 + 31_000,
  run: null,
};
const WAITING = { ahead: [], count: null, holders: [], why: null, after: [] };

function held(change: Partial<Held> = {}): LaunchAnswer {
  return { kind: 'held', holders: [BASE], ahead: [], count: null, replaceable: [BASE], ...change };
}

/** A world in which a launch meets this; `press` clicks a button of the offer that it got. */
async function offered(answer: LaunchAnswer = held(), config = CONFIG) {
  const world = setUp({ config });
  const { desk, edge, followup } = world;
  desk.answer = answer;
  const typed = { command: '/vllm', text: 'launch kpro5 dflash', user: 'U0ALICE', channel: 'C0OPS', team: 'T0' };
  const offer = await answerCommand(edge, { ...typed, trigger: '1.1' }, followup);
  if (offer === null) throw new Error('a launch is answered');
  const press = async (action: string, from: { user?: string } = {}) => {
    const clicker = { user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '2.2', ...from };
    const answered = await answerClick(edge, { ...clicker, action, value: valueIn(offer, action) }, followup);
    return { text: plainMessage(answered), replaces: answered.replaces };
  };
  return { ...world, offer, press };
}

function buttonsOf({ blocks }: Message) {
  const actions = blocks.find((block) => block.type === 'actions');
  return actions?.type !== 'actions' ? [] : actions.elements.filter((element) => element.type === 'button');
}

function valueIn(offer: Message, action: string): string {
  return buttonsOf(offer).find((button) => button.action_id === action)?.value ?? '';
}

function withoutStop(): typeof CONFIG {
  const { kpro5 } = CONFIG.hosts;
  if (kpro5 === undefined) throw new Error('the sample has lost a host');
  return { ...CONFIG, hosts: { ...CONFIG.hosts, kpro5: { ...kpro5, rights: { ...kpro5.rights, stop: [] } } } };
}

test('what is in use is named with whose it is and since when, and nobody is pinged', async () => {
  const { offer } = await offered(held({ holders: [BASE, STRANGER], replaceable: [] }));
  expect(plainMessage(offer)).toMatchInlineSnapshot(`
    "Refused, nothing was started: dflash on kpro5 needs what is in use.
    • port 8000 and GPU 0: kpro5-2 (base), Bob, since 2026-11-30 07:00 UTC
    • GPU 1: pid 4242 (python train.py, user bob, since 2026-11-30 07:00:31 UTC)
    Queue waits for it, and starts it by itself when its turn comes. /vllm check kpro5 dflash tells whether a process is left over, how to end it, and what else is in the way.
    [Queue] [Cancel]"
  `);
  expect(JSON.stringify(offer)).not.toContain('<@');
});

test('too few free GPUs are counted, and who waits already is named', async () => {
  const waiting = { ...BASE, what: [], name: 'kpro5-4' };
  const count = { asked: 2, free: ['3'] };
  const { offer } = await offered(held({ ahead: [waiting], count }));
  expect(plainMessage(offer)).toMatchInlineSnapshot(`
    "Refused, nothing was started: dflash on kpro5 needs what is in use.
    It asks for 2 GPUs; only GPU 3 is free.
    • port 8000 and GPU 0: kpro5-2 (base), Bob, since 2026-11-30 07:00 UTC
    In the line for it already:
    • kpro5-4 (base), Bob, since 2026-11-30 07:00 UTC
    Queue waits for it, and starts it by itself when its turn comes. Replace ends kpro5-2 (base) first and goes before all who wait.
    [Queue] [Replace] [Cancel]"
  `);
});

test('Replace asks first, naming what ends; who may not stop is not offered it', async () => {
  const { offer } = await offered();
  const confirm = buttonsOf(offer).find(({ action_id: action }) => action === 'launch_replace')?.confirm;
  expect(confirm).toMatchObject({
    title: { text: 'Stop kpro5-2?' },
    text: {
      text: 'kpro5-2 (base) on kpro5 ends, with all that is being served or trained there. Then dflash starts.',
    },
  });
  expect(plainMessage((await offered(held(), withoutStop())).offer)).toContain('[Queue] [Cancel]');
});

test('a button holds all that it needs, and never more than Slack takes', async () => {
  const { offer } = await offered();
  expect(JSON.parse(valueIn(offer, 'launch_queue'))).toEqual({
    host: 'kpro5',
    recipe: 'dflash',
    isForced: false,
    trigger: '1.1',
    runs: [],
  });
  const many = Array.from({ length: 60 }, (_, index) => ({ ...BASE, run: `vigil-kpro5-${'x'.repeat(30)}${index}` }));
  const { offer: large } = await offered(held({ replaceable: many }));
  expect(plainMessage(large)).toContain('[Queue] [Cancel]');
});

test('Queue takes the command’s own trigger, so that a second click is the same launch, and its answer replaces the offer', async () => {
  const { desk, press } = await offered();
  desk.answer = {
    kind: 'accepted',
    request: sampleRun({}, { name: 'kpro5-5', gpus: 2 }).request,
    placement: null,
    waiting: { ...WAITING, ahead: ['kpro5-4'] },
  };
  const { text, replaces } = await press('launch_queue');
  expect(replaces).toBe(true);
  expect(text).toMatchInlineSnapshot(`
    "Queued dflash on kpro5 as kpro5-5, port 8000, 2 GPUs: 2nd in line. It starts by itself when its turn comes; /vllm stop kpro5-5 takes it out of the line. Its thread follows here.
    vllm serve Qwen/Qwen3-8B --port 8000"
  `);
  await press('launch_queue');
  expect(desk.orders.map(({ trigger, mode }) => [trigger, mode.kind])).toEqual([
    ['1.1', 'now'],
    ['1.1', 'queue'],
    ['1.1', 'queue'],
  ]);
});

test('Replace ends what its question named, and says so', async () => {
  const { desk, press } = await offered();
  desk.summaries.push({ run: sampleRun({}, { id: BASE.run, name: BASE.name }), root: null });
  const waiting = { ...WAITING, holders: [BASE], after: [BASE.run] };
  desk.answer = { kind: 'accepted', request: sampleRun({}, { name: 'kpro5-5' }).request, placement: null, waiting };
  const { text } = await press('launch_replace');
  expect(text).toContain('kpro5-2 (base) is being stopped for it. It starts by itself when that is proved gone;');
  expect(desk.orders.at(-1)?.mode).toEqual({ kind: 'replace', runs: [BASE.run] });
  expect(desk.stops).toEqual(new Map([[BASE.run, 'U0ALICE']]));
});

test('Replace ends nothing where the host can’t be looked at', async () => {
  const { desk, press } = await offered();
  desk.told.set('gpus', { kind: 'failed', reason: 'kpro5 does not answer.' });
  const { text } = await press('launch_replace');
  expect(text).toBe('kpro5 does not answer. Nothing was stopped, and nothing was started.');
  expect([desk.orders.length, desk.stops.size]).toEqual([1, 0]);
});

test('Replace that Redis cuts short says what is left to do', async () => {
  const { desk, press } = await offered();
  const waiting = { ...WAITING, holders: [BASE], after: [BASE.run] };
  desk.answer = { kind: 'accepted', request: sampleRun({}).request, placement: null, waiting };
  desk.stop = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect((await press('launch_replace')).text).toContain(
    'Redis stopped answering before kpro5-2 (base) could be stopped for it: stop that by hand.',
  );
});

test('rights are looked at again when a button is clicked', async () => {
  const { press, desk } = await offered();
  expect(await press('launch_queue', { user: 'U0BOB' })).toEqual({
    text: expect.stringContaining('Refused: you (U0BOB) may not launch on kpro5.'),
    replaces: false,
  });
  expect(desk.orders).toHaveLength(1);
});

test('Cancel takes the offer away, and tells what another button did before', async () => {
  const { desk, press } = await offered();
  expect(await press('launch_cancel')).toEqual({ text: 'Cancelled: nothing was started.', replaces: true });
  desk.run = async () => ({ run: sampleRun({ phase: 'queued', waiting: WAITING }), root: null });
  expect((await press('launch_cancel')).text).toBe('kpro5-3 is queued, 1st in line. /vllm stop kpro5-3 ends that.');
});

test('a button whose recipe has left vigil.yaml starts nothing', async () => {
  const { offer, edge, followup, desk } = await offered();
  const value = valueIn(offer, 'launch_queue').replace('dflash', 'gone');
  const click = { action: 'launch_queue', value, user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '2.2' };
  expect(plainMessage(await answerClick(edge, click, followup))).toContain('vigil.yaml no longer has both');
  const older = plainMessage(await answerClick(edge, { ...click, value: 'r1' }, followup));
  expect(older).toContain('This button is of an older Vigil');
  expect(desk.orders).toHaveLength(1);
});

test('--queue and --replace are typed as well, and not together', async () => {
  const { type, desk } = setUp();
  await type('launch kpro5 dflash --queue');
  await type('launch kpro5 dflash —replace');
  expect(desk.orders.map(({ mode }) => mode)).toEqual([{ kind: 'queue' }, { kind: 'replace', runs: null }]);
  expect(await type('launch kpro5 dflash --queue --replace')).toContain('Leave one of them out.');
  expect(await setUp({ config: withoutStop() }).type('launch kpro5 dflash --replace')).toContain(
    'may not stop on kpro5',
  );
});

test('the launch is told what the GPUs do, and waits for no look where the answer is known without', async () => {
  const { type, desk } = setUp();
  desk.told.set('gpus', { kind: 'told', told: [] });
  await type('launch kpro5 dflash');
  desk.told.set('gpus', { kind: 'failed', reason: 'no' });
  await type('launch kpro5 dflash', { trigger: '1.2' });
  desk.told.set('gpus', { kind: 'told', told: [] });
  desk.answer = held();
  await type('launch kpro5 dflash --queue', { trigger: '1.4' });
  expect(desk.seen).toEqual([[], 'unknown', []]);
  desk.told.clear();
  desk.answer = held();
  expect(await type('launch kpro5 dflash', { trigger: '1.3' })).toContain('needs what is in use');
});

test('what can’t start there at all is refused without an offer', async () => {
  const { type, desk } = setUp();
  desk.answer = { kind: 'impossible', reason: 'The recipe asks for 8 GPUs, and kpro5 has 4.' };
  expect(await type('launch kpro5 dflash')).toBe(
    'Refused: The recipe asks for 8 GPUs, and kpro5 has 4. Nothing was started.',
  );
});
