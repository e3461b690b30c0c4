/** Words that are no verb, or stand in the wrong place: the one that is meant is told, with the line put right; nothing is done by a guess. */

import { expect, test } from 'vitest';
import { SLASH_COMMANDS } from '../../src/slack/commands/slash.ts';
import { withRuns } from './set-up.ts';

test.each([
  ['/vllm', 'start kpro5 dflash', 'There is no command “start”. Did you mean launch?', '/vllm launch kpro5 dflash'],
  ['/vllm', 'run kpro5 dflash', 'Did you mean launch?', '/vllm launch kpro5 dflash'],
  ['/vllm', 'kill kpro5-3', 'Did you mean stop?', '/vllm stop kpro5-3'],
  ['/vllm', 'Terminate kpro5-3', 'Did you mean stop?', '/vllm stop kpro5-3'],
  ['/vllm', 'log kpro5-3', 'Did you mean logs?', '/vllm logs kpro5-3'],
  ['/vllm', 'tail kpro5-3 --file', 'Did you mean logs?', '/vllm logs kpro5-3 --file'],
  ['/vllm', 'ps', 'Did you mean status?', '/vllm status'],
  ['/vllm', 'list', 'Did you mean status?', '/vllm status'],
  ['/vllm', 'ls', 'Did you mean status?', '/vllm status'],
  ['/vllm', 'why kpro5-3', 'Did you mean explain?', '/vllm explain kpro5-3'],
  ['/vllm', 'notes kpro5-3', 'Did you mean note?', '/vllm note kpro5-3'],
  ['/vllm', 'lanch --help', 'Did you mean launch?', '/vllm launch --help'],
  ['/dflash', 'start kpro5 drafter', 'Did you mean train?', '/dflash train kpro5 drafter'],
  ['/dflash', 'launch kpro5 drafter', 'Did you mean train?', '/dflash train kpro5 drafter'],
  ['/dflash', 'launch kpro5 dflash', 'launch belongs to /vllm.', '/vllm launch kpro5 dflash'],
  ['/dflash', 'verify kpro5-3', 'verify belongs to /vllm.', '/vllm verify kpro5-3'],
  ['/vllm', 'train kpro5 drafter', 'train belongs to /dflash.', '/dflash train kpro5 drafter'],
  ['/vllm', 'kpro5-3 stop', 'stop has to stand first.', '/vllm stop kpro5-3'],
  ['/vllm', 'kpro5 launch dflash', 'launch has to stand first.', '/vllm launch kpro5 dflash'],
  ['/vllm', 'kpro5 dflash', 'the verb is missing. Did you mean launch?', '/vllm launch kpro5 dflash'],
  ['/vllm', 'kpro5', 'the verb is missing. Did you mean status?', '/vllm status kpro5'],
  ['/vllm', 'kpro5-3', 'the verb is missing. Did you mean status?', '/vllm status kpro5-3'],
  ['/dflash', 'drafter', 'the verb is missing. Did you mean train?', '/dflash train drafter'],
  ['/vllm', 'dflash status', '/dflash is a command of its own.', '/dflash status'],
  ['/vllm', '/dflash stop trainer-1', '/dflash is a command of its own.', '/dflash stop trainer-1'],
  ['/vllm', 'launch dflash kpro5', '“dflash” and “kpro5” have changed places', '/vllm launch kpro5 dflash'],
  ['/vllm', 'launch Dflash kpro5 —queue', 'have changed places', '/vllm launch kpro5 Dflash --queue'],
  ['/vllm', 'check dflash kpro5', 'have changed places', '/vllm check kpro5 dflash'],
  ['/vllm', 'watch /root/logs/vllm.log kpro5', 'have changed places', '/vllm watch kpro5 /root/logs/vllm.log'],
  ['/dflash', 'train drafter kpro5', 'have changed places', '/dflash train kpro5 drafter'],
  ['/vllm', 'launch drafter kpro5', "drafter is a training's recipe", '/dflash train kpro5 drafter'],
  [
    '/vllm',
    'check kpro5 drafter',
    "drafter is a training's recipe: /dflash check takes it.",
    '/dflash check kpro5 drafter',
  ],
])('%s %s is answered with what is meant, and does nothing', async (command, text, expected, line) => {
  const { type, desk } = withRuns();
  const answer = await type(text, { command });
  expect(answer).toContain(expected);
  expect(answer).toContain(`To copy: ${line}`);
  expect([desk.orders.length, desk.stops.size, desk.questions.length]).toEqual([0, 0, 0]);
});

test.each([
  ['launch dflash', 'dflash is a recipe, and a host stands here. Hosts: kpro5 and kpro6.'],
  ['launch kpro5 kpro6', 'kpro6 is a host, and a recipe stands here. Recipes: dflash.'],
  ['watch drafter /root/logs/vllm.log', 'drafter is a recipe, and a host stands here.'],
  ['flyy kpro5', 'There is no command “flyy”. Commands: launch, check,'],
  ['please stop it all', 'There is no command “please”.'],
])('%s is told what stands where it should not', async (text, expected) => {
  const answer = await withRuns().type(text);
  expect(answer).toContain(expected);
  expect(answer).not.toContain('To copy');
});

test.each(['/vllm status', 'vllm status', '`/vllm status`', '```\nvllm status\n```', '*status*', 'status.'])(
  '%j behind /vllm is what it looks like',
  async (text) => {
    const { type } = withRuns();
    expect(await type(text)).toBe(await type('status'));
  },
);

test('a word for a verb names one verb of a slash command, and none that is a verb itself', () => {
  for (const { kind, verbs } of SLASH_COMMANDS) {
    const words = verbs.flatMap(({ alsoCalled }) => alsoCalled);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => verbs.some(({ name }) => name === word))).toEqual([]);
    expect(words).toContain(kind === 'train' ? 'launch' : 'serve');
  }
});
