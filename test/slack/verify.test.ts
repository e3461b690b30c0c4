/** What a person reads who has a server verified. */

import { expect, test } from 'vitest';
import type { Answer, VerifyAnswer } from '../../src/questions.ts';
import { DeskClosed } from '../../src/requests.ts';
import { HEALTHY, sampleTraining, UNUSABLE, WARNED } from '../report/sample-run.ts';
import { withRuns } from './set-up.ts';

/** With what a worker will answer; null: nothing. */
function withAnswer(told: VerifyAnswer | null) {
  const world = withRuns();
  if (told !== null) world.desk.told.set('verify', { kind: 'told', told } satisfies Answer<'verify'>);
  return world;
}

test('the outcome comes first, with what is wrong and what to do, then the numbers', async () => {
  const { type, desk } = withAnswer({ kind: 'verified', verification: WARNED });
  const [head, ...more] = (await type('verify kpro5-3')).split('\n');
  expect(head).toBe('⚠️ Ready with warnings (acceptance and configuration): dflash on kpro5 (kpro5-3)');
  expect(more.join('\n')).toContain('Mean acceptance length 1.96');
  expect(more.join('\n')).toContain('What to do:');
  const asked = { kind: 'verify', host: 'kpro5', run: 'vigil-kpro5-3', by: 'U0ALICE', accept: false };
  expect(desk.questions).toMatchObject([{ ...asked, run: expect.any(String) }]);
});

test.each([
  [HEALTHY, '✅ Ready: dflash on kpro5 (kpro5-3)'],
  [UNUSABLE, '⛔ Not usable (drafts are not accepted): dflash on kpro5 (kpro5-3)'],
])('a glance tells whether it is of use', async (verification, head) => {
  const { type } = withAnswer({ kind: 'verified', verification });
  expect((await type('verify kpro5-3')).split('\n')[0]).toBe(head);
});

test('--accept is asked for', async () => {
  const { type, desk } = withAnswer({ kind: 'verified', verification: { ...HEALTHY, recorded: 'accepted' } });
  expect(await type('verify kpro5 —accept')).toContain("Accepted as the recipe's record on this host");
  expect(desk.questions).toMatchObject([{ accept: true }]);
});

test('--accept that comes to nothing is said', async () => {
  const { type } = withAnswer({ kind: 'verified', verification: { ...HEALTHY, recorded: null } });
  expect(await type('verify kpro5-3 —accept')).toContain('Nothing was accepted: the record stays as it was');
  expect(await type('verify kpro5-3')).not.toContain('Nothing was accepted');
});

test('what was not verified is said as it is', async () => {
  const reason = 'Not verified: kpro5-3 is not ready yet. It is verified by itself as soon as it answers.';
  expect(await withAnswer({ kind: 'not_verified', reason }).type('verify kpro5-3')).toBe(reason);
  const { type, desk } = withAnswer(null);
  desk.told.set('verify', { kind: 'failed', reason: 'kpro5 (root@203.0.113.7) refused the connection.' });
  expect(await type('verify kpro5-3')).toBe('Not verified: kpro5 (root@203.0.113.7) refused the connection.');
});

test('what takes its time is begun at once and told later', async () => {
  const limits = { person: 100, answer: 20, thread: 100, poll: 1, host: 100, verify: 60_000, pollHost: 1 };
  const { type, desk, afterwards } = withRuns({ limits });
  expect(await type('verify kpro5-3')).toBe(
    'Verifying dflash on kpro5 (kpro5-3). What it comes to follows here, within 3 minutes.',
  );
  desk.told.set('verify', { kind: 'told', told: { kind: 'verified', verification: HEALTHY } });
  expect(await afterwards()).toEqual([expect.stringContaining('✅ Ready')]);
});

test('when Redis goes away before the answer, that is told', async () => {
  const limits = { person: 100, answer: 20, thread: 100, poll: 1, host: 100, verify: 60_000, pollHost: 1 };
  const { type, desk, afterwards } = withRuns({ limits });
  await type('verify kpro5-3');
  desk.answerTo = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await afterwards()).toEqual([
    'What came of it is not known: Redis does not answer. The thread tells it where it was done.',
  ]);
});

test('without the right, of a training, or of a run that is none, nothing is asked', async () => {
  const { type, desk } = withAnswer({ kind: 'verified', verification: HEALTHY });
  expect(await type('verify kpro5-3', { user: 'U0BOB' })).toBe(
    'Refused: you (U0BOB) may not launch on kpro5. One person may. Whoever keeps vigil.yaml can add you under hosts.kpro5.rights.launch.',
  );
  desk.summaries.push({ run: sampleTraining({}, { name: 'kpro5-8', host: 'kpro5' }), root: null });
  expect(await type('verify kpro5-8')).toContain('kpro5-8 is a training.');
  expect(await type('verify kpro5-4')).toContain('There is no run “kpro5-4”.');
  expect(await type('verify')).toContain('The run is missing');
  expect(desk.questions).toEqual([]);
});

test('when Redis does not answer, that is told', async () => {
  const { type, desk } = withAnswer(null);
  desk.ask = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await type('verify kpro5-3')).toBe('Not accepted: Redis does not answer, nothing was verified.');
});
