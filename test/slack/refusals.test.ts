/** What is answered to who asks wrongly, or may not ask. */

import pino from 'pino';
import { expect, test } from 'vitest';
import { ChatError } from '../../src/chat.ts';
import { setUp, withRuns } from './set-up.ts';

test.each([
  [
    'launhc kpro5 dflash',
    'There is no command “launhc”. Did you mean launch? Commands: launch, check, status, stop, restart, verify, logs, explain, watch, history, note and help. To copy: /vllm launch kpro5 dflash',
  ],
  [
    'launch kpor5 dflash',
    'There is no host “kpor5”. Did you mean kpro5? Hosts: kpro5 and kpro6. To copy: /vllm launch kpro5 dflash',
  ],
  [
    'launch kpro5 dflahs',
    'There is no recipe “dflahs”. Did you mean dflash? Recipes: dflash. To copy: /vllm launch kpro5 dflash',
  ],
  [
    'launhc kpor5 dflash',
    'There is no command “launhc”. Did you mean launch? Commands: launch, check, status, stop, restart, verify, logs, explain, watch, history, note and help.',
  ],
  [
    'launch kpor5',
    'There is no host “kpor5”. Did you mean kpro5? Hosts: kpro5 and kpro6. The recipe is missing. Recipes: dflash. Usage: /vllm launch HOST RECIPE',
  ],
  ['launch kpor5 dflahs', 'Did you mean dflash? Recipes: dflash. Usage: /vllm launch HOST RECIPE'],
  ['launch kpro5', 'The recipe is missing. Recipes: dflash. Usage: /vllm launch HOST RECIPE'],
  ['launch', 'The host is missing. Hosts: kpro5 and kpro6. The recipe is missing. Recipes: dflash.'],
  [
    'launch kpro5 dflash now',
    '“now” is too much: expected launch HOST RECIPE [--queue | --replace | --dry-run] [--force]. Leave it out. To copy: /vllm launch kpro5 dflash',
  ],
  [
    'launch kpro5 dflash —dryrun',
    'There is no option “--dryrun”. Did you mean --dry-run? Options: --queue, --replace, --dry-run and --force. To copy: /vllm launch kpro5 dflash --dry-run',
  ],
  [
    'launch kpro5 dflash dry-run',
    '“dry-run” is an option here. Did you mean --dry-run? To copy: /vllm launch kpro5 dflash --dry-run',
  ],
  [
    'launch kpro5 dflash --preview',
    'There is no option “--preview”. Options: --queue, --replace, --dry-run and --force. Usage: /vllm launch HOST RECIPE',
  ],
  ['watch kpro5 /x.log --pdi=42', 'Did you mean --pid? Options: --pid. To copy: /vllm watch kpro5 /x.log --pid=42'],
  ['status --all', '“--all” is an option, and this command takes none. Leave it out. To copy: /vllm status'],
  ['stop', 'The run is missing: a name such as kpro5-3, a host with one live run, or last.'],
  [
    'stop kpro5-4',
    'There is no run “kpro5-4”. Did you mean kpro5-3? Servers: kpro5-3 (dflash, loading weights 3/15) and kpro5-2 (dflash, stopped).',
  ],
  [
    'stop <!channel>',
    'There is no run “<!channel>”. Servers: kpro5-3 (dflash, loading weights 3/15) and kpro5-2 (dflash, stopped).',
  ],
  ['logs kpro6-9', 'There is no run “kpro6-9”.'],
])('%j is answered with what was found, what is allowed and the usage', async (text, expected) => {
  expect((await withRuns().type(text)).replaceAll('\n', ' ')).toContain(expected);
});

test('two words wrong give no line to copy', async () => {
  expect(await withRuns().type('launhc kpor5 dflash')).not.toContain('To copy');
});

test('a host is offered in the place of a run only while it has a live one', async () => {
  const { type, desk } = withRuns();
  expect(await type('stop kpo5')).toContain('Did you mean kpro5?');
  desk.summaries.splice(0, 1);
  expect(await type('stop kpo5')).not.toContain('Did you mean kpro5?');
  desk.summaries.splice(0);
  expect((await type('logs kpro5-9')).split('\n')[0]).toBe(
    'There is no run “kpro5-9”. No server that you may see ran lately.',
  );
});

test('who was not served and why is logged, without what was typed', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const { type, chat } = setUp({ log });
  chat.people.set('U0GUEST', { kind: 'guest', name: 'x' });
  await type('launch kpro5 hf_secretsecret');
  await type('launch kpro5 dflash', { user: 'U0BOB' });
  await type('status', { user: 'U0GUEST' });
  await type('status', { team: 'T9' });
  await type('x', { command: '/vlm' });
  expect(lines.join('')).not.toContain('hf_secret');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, user: 'U0ALICE', command: '/vllm', verb: 'launch', reason: 'usage' },
    { level: 30, user: 'U0BOB', verb: 'launch', reason: 'right' },
    { level: 30, user: 'U0GUEST', verb: 'status', reason: 'guest' },
    { level: 30, reason: 'workspace' },
    { level: 30, user: 'U0ALICE', reason: 'unknown slash command' },
  ]);
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
  expect(await setUp().type('x', { command: '/deploy' })).toContain(
    "Vigil doesn't answer /deploy; it answers /vllm and /dflash.",
  );
});

test('a mistyped slash command is answered with the right one, to copy', async () => {
  expect(await setUp().type('launch kpro5 dflash', { command: '/vlm' })).toBe(
    'There is no command “/vlm”. Did you mean /vllm?\nTo copy: /vllm launch kpro5 dflash',
  );
});
