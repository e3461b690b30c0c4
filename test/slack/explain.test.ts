/** What is wrong with a run, and its log, by the command and by the buttons of its card: to who asks alone, in any state, weeks later. */

import { describe, expect, test } from 'vitest';
import { DeskClosed } from '../../src/requests.ts';
import { OOM, sampleRun, sampleTraining, T0 } from '../report/sample-run.ts';
import { PAST } from '../support/past-run.ts';
import { ROOT, setUp, withRuns } from './set-up.ts';

const ID = 'vigil-kpro5-1a2b';
const EXIT = { code: 1, signal: null, at: T0 + 60_000 };
const FAILURE = { kind: 'ended', exit: EXIT, during: 'loading', cause: OOM, tail: [] } as const;

function withPast() {
  const world = withRuns();
  world.desk.entries.push(PAST);
  world.desk.notes.set(OOM.fingerprint, { text: 'Take fewer.', by: 'U0BOB', at: T0 });
  return world;
}

describe('explain', () => {
  test('tells all that is known, and the way to the thread, by the command as by the button', async () => {
    const { type, press, desk } = setUp();
    desk.summaries.push({ run: sampleRun({ phase: 'failed', failure: FAILURE }), root: ROOT });
    const answer = await type('explain last');
    expect(answer).toContain(
      '❌ Failed, dflash on kpro5 (kpro5-3)\nCUDA out of memory (Worker_TP1, line 101 of the log)',
    );
    expect(answer).toContain('What to do: Free GPU 1');
    expect(answer).toContain('Open its thread (https://example.slack.com/');
    expect(await press('explain', ID)).toEqual({ text: answer, replaces: false });
  });

  test('tells of a run that is well that it is', async () => {
    expect(await withRuns().type('explain kpro5')).toContain('Nothing is wrong so far: loading weights 3/15.');
  });

  test.each([
    ['by its name', 'explain kpro5-1'],
    ['by its status', 'status kpro5-1'],
  ])('of a run that only the history has tells that, %s', async (_, text) => {
    const answer = await withPast().type(text);
    expect(answer).toContain('kpro5-1 (dflash on kpro5) ended so long ago that only the history has it:');
    expect(answer).toContain("Your team's note (by Bob, 2026-11-30 07:00 UTC): Take fewer.");
    expect(answer).toContain('What to do: Free GPU 1');
    expect(answer).toContain('thread (https://example.slack.com/');
  });

  test('of a run that is older than those that are listed is found as long as the journal has it', async () => {
    const { type, desk } = withPast();
    const run = sampleRun({ phase: 'failed', failure: FAILURE }, { id: PAST.run, name: PAST.name });
    const { summaries } = desk;
    desk.run = async (id) => (id === PAST.run ? { run, root: ROOT } : null);
    desk.runs = async () => summaries;
    expect(await type('explain kpro5-1')).toContain('❌ Failed, dflash on kpro5 (kpro5-1)');
    expect(await type('stop kpro5-1')).toContain('has ended already (failed): there is nothing to stop.');
  });
});

describe('the log', () => {
  test('is shown by the button as by the command, with one that posts it', async () => {
    const { type, press, desk } = withRuns();
    desk.lines = ['one', 'two'];
    const answer = await type('logs kpro5-3');
    expect(answer).toContain('The last 2 lines of kpro5-3:\n    one\n    two');
    expect(answer).toContain('[Post it in the thread]');
    expect(await press('log', ID)).toEqual({ text: answer, replaces: false });
  });

  test('is offered for the thread only where there is one, and something to post', async () => {
    const { type, desk } = withRuns();
    expect(await type('logs kpro5-3')).not.toContain('[Post it');
    desk.lines = ['one'];
    desk.summaries.splice(0, 3, { run: sampleRun({}), root: null });
    expect(await type('logs kpro5-3')).not.toContain('[Post it');
  });

  test('is posted once by one button, however often it is clicked, and what happens takes its place', async () => {
    const { press, desk } = withRuns();
    const first = await press('log_file', `${ID} 7.7`);
    expect(first).toEqual({
      text: 'The end of the log of kpro5-3 is being posted as a file in its thread in #C0OPS, for all to see.',
      replaces: true,
    });
    const again = await press('log_file', `${ID} 7.7`, { trigger: '3.3' });
    expect(again.text).toContain('was asked for already');
    expect([...desk.shared]).toEqual([['7.7', { run: ID, by: 'U0ALICE' }]]);
  });

  test('is posted by a button of an older answer as well', async () => {
    const { press, desk } = withRuns();
    await press('log_file', ID, { trigger: '4.4' });
    expect([...desk.shared.keys()]).toEqual(['4.4']);
  });

  test('is posted by --file, and what keeps it from that is told', async () => {
    const { type, desk } = withRuns();
    expect(await type('logs kpro5-3 —file')).toContain('is being posted as a file in its thread in #C0OPS');
    desk.summaries.splice(0, 3, { run: sampleRun({}), root: null });
    expect(await type('logs kpro5-3 --file')).toBe(
      'Nothing was posted: kpro5-3 has no thread yet. /vllm logs kpro5-3 shows its last lines to you alone.',
    );
    desk.summaries.splice(0, 1, { run: sampleRun({ started: null }), root: ROOT });
    expect(await type('logs kpro5-3 --file')).toBe(
      'Nothing was posted: kpro5-3 has no log, since its process has not started.',
    );
  });

  test('of a run that only the history has is not there any more', async () => {
    const { type, press } = withPast();
    for (const answer of [await type('logs kpro5-1'), (await press('log', PAST.run)).text])
      expect(answer).toContain(
        'kpro5-1 ended long ago (failed, 2026-11-30), and only the history has it. Its log is not kept here',
      );
    expect(await type('logs kpro5-1 --file')).toContain('Nothing was posted: its log is not kept here any more.');
  });
});

describe('whoever clicks', () => {
  test.each(['log', 'log_file', 'explain'])('%s needs the right to see the host', async (action) => {
    const { press, desk } = withRuns();
    desk.lines = ['secret of kpro6'];
    const { text, replaces } = await press(action, 'r9');
    expect(text).toBe(
      'Refused: you (U0ALICE) may not see what runs on kpro6. One person may. Whoever keeps vigil.yaml can add you under hosts.kpro6.rights.see.',
    );
    expect([replaces, desk.shared.size]).toEqual([false, 0]);
  });

  test('is not told of a run of the past on a host that they may not see', async () => {
    const { press, desk, type } = withPast();
    desk.entries.push({ ...PAST, run: 'r8', name: 'kpro6-8', host: 'kpro6' });
    expect((await press('explain', 'r8')).text).toContain('This run is not known any more');
    expect(await type('explain kpro6-8')).toContain('There is no run “kpro6-8”.');
  });

  test.each(['log', 'log_file', 'explain'])('%s is told what holds when Redis does not answer', async (action) => {
    const { press, desk } = withRuns();
    desk.run = () => Promise.reject(new DeskClosed('Redis does not answer'));
    expect((await press(action, ID)).text).toMatch(/^Redis does not answer: /);
  });
});

test('a training is explained by /dflash, and /vllm names the line for that', async () => {
  const { type, desk } = setUp();
  desk.summaries.push({ run: sampleTraining({}, { host: 'kpro5' }), root: ROOT });
  expect(await type('explain trainer-1', { command: '/dflash' })).toContain('Nothing is wrong so far: training.');
  expect(await type('explain trainer-1')).toContain('To copy: /dflash explain trainer-1');
});
