/** Buttons may be pressed by anybody who sees them, twice at once, and weeks later: each is judged as if it were typed now. */

import { describe, expect, test } from 'vitest';
import { ChatError } from '../../src/chat.ts';
import { digestOf } from '../../src/slack/stop-list.ts';
import { sampleRun, T0 } from '../report/sample-run.ts';
import { PAST } from '../support/past-run.ts';
import { CONFIG, ROOT, setUp, withRuns } from './set-up.ts';

const ID = 'vigil-kpro5-1a2b';
const OFFER = JSON.stringify({ host: 'kpro5', recipe: 'dflash', trigger: '1.1', isForced: false, runs: [ID] });
const PROCESS = { pid: 4711, start: 1, user: 'bob', since: T0, command: 'vllm serve' };
const FOUND = {
  process: { pid: 4711, group: 4711, user: 'bob', command: 'vllm serve', server: null },
  ...{ size: 1, trigger: null, answered: false },
};

/** With a live run, an ended one and one that somebody started by hand. */
function withButtons(rights: Partial<(typeof CONFIG)['hosts'][string]['rights']> = {}) {
  const { kpro5 } = CONFIG.hosts;
  if (kpro5 === undefined) throw new Error('the sample has lost a host');
  const config = { ...CONFIG, hosts: { ...CONFIG.hosts, kpro5: { ...kpro5, rights: { ...kpro5.rights, ...rights } } } };
  const world = withRuns({ config });
  world.desk.summaries.push({ run: sampleRun({}, { id: 'f1', name: 'kpro5-6', found: FOUND }), root: ROOT });
  world.desk.told.set('processes', { kind: 'told', told: [PROCESS] });
  const done = () => [world.desk.orders.length, world.desk.stops.size, world.desk.enqueued.length];
  return { ...world, done };
}

const FOUND_VALUE = `f1 ${digestOf([PROCESS])}`;

describe('without the right', () => {
  test.each([
    ['stop', ID, 'stop'],
    ['stop_found', FOUND_VALUE, 'stop'],
    ['restart', ID, 'stop'],
    ['launch_queue', OFFER, 'launch'],
    ['launch_replace', OFFER, 'launch'],
  ])('%s is refused privately, with the reason, and the message stays', async (action, value, right) => {
    const { press, done } = withButtons();
    const { text, replaces } = await press(action, value, { user: 'U0BOB' });
    expect(text).toBe(
      `Refused: you (U0BOB) may not ${right} on kpro5. One person may. Whoever keeps vigil.yaml can add you under hosts.kpro5.rights.${right}.`,
    );
    expect(replaces).toBe(false);
    expect(done()).toEqual([0, 0, 0]);
  });

  test('a restart needs the right to launch, and a replacement the right to stop', async () => {
    const noLaunch = withButtons({ launch: [] });
    expect((await noLaunch.press('restart', ID)).text).toContain('may not launch on kpro5. Nobody may.');
    const noStop = withButtons({ stop: ['U0BOB', 'U0CAROL', 'S0OPS'] });
    expect((await noStop.press('launch_replace', OFFER)).text).toContain(
      'may not stop on kpro5. 2 people and one user group may.',
    );
    expect([noLaunch.done(), noStop.done()]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  test('whoever cancels another one’s offer is not told of a run that they may not see', async () => {
    const { press, desk } = withButtons({ see: [] });
    expect((await press('launch_cancel', OFFER, { user: 'U0BOB' })).text).toBe('Cancelled: nothing was started.');
    desk.run = async () => ({ run: sampleRun({}), root: ROOT });
    expect((await press('launch_cancel', OFFER, { user: 'U0BOB' })).text).toContain(
      'you (U0BOB) may not see what runs on kpro5',
    );
  });

  test('guests, and people of another workspace, are refused whatever vigil.yaml says', async () => {
    const { press, chat, done } = withButtons({ stop: 'anyone' });
    chat.people.set('U0ALICE', { kind: 'guest', name: 'x' });
    expect((await press('stop', ID)).text).toContain('you are a guest of this workspace');
    expect(done()).toEqual([0, 0, 0]);
  });
});

describe('by a user group', () => {
  test('whoever is in it may, and whoever is not may not', async () => {
    const { press, type, chat, done } = withButtons({ stop: ['S0OPS'] });
    chat.groups.set('S0OPS', ['U0BOB']);
    expect((await press('stop', ID)).text).toContain('may not stop on kpro5. One user group may.');
    expect((await press('stop', ID, { user: 'U0BOB' })).text).toContain('Stopping kpro5-3');
    expect(await type('stop kpro5-3', { user: 'U0BOB' })).toContain('is being stopped already');
    expect(done()).toEqual([0, 1, 0]);
  });

  test('of which Slack does not say who is in it grants nothing, and the refusal says so', async () => {
    const { press, chat, done } = withButtons({ stop: ['S0OPS'] });
    chat.members = () => Promise.reject(new ChatError('closed', 'usergroups.users.list: missing_scope'));
    const { text } = await press('stop', ID, { user: 'U0BOB' });
    expect(text).toContain(
      'may not stop on kpro5, as far as Slack tells. Slack does not say who is in the user group S0OPS',
    );
    expect(text).toContain('Try again in a minute.');
    expect(text).not.toContain('add you under');
    expect(done()).toEqual([0, 0, 0]);
  });

  test('whoever is named beside it needs no answer of Slack’s', async () => {
    const { press, chat } = withButtons({ stop: ['U0BOB', 'S0OPS'] });
    chat.members = () => Promise.reject(new ChatError('closed', 'usergroups.users.list: missing_scope'));
    expect((await press('stop', ID, { user: 'U0BOB' })).text).toContain('Stopping kpro5-3');
  });
});

describe('weeks later', () => {
  test.each(['stop', 'restart'])(
    '%s of a run that only the history has does nothing, and says what is left',
    async (action) => {
      const { press, desk, done } = withButtons();
      desk.entries.push(PAST);
      expect((await press(action, PAST.run)).text).toBe(
        'kpro5-1 ended long ago (failed, 2026-11-30), and only the history has it. Nothing was done. /vllm explain kpro5-1 tells what is known; /vllm launch kpro5 dflash starts the same recipe.',
      );
      expect(done()).toEqual([0, 0, 0]);
    },
  );

  test.each(['run.log', 'drafter'])(
    'no line starts %s again, which is no recipe of that kind in vigil.yaml',
    async (recipe) => {
      const { press, desk } = withButtons();
      desk.entries.push({ ...PAST, recipe });
      expect((await press('restart', PAST.run)).text).toMatch(
        /Nothing was done\. \/vllm explain kpro5-1 tells what is known\.$/,
      );
    },
  );

  test.each(['stop', 'restart', 'log', 'explain'])('%s of a run that nothing knows says so', async (action) => {
    expect((await withButtons().press(action, 'gone')).text).toContain('This run is not known any more');
  });

  test('a stop of a run that has ended by then has nothing to stop, and a restart starts it again', async () => {
    const { press, done } = withButtons();
    expect((await press('stop', 'r2')).text).toContain('kpro5-2 (dflash on kpro5) has ended already (stopped)');
    expect((await press('restart', 'r2')).text).toContain('Starting dflash on kpro5 again as kpro5-9.');
    expect(done()).toEqual([0, 0, 1]);
  });

  test('a button that no Vigil knows any more says so', async () => {
    expect((await withButtons().press('launch_forever', 'x')).text).toContain('This button is of an older Vigil');
  });
});

describe('twice at once', () => {
  test.each(['stop', 'restart'])('%s is one', async (action) => {
    const { press, desk } = withButtons();
    const answers = await Promise.all([press(action, ID), press(action, ID, { trigger: '3.3' })]);
    expect(answers.filter(({ text }) => text.includes('already'))).toHaveLength(1);
    expect(desk.stops.size).toBe(1);
    expect(desk.enqueued.length).toBe(action === 'restart' ? 1 : 0);
  });

  test('two people stop it once, and the second is told by whom', async () => {
    const { press, desk } = withButtons({ stop: ['U0ALICE', 'U0BOB'] });
    await press('stop', ID, { user: 'U0BOB' });
    desk.summaries.splice(0, 1, { run: sampleRun({ stopBy: 'U0BOB' }), root: ROOT });
    expect((await press('stop', ID)).text).toContain('is being stopped already, asked by Bob.');
  });

  test('an offer that is taken twice launches once', async () => {
    const { press, desk } = setUp();
    await Promise.all([press('launch_queue', OFFER), press('launch_queue', OFFER, { trigger: '3.3' })]);
    expect(desk.orders.map(({ trigger }) => trigger)).toEqual(['1.1', '1.1']);
  });
});
