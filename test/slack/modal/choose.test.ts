import { expect, test } from 'vitest';
import { ChatError } from '../../../src/chat.ts';
import type { Answer, Topic } from '../../../src/questions.ts';
import { DeskClosed } from '../../../src/requests.ts';
import { DRY_RUN } from '../../support/dry-run.ts';
import { CONFIG } from '../set-up.ts';
import { BOTH, setUp } from './set-up.ts';

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
  desk.told.set('dry_run', { kind: 'told', told: { ...DRY_RUN, obstacles, warnings: ['The log is old.'] } });
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
  answers.set('plain', { kind: 'told', told: { ...DRY_RUN, argv: ['vllm', 'serve', 'a/b'] } });
  await newer;
  answers.set('dflash', { kind: 'told', told: DRY_RUN });
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
