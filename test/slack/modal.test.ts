import { expect, test } from 'vitest';
import { ChatError } from '../../src/chat.ts';
import type { Config } from '../../src/config/config.ts';
import type { Answer, DryRun, Topic } from '../../src/questions.ts';
import { DeskClosed } from '../../src/requests.ts';
import { answerCommand } from '../../src/slack/answer.ts';
import type { Edge } from '../../src/slack/call.ts';
import { answerChoice, answerSubmission, type Returned } from '../../src/slack/modal/modal.ts';
import { FakeDialogs } from '../support/fake-dialogs.ts';
import { plainMessage } from '../support/plain.ts';
import { CONFIG, setUp as setUpCommands } from './set-up.ts';

const TOLD: DryRun = {
  argv: ['vllm', 'serve', '/models/target', '--tensor-parallel-size', '2'],
  environment: [{ name: 'HF_TOKEN', value: null }],
  prelude: 'source /root/venv/bin/activate',
  program: '/root/venv/bin/vllm',
  path: '/usr/bin',
  directory: '/root',
  log: null,
  olderLog: null,
  gpus: ['0', '1'],
  address: 'port 8000',
  reached: 'root@192.0.2.172:22',
  obstacles: [],
  warnings: [],
};

const METADATA = JSON.stringify({ kind: 'serve', channel: 'C0OPS', url: null });

/** Alice may launch on both hosts, and force on kpro5 alone; there are two recipes that serve. */
const WIDE: Config = {
  ...CONFIG,
  hosts: { ...CONFIG.hosts, kpro6: { ...host('kpro6'), rights: { ...host('kpro6').rights, launch: ['U0ALICE'] } } },
  recipes: {
    ...CONFIG.recipes,
    plain: { ...recipe('dflash'), name: 'plain', gpus: 1, argv: ['vllm', 'serve', 'a/b'] },
  },
};

function host(name: string) {
  const found = CONFIG.hosts[name];
  if (found === undefined) throw new Error(`no host ${name}`);
  return found;
}

function recipe(name: string) {
  const found = CONFIG.recipes[name];
  if (found === undefined) throw new Error(`no recipe ${name}`);
  return found;
}

function setUp(overrides: Partial<Edge> = {}) {
  const world = setUpCommands({ config: WIDE, ...overrides });
  const dialogs = new FakeDialogs();
  const followup = { ...world.followup, dialogs, url: 'https://hooks.example/1' };
  world.desk.told.set('dry_run', { kind: 'told', told: TOLD });
  const alice = { user: 'U0ALICE', team: 'T0', channel: 'C0OPS' };
  /** Types a command: null = nothing is said, the modal is open. */
  const type = async (command: string, text: string, from: Partial<typeof alice> = {}) => {
    const message = await answerCommand(world.edge, { ...alice, ...from, command, text, trigger: '1.1' }, followup);
    return message === null ? null : plainMessage(message);
  };
  const returned = (values: Returned['values'], more: Partial<Returned> = {}): Returned => {
    return { ...alice, trigger: '2.2', viewId: 'V1', callback: 'launch', metadata: METADATA, values, ...more };
  };
  const choose = (values: Returned['values'], action = 'recipe', more: Partial<Returned> = {}) =>
    answerChoice(world.edge, { ...returned(values, more), action, value: '' }, followup);
  const submit = (values: Returned['values'], more: Partial<Returned> = {}) =>
    answerSubmission(world.edge, returned(values, more), followup);
  return { ...world, dialogs, type, choose, submit };
}

const BOTH = { host: 'kpro5', recipe: 'dflash', queue: null, force: null };

test('without arguments a modal offers the hosts on which the person may launch, and the recipes of that kind', async () => {
  const { type, dialogs, desk } = setUp();
  expect(await type('/vllm', '')).toBeNull();
  expect(dialogs.text).toMatchInlineSnapshot(`
    "# Launch a server
    Host
      ( ) kpro5
      ( ) kpro6
    Recipe
      ( ) dflash: GPUs 0 and 1, port 8000, Qwen/Qwen3-8B
      ( ) plain: 1 GPU, port 8000, a/b
    If something is in its way
      ( ) Wait in the line: It starts by itself when its turn comes.
    ---
    What it would run and what is in its way is shown here as soon as both are chosen.
    [Launch]"
  `);
  expect(dialogs.view.callback_id).toBe('launch');
  expect(JSON.parse(dialogs.view.private_metadata ?? '')).toEqual({
    kind: 'serve',
    channel: 'C0OPS',
    url: 'https://hooks.example/1',
  });
  expect(desk.questions).toEqual([]);
});

test('the verb alone opens it, too', async () => {
  const { type, dialogs } = setUp();
  expect(await type('/vllm', 'launch')).toBeNull();
  expect(dialogs.shown).toHaveLength(1);
  expect(await type('/dflash', 'train')).toBeNull();
  expect(dialogs.text).toContain('# Train a drafter');
  expect(dialogs.text).toContain('drafter: GPUs 0, 1, 2 and 3, bash /workspace/dflash/train.sh');
});

test('where there is one host and one recipe, both are chosen and looked at at once', async () => {
  const { type, dialogs, afterwards } = setUp({ config: CONFIG });
  expect(await type('/vllm', '')).toBeNull();
  expect(dialogs.text).toContain('Host: kpro5\n');
  expect(dialogs.text).toContain('Recipe: dflash\n');
  expect(JSON.stringify(dialogs.shown[0])).toContain('Looking at `kpro5` …');
  await afterwards();
  expect(dialogs.text).toContain('Nothing was found in its way.');
});

test('who may launch nowhere is told which right is missing and who can give it', async () => {
  const { type, dialogs } = setUp();
  expect(await type('/vllm', '', { user: 'U0BOB' })).toBe(
    'Refused: you (U0BOB) may launch on no host. Whoever keeps vigil.yaml can add you under hosts.HOST.rights.launch. /vllm help lists what else there is.',
  );
  expect(dialogs.shown).toEqual([]);
});

test('a group that Slack says nothing of grants nothing, and that is said', async () => {
  const rights = { ...host('kpro5').rights, launch: ['S0OPS'] };
  const { type, chat, dialogs } = setUp({ config: { ...CONFIG, hosts: { kpro5: { ...host('kpro5'), rights } } } });
  chat.members = () => Promise.reject(new ChatError('ambiguous', 'usergroups.users.list: no answer'));
  expect(await type('/vllm', '')).toContain(
    'may launch on no host, as far as Slack tells. Slack does not say who is in the user group S0OPS, which may',
  );
  chat.members = async () => ['U0ALICE'];
  expect(await type('/vllm', '')).toBeNull();
  expect(dialogs.text).toContain('Host: kpro5');
});

test('a host that only such a group opens is not in the list, and the modal says that it may be missing', async () => {
  const rights = { ...host('kpro6').rights, launch: ['S0OPS'] };
  const hosts = { kpro5: host('kpro5'), kpro6: { ...host('kpro6'), rights } };
  const { type, chat, dialogs } = setUp({ config: { ...WIDE, hosts } });
  chat.members = () => Promise.reject(new ChatError('ambiguous', 'usergroups.users.list: no answer'));
  expect(await type('/vllm', '')).toBeNull();
  expect(dialogs.text).toContain('Hosts may be missing here. Slack does not say who is in the user group S0OPS');
  expect(dialogs.text).not.toContain('( ) kpro6');
});

test('a kind of which vigil.yaml has no recipe opens nothing', async () => {
  const { drafter: _, ...recipes } = WIDE.recipes;
  const { type, dialogs } = setUp({ config: { ...WIDE, recipes } });
  expect(await type('/dflash', '')).toContain('vigil.yaml has no recipe of kind: train.');
  expect(dialogs.shown).toEqual([]);
});

test('where Slack opens no modal, the help comes in its place', async () => {
  const { type, dialogs } = setUp();
  dialogs.failures.push(new ChatError('ambiguous', 'views.open: Slack says expired_trigger_id'));
  expect(await type('/vllm', '')).toContain('launch HOST RECIPE');
});

test('of more than a hundred recipes the first hundred are listed, and the way to the others is named', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 130 }, (_, index) => [`r${index}`, { ...recipe('dflash'), name: `r${index}` }]),
  );
  const { type, dialogs } = setUp({ config: { ...WIDE, recipes: many } });
  expect(await type('/vllm', '')).toBeNull();
  expect(dialogs.text).toContain('r99');
  expect(dialogs.text).not.toContain('r100');
  expect(dialogs.text).toContain('30 more are not shown: /vllm launch HOST RECIPE takes them.');
});

test("what a recipe is is cut to Slack's limits, and its secrets are masked", async () => {
  const secret = 'tok-3141592653';
  const argv = ['bash', `/srv/${secret}/run.sh`, '--name', 'x'.repeat(200)];
  const config = { ...WIDE, recipes: { odd: { ...recipe('drafter'), name: 'odd', argv, secrets: [secret] } } };
  const { type, dialogs } = setUp({ config });
  expect(await type('/dflash', '')).toBeNull();
  expect(dialogs.text).toMatch(/odd: GPUs .*…$/m);
  expect(JSON.stringify(dialogs.shown)).not.toContain(secret);
});

test('both chosen: the host is looked at, then the command, its GPUs and port stand below', async () => {
  const { choose, dialogs, desk } = setUp();
  await choose(BOTH);
  expect(dialogs.shown).toHaveLength(2);
  expect(JSON.stringify(dialogs.shown[0])).toContain('Looking at `kpro5` …');
  expect(dialogs.text.slice(dialogs.text.indexOf('---'))).toMatchInlineSnapshot(`
    "---
    Dry run of dflash on kpro5 (root@192.0.2.172:22): nothing was started. Nothing was found in its way.
    The words of its command, one argument a word:
        vllm
        serve
        /models/target
        --tensor-parallel-size 2
    • GPUs 0 and 1
    • Listens on port 8000
    [Launch]"
  `);
  expect(desk.questions).toEqual([{ kind: 'dry_run', host: 'kpro5', recipe: 'dflash' }]);
  expect(desk.orders).toEqual([]);
});

test('what stands in its way comes first', async () => {
  const { choose, dialogs, desk } = setUp();
  const obstacles = ['port 8000 on kpro5 is in use by pid 4242 <!channel>.'];
  desk.told.set('dry_run', { kind: 'told', told: { ...TOLD, obstacles, warnings: ['The log is old.'] } });
  await choose(BOTH);
  expect(dialogs.text).toContain(
    'It would be refused now, for one reason:\n• port 8000 on kpro5 is in use by pid 4242 <!channel>.\n• The log is old.',
  );
  expect(JSON.stringify(dialogs.view)).not.toContain('<!channel>');
});

test('checks can be overridden on hosts where the person has that right', async () => {
  const { choose, dialogs } = setUp();
  await choose({ ...BOTH, recipe: null }, 'host');
  expect(dialogs.text).toContain('If its checks refuse it\n  ( ) Start it all the same');
  await choose({ ...BOTH, host: 'kpro6', recipe: null }, 'host');
  expect(dialogs.text).not.toContain('If its checks refuse it');
});

test('what is chosen stays chosen: fields keep their names, and begin alike in every view', async () => {
  const { type, choose, dialogs } = setUp();
  await type('/vllm', '');
  await choose(BOTH);
  const fields = dialogs.shown.map(({ blocks }) => blocks.slice(0, 3));
  expect(new Set(fields.map((blocks) => JSON.stringify(blocks))).size).toBe(1);
});

test('an older answer never takes the place of a newer choice', async () => {
  const { choose, dialogs, desk } = setUp();
  const answers = new Map<string, Answer>();
  desk.ask = async (question) => `${question.kind === 'dry_run' ? question.recipe : question.kind}`;
  desk.answerTo = async <Kind extends Topic>(id: string) => (answers.get(id) ?? null) as Answer<Kind> | null;
  const older = choose(BOTH);
  const newer = choose({ ...BOTH, recipe: 'plain' });
  answers.set('plain', { kind: 'told', told: { ...TOLD, argv: ['vllm', 'serve', 'a/b'] } });
  await newer;
  answers.set('dflash', { kind: 'told', told: TOLD });
  await older;
  expect(dialogs.text).toContain('Dry run of plain on kpro5');
  expect(dialogs.shown.filter((view) => JSON.stringify(view).includes('Dry run of'))).toHaveLength(1);
});

test('a host that can not be asked, a silent worker and a Redis that is away are told in the modal', async () => {
  const { choose, dialogs, desk } = setUp();
  desk.told.set('dry_run', { kind: 'failed', reason: 'kpro5 can not be reached.' });
  await choose(BOTH);
  expect(dialogs.text).toContain('kpro5 can not be reached. Nothing was started.');
  desk.told.delete('dry_run');
  await choose(BOTH);
  expect(dialogs.text).toContain('No worker could say anything about kpro5');
  desk.ask = () => Promise.reject(new DeskClosed('gone'));
  await choose(BOTH);
  expect(dialogs.text).toContain("Redis does not answer: what it would do can't be told now.");
});

test('a modal that was closed meanwhile is left alone', async () => {
  const { choose, dialogs, desk } = setUp();
  dialogs.isClosed = true;
  await choose(BOTH);
  expect(dialogs.shown).toEqual([]);
  expect(desk.questions).toEqual([]);
});

test('nobody looks at "Looking at" for ever where Slack refuses what the host told', async () => {
  const { choose, dialogs, desk } = setUp();
  desk.ask = async (question) => {
    dialogs.failures.push(new ChatError('invalid', 'views.update: Slack says invalid_arguments'));
    return question.kind;
  };
  await choose(BOTH);
  expect(dialogs.text).toContain("can't be shown here");
});

test('who may not launch there any more is told so, and the host is not asked', async () => {
  const { choose, dialogs, desk } = setUp({ config: CONFIG });
  await choose({ ...BOTH, host: 'kpro6' });
  expect(dialogs.text).toContain('you (U0ALICE) may not launch on kpro6');
  await choose(BOTH, 'recipe', { user: 'U0BOB' });
  expect(dialogs.text).toMatchInlineSnapshot(`
    "# Launch a server
    Refused: you (U0BOB) may launch on no host. Whoever keeps vigil.yaml can add you under hosts.HOST.rights.launch. /vllm help lists what else there is."
  `);
  expect(desk.questions).toEqual([]);
});

test('a submission is the command that one would type', async () => {
  const { submit, desk, afterwards } = setUp();
  expect(await submit({ ...BOTH, queue: ['yes'], force: ['yes'] })).toEqual({ kind: 'close' });
  expect(desk.orders).toEqual([
    {
      trigger: 'V1',
      host: 'kpro5',
      recipe: 'dflash',
      by: 'U0ALICE',
      channel: 'C0OPS',
      mode: { kind: 'queue' },
      isForced: true,
    },
  ]);
  expect((await afterwards())[0]).toMatch(/^Launching dflash on kpro5 as kpro5-3/);
});

test('a training is submitted likewise', async () => {
  const { submit, desk } = setUp();
  const metadata = JSON.stringify({ kind: 'train', channel: 'C0OPS', url: null });
  expect(await submit({ ...BOTH, recipe: 'drafter' }, { metadata })).toEqual({ kind: 'close' });
  expect(desk.orders).toMatchObject([{ recipe: 'drafter', mode: { kind: 'now' } }]);
});

test('sent twice it is one launch', async () => {
  const { submit, desk } = setUp();
  await Promise.all([submit(BOTH, { trigger: '3.1' }), submit(BOTH, { trigger: '3.2' })]);
  expect(desk.orders.map(({ trigger }) => trigger)).toEqual(['V1', 'V1']);
});

test('what is in its way is offered after the modal has closed', async () => {
  const { submit, desk, afterwards } = setUp();
  desk.answer = { kind: 'held', holders: [], ahead: [], count: { asked: 2, free: [] }, replaceable: [] };
  expect(await submit(BOTH)).toEqual({ kind: 'close' });
  expect((await afterwards())[0]).toContain('[Queue] [Cancel]');
});

test('a missing choice is told at its field', async () => {
  const { submit, desk } = setUp();
  expect(await submit({ host: null, recipe: null })).toEqual({
    kind: 'wrong',
    errors: {
      host: 'The host is missing. Hosts: kpro5 and kpro6.',
      recipe: 'The recipe is missing. Recipes: dflash and plain.',
    },
  });
  expect(desk.orders).toEqual([]);
});

test('what vigil.yaml has lost since is told at its field', async () => {
  const { submit, desk } = setUp();
  expect(await submit({ ...BOTH, recipe: 'dflashy' })).toEqual({
    kind: 'wrong',
    errors: { recipe: 'There is no recipe “dflashy”. Did you mean dflash? Recipes: dflash and plain.' },
  });
  expect(await submit({ ...BOTH, host: 'gone' })).toMatchObject({
    errors: { host: expect.stringContaining('There is no host “gone”.') },
  });
  expect(desk.orders).toEqual([]);
});

test('rights are looked at once more: of the host, of force, of the person', async () => {
  const { submit, desk, chat } = setUp();
  const refused = async (values: Returned['values'], user = 'U0ALICE') => {
    const answer = await submit(values, { user });
    return answer.kind === 'wrong' ? answer.errors.host : answer.kind;
  };
  expect(await refused({ ...BOTH, host: 'kpro6', force: ['yes'] })).toContain('you (U0ALICE) may not force on kpro6.');
  expect(await refused(BOTH, 'U0BOB')).toContain('may launch on no host');
  chat.people.set('U0ALICE', { kind: 'guest', name: 'Alice' });
  expect(await refused(BOTH)).toContain('guest');
  expect(desk.orders).toEqual([]);
});

test('while Redis is away the modal stays, says so, and works by the next click', async () => {
  const { submit, desk } = setUp();
  const { launch } = desk;
  desk.launch = () => Promise.reject(new DeskClosed('gone'));
  expect(await submit(BOTH)).toEqual({
    kind: 'wrong',
    errors: { host: 'Not accepted: Redis does not answer, nothing was started. Try again in a minute.' },
  });
  desk.launch = launch.bind(desk);
  expect(await submit(BOTH)).toEqual({ kind: 'close' });
});

test('what takes longer than Slack waits closes the modal, and its answer follows', async () => {
  const { submit, desk, afterwards } = setUp();
  const { launch } = desk;
  let go = (): void => {};
  desk.launch = async (order, seen) => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return launch.call(desk, order, seen);
  };
  expect(await submit(BOTH)).toEqual({ kind: 'close' });
  go();
  expect((await afterwards())[0]).toMatch(/^Launching dflash/);
});

test.each([
  ['of another callback', { callback: 'lunch' }],
  ['without metadata', { metadata: '' }],
  ['with metadata of another shape', { metadata: '{"kind":"serve","channel":"<!channel>","url":null}' }],
])('a modal %s starts nothing and says so', async (_, more) => {
  const { submit, choose, desk, dialogs, afterwards } = setUp();
  await choose(BOTH, 'recipe', more);
  expect(dialogs.shown).toEqual([]);
  expect(await submit(BOTH, more)).toEqual({ kind: 'close' });
  expect(await afterwards()).toEqual([
    'This form is of another version of Vigil: nothing was started. Type the command again for a new one.',
  ]);
  expect(desk.orders).toEqual([]);
});
