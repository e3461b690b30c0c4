import { expect, test } from 'vitest';
import { DeskClosed } from '../../../src/requests.ts';
import type { Returned } from '../../../src/slack/modal/modal.ts';
import { BOTH, setUp } from './set-up.ts';

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
