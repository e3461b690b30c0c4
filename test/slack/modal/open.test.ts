import { expect, test } from 'vitest';
import { ChatError } from '../../../src/chat.ts';
import { CONFIG } from '../set-up.ts';
import { host, recipe, setUp, WIDE } from './set-up.ts';

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
