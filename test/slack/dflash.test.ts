/** What is different about trainings: whose recipe and whose run it is, words that go without saying, what somebody started by hand. */

import { expect, test } from 'vitest';
import type { TrainRequest } from '../../src/run/request.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';
import { CONFIG, setUp } from './set-up.ts';

const AT = { channel: 'C0OPS', ts: '9.000001' };
const FOUND = {
  process: { pid: 4711, group: 4711, user: 'bob', command: 'torchrun train.py', server: null },
  ...{ size: 12, trigger: null, answered: false },
};

/** With a server and a training on kpro5, and an older training there that the patrol found. */
function withBoth() {
  const world = setUp();
  const found: Partial<TrainRequest> = { id: 'r1', name: 'kpro5-1', host: 'kpro5', recipe: 'run.log', by: '' };
  world.desk.summaries.push(
    { run: sampleRun({}, { name: 'kpro5-3' }), root: AT },
    { run: sampleTraining({}, { id: 'r2', name: 'kpro5-2', host: 'kpro5' }), root: AT },
    { run: sampleTraining({}, { ...found, log: '/w/run.log', found: FOUND }), root: AT },
  );
  const dflash = (text: string, from = {}) => world.type(text, { command: '/dflash', ...from });
  return { ...world, dflash };
}

/** With the hosts' rights to launch as given, and more recipes that train. */
function among(launch: Record<'kpro5' | 'kpro6', readonly string[]>, recipes: readonly string[] = []) {
  const { kpro5, kpro6 } = CONFIG.hosts;
  if (kpro5 === undefined || kpro6 === undefined || CONFIG.recipes.drafter === undefined) throw new Error('no host');
  const { drafter } = CONFIG.recipes;
  const config = {
    ...CONFIG,
    hosts: {
      kpro5: { ...kpro5, rights: { ...kpro5.rights, launch: launch.kpro5 } },
      kpro6: { ...kpro6, rights: { ...kpro6.rights, launch: launch.kpro6 } },
    },
    recipes: { ...CONFIG.recipes, ...Object.fromEntries(recipes.map((name) => [name, { ...drafter, name }])) },
  };
  const world = setUp({ config });
  return { ...world, dflash: (text: string) => world.type(text, { command: '/dflash' }) };
}

const ONE_HOST = { kpro5: ['U0ALICE'], kpro6: [] };
const TWO_HOSTS = { kpro5: ['U0ALICE'], kpro6: ['U0ALICE'] };

test('an accepted training says what was understood', async () => {
  const { dflash, desk } = withBoth();
  expect(await dflash('train kpro5 drafter')).toMatchInlineSnapshot(`
    "Training drafter on kpro5 as trainer-1, GPUs 0, 1, 2 and 3. Its thread follows here.
    bash /workspace/dflash/train.sh"
  `);
  expect(desk.orders).toMatchObject([{ host: 'kpro5', recipe: 'drafter', by: 'U0ALICE', channel: 'C0OPS' }]);
});

test('the port of its target server is said where the recipe names one', async () => {
  const { dflash, desk } = withBoth();
  const { request } = sampleTraining({}, { address: { kind: 'tcp', host: '127.0.0.1', port: 8000 } });
  desk.answer = { kind: 'accepted', request, placement: null, waiting: null };
  expect(await dflash('train kpro5 drafter')).toContain('as trainer-1, target on port 8000, GPUs 0, 1, 2 and 3.');
});

test.each(['train', 'train kpro5', 'train drafter', 'Train Drafter', 'train kpro5 drafter'])(
  '%j is enough where one host may be launched on and one recipe trains',
  async (text) => {
    const { dflash, desk } = among(ONE_HOST);
    await dflash(text);
    expect(desk.orders).toMatchObject([{ host: 'kpro5', recipe: 'drafter' }]);
  },
);

test.each([
  ['train', 'The host is missing. Hosts: kpro5 and kpro6. The recipe is missing. Recipes: drafter and long.'],
  ['train kpro6', 'The recipe is missing. Recipes: drafter and long.'],
  ['train long', 'The host is missing. Hosts: kpro5 and kpro6.'],
  ['train kpor6', 'There is no host “kpor6”. Did you mean kpro6? Hosts: kpro5 and kpro6. The recipe is missing.'],
  ['train lnog', 'The host is missing. Hosts: kpro5 and kpro6. There is no recipe “lnog”. Did you mean long?'],
])('%j asks for what is missing, with the choices, where there are several', async (text, expected) => {
  const { dflash, desk } = among(TWO_HOSTS, ['long']);
  const answer = await dflash(text);
  expect(answer).toContain(expected);
  expect(answer).toContain('Usage: /dflash train [HOST] [RECIPE]');
  expect(desk.orders).toEqual([]);
});

test.each([
  ['train drfater', 'Did you mean drafter? Recipes: drafter.', 'train kpro5 drafter'],
  ['train kpor5', 'Did you mean kpro5? Hosts: kpro5 and kpro6.', 'train kpro5 drafter'],
  ['train drafter --qeue', 'There is no option “--qeue”. Did you mean --queue?', 'train drafter --queue'],
  ['tarin drafter', 'Did you mean train?', 'train drafter'],
  ['launch kpro5 drafter', 'Did you mean train?', 'train kpro5 drafter'],
])('%j is put right to copy', async (text, expected, line) => {
  const answer = await among(ONE_HOST).dflash(text);
  expect(answer).toContain(expected);
  expect(answer).toContain(`To copy: /dflash ${line}`);
});

test('a host without the right to launch is refused, not overlooked', async () => {
  expect(await among(ONE_HOST).dflash('train kpro6')).toContain('Refused: you (U0ALICE) may not launch on kpro6.');
});

test.each([
  ['/vllm', 'launch kpro5 drafter', "drafter is a training's recipe: /dflash train takes it.", '/dflash train kpro5'],
  ['/dflash', 'train kpro5 DFlash', "dflash is a server's recipe: /vllm launch takes it.", '/vllm launch kpro5 DFlash'],
  ['/dflash', 'train dflash', "dflash is a server's recipe: /vllm launch takes it.", '/vllm launch kpro5 dflash'],
  ['/vllm', 'status kpro5-2', 'kpro5-2 is a training.', '/dflash status kpro5-2'],
  ['/dflash', 'stop kpro5-3', 'kpro5-3 is a server.', '/vllm stop kpro5-3'],
  ['/dflash', 'logs vigil-kpro5-1a2b', 'kpro5-3 is a server.', '/vllm logs kpro5-3'],
  ['/vllm', 'train kpro5 drafter', 'train belongs to /dflash.', '/dflash train kpro5 drafter'],
])(
  '%s %s names what is of the other kind, and is answered with the line for it',
  async (command, text, expected, line) => {
    const { type, desk } = withBoth();
    const answer = await type(text, { command });
    expect(answer).toContain(expected);
    expect(answer).toContain(`To copy: ${line}`);
    expect([desk.orders.length, desk.stops.size]).toEqual([0, 0]);
  },
);

test('a mistyped recipe is answered with those that fit', async () => {
  const { type, dflash } = withBoth();
  expect(await type('launch kpro5 drafetr')).toContain('There is no recipe “drafetr”. Recipes: dflash.');
  expect(await dflash('train kpro5 x')).toContain('There is no recipe “x”. Recipes: drafter.');
});

test('each status lists its own kind, and says what the patrol found', async () => {
  const { type, dflash, desk } = withBoth();
  expect(await type('status')).toContain('One live server:\n⏳ kpro5-3 ');
  expect(await dflash('status')).toMatchInlineSnapshot(`
    "2 live trainings:
    🏋️ kpro5-2 drafter on kpro5: training since 2026-11-30 07:00 UTC, by Alice
    🏋️ kpro5-1 run.log on kpro5: training since 2026-11-30 07:00 UTC, found by the patrol"
  `);
  desk.summaries.splice(0);
  expect(await type('status')).toBe('Nothing serves that you may see. /vllm launch HOST RECIPE starts something.');
  expect(await dflash('status')).toBe('Nothing trains that you may see. /dflash train HOST RECIPE starts something.');
});

test('last and a host are looked up among the runs of the kind', async () => {
  const { type, dflash, desk } = withBoth();
  expect(await type('status last')).toContain('(kpro5-3)');
  expect(await dflash('status last')).toContain('(kpro5-2)');
  expect(await type('status kpro5')).toContain('(kpro5-3)');
  expect(await dflash('stop kpro5')).toContain('kpro5 has 2 live trainings: kpro5-2 (drafter, ');
  desk.summaries.splice(1);
  expect(await dflash('stop kpro5')).toMatch(
    /^kpro5 has no live training that you may see, but a server: kpro5-3 .*\n/,
  );
  expect(await dflash('logs last')).toContain('There is no last training: none ran lately that you may see.');
});

test('the status of a found training asks nobody for a name', async () => {
  const { dflash, chat } = withBoth();
  const asked: string[] = [];
  const person = chat.person.bind(chat);
  chat.person = (user) => {
    asked.push(user);
    return person(user);
  };
  expect(await dflash('status kpro5-1')).toContain('(kpro5-1)');
  expect(asked).toEqual(['U0ALICE']);
});

test('a found training that has ended has nothing to stop', async () => {
  const { dflash, desk } = withBoth();
  const request: Partial<TrainRequest> = { id: 'r5', name: 'kpro5-5', host: 'kpro5', found: FOUND };
  desk.summaries.push({ run: sampleTraining({ phase: 'finished' }, request), root: AT });
  expect(await dflash('stop kpro5-5')).toContain('has ended already (finished): there is nothing to stop.');
});

test('a thread that does not come is asked about by the right command', async () => {
  const { dflash, afterwards } = among(ONE_HOST);
  await dflash('train');
  expect(await afterwards()).toEqual([
    "The thread of trainer-1 isn't there yet. /dflash status trainer-1 tells how it stands.",
  ]);
});
