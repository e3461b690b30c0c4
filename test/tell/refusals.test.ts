/** What Slack may answer to a report, and what becomes of it: at production's pace in virtual time, against the stand-in and a real Redis. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { observe } from '../../src/flow/write.ts';
import type { Observation } from '../../src/run/observe.ts';
import { playLaunch } from '../support/launch-story.ts';
import { openPacedReports, type PacedReports } from '../support/paced-reports.ts';
import { CHANNEL } from '../support/report-stage.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LONG = 3 * 60 * MINUTE;
let world: PacedReports;
let run: string;

beforeEach(async () => {
  world = await openPacedReports();
  run = await world.launch();
});

afterEach(() => world.close());

const slack = () => world.stage.slack;
const journal = () => world.stage.store.journal;

/** Something happens to the run at that time of the play. */
const happen = async (...observations: ((at: number) => Observation)[]): Promise<void> => {
  const now = world.time.now();
  await observe(journal(), run, () => observations.map((make) => make(now)));
};
const notice = (text: string) => (at: number) => ({ kind: 'notice', text, at, seen: at }) as const;
const checking = (at: number) => ({ kind: 'checking', at, seen: at }) as const;
const refused = (at: number) => ({ kind: 'refused', reason: 'port 8000 is in use by pid 12', at, seen: at }) as const;

/** Each step at its time, in ms since the last one; then until everything is told. */
const play = (...steps: readonly (readonly [after: number, act: () => unknown])[]): Promise<void> =>
  world.play(
    [run],
    [
      async () => {
        for (const [after, act] of steps) {
          await world.time.pause(after);
          await act();
        }
      },
    ],
    LONG,
  );

const standing = (channel = CHANNEL) =>
  slack()
    .messages(channel)
    .filter(({ deleted }) => !deleted);
const roots = (channel = CHANNEL): string[] =>
  standing(channel).flatMap(({ thread, text }) => (thread === null ? [text] : []));
const replies = (channel = CHANNEL): string[] =>
  standing(channel).flatMap(({ thread, text }) => (thread === null ? [] : [text]));
const at = (what: 'post' | 'edit', text: RegExp): number | undefined =>
  world.sent.find((one) => one.what === what && text.test(one.text))?.at;
const isSettled = async (): Promise<boolean> => (await journal().dirty()).length === 0;

test('a change that the card does not show costs no edit', async () => {
  await play([15 * SECOND, () => happen(notice('one'))], [15 * SECOND, () => happen(notice('two'))]);
  expect(replies()).toHaveLength(2);
  expect(slack().calls('chat.update')).toEqual([]);
  expect(await isSettled()).toBe(true);
});

describe('a 429', () => {
  test('on edits holds up edits alone, for as long as Slack asks', async () => {
    slack().faults.limit('chat.update', 1, 40);
    await play([15 * SECOND, () => happen(checking)], [1 * SECOND, () => happen(notice('something'))]);
    expect(at('post', /something/)).toBeLessThan(17 * SECOND);
    expect(at('edit', /^Checking/)).toBeGreaterThanOrEqual(55 * SECOND);
    expect(slack().calls('chat.update')).toHaveLength(2);
  });

  test('on messages holds up messages alone', async () => {
    await play(
      [15 * SECOND, () => slack().faults.limit('chat.postMessage', 1, 40)],
      [0, () => happen(checking, notice('something'))],
    );
    expect(at('edit', /^Checking/)).toBeLessThan(17 * SECOND);
    expect(at('post', /something/)).toBeGreaterThanOrEqual(55 * SECOND);
    expect(replies()).toHaveLength(1);
  });

  test('on a search is waited out, and the search repeated', async () => {
    slack().faults.loseResponse('chat.postMessage', 1);
    slack().faults.limit('conversations.history', 1, 20);
    await play([0, () => {}]);
    expect(roots()).toHaveLength(1);
    expect(slack().calls('conversations.history')).toHaveLength(2);
    expect(slack().calls('chat.postMessage')).toHaveLength(1);
  });
});

describe('no answer, or a 5xx', () => {
  test.each(['status', 'lost'])('to an edit: it is made again (%s)', async (how) => {
    if (how === 'status') slack().faults.status('chat.update', 503, 3);
    else slack().faults.loseResponse('chat.update', 3);
    await play([15 * SECOND, () => happen(checking)]);
    expect(roots()).toEqual([expect.stringMatching(/^Checking/)]);
    expect(slack().calls('chat.update').length).toBe(4);
    expect(await isSettled()).toBe(true);
  });

  test('to a message: it is looked for before it is said again', async () => {
    await play(
      [15 * SECOND, () => slack().faults.loseResponse('chat.postMessage', 1)],
      [0, () => happen(notice('stored'))],
      [60 * SECOND, () => slack().faults.status('chat.postMessage', 500, 1)],
      [0, () => happen(notice('not stored'))],
    );
    expect(replies()).toEqual([expect.stringContaining('stored'), expect.stringContaining('not stored')]);
    expect(slack().calls('conversations.replies')).toHaveLength(2);
  });
});

describe('an hour without Slack', () => {
  test.each(['503', 'refuse'] as const)(
    '(%s): all that matters is said afterwards, without hammering',
    async (kind) => {
      let back = (): void => {};
      let calls = 0;
      const { time } = world;
      await world.play(
        [run],
        [
          () => playLaunch(run, { journal: journal(), time }),
          async () => {
            await time.pause(20 * SECOND);
            calls = slack().calls().length;
            back = slack().outage(kind);
            await time.pause(60 * MINUTE);
            await happen(notice('a person should know this'));
            await time.pause(10 * SECOND);
            calls = slack().calls().length - calls;
            back();
          },
        ],
        LONG,
      );
      expect(calls).toBeLessThan(180);
      expect(roots()).toEqual([expect.stringMatching(/^Ready/)]);
      expect(replies()).toEqual([
        expect.stringMatching(/launched/i),
        expect.stringMatching(/<@U0ALICE>.*is ready/),
        expect.stringMatching(/a person should know this/),
      ]);
      const [ready] = world.sent.filter(({ what, text }) => what === 'edit' && text.startsWith('Ready'));
      expect(ready?.at).toBeLessThan(61 * MINUTE + 30 * SECOND);
      expect(await isSettled()).toBe(true);
    },
  );
});

describe('a thread', () => {
  test('whose root somebody deleted begins anew, once', async () => {
    await play(
      [5 * SECOND, () => slack().deleteMessage(CHANNEL, slack().messages(CHANNEL)[0]?.ts ?? '')],
      [0, () => happen(notice('one'))],
      [30 * SECOND, () => happen(notice('two'))],
      [30 * SECOND, () => happen(refused)],
    );
    expect(roots()).toEqual([expect.stringMatching(/^Not started|^Failed/)]);
    expect(replies()).toHaveLength(3);
    expect(new Set(standing().map(({ thread, ts }) => thread ?? ts)).size).toBe(1);
  });

  test.each(['archived', 'left', 'restricted_action', 'channel_not_found'])(
    'whose channel is closed (%s) goes on in a direct message to who asked, and the channel is let alone',
    async (why) => {
      await play(
        [
          5 * SECOND,
          () => {
            if (why === 'archived') slack().archive(CHANNEL);
            else if (why === 'left') slack().faults.fail('chat.postMessage', 'not_in_channel', 1);
            else slack().faults.fail('chat.postMessage', why, 1);
          },
        ],
        [0, () => happen(notice('one'))],
        [60 * SECOND, () => happen(refused)],
      );
      const inChannel = slack()
        .calls('chat.postMessage')
        .filter(({ args }) => args.channel === CHANNEL);
      expect(inChannel).toHaveLength(2);
      const direct = slack()
        .messages('D0ALICE')
        .map(({ text }) => text);
      expect(direct.filter((text) => text.includes('told here'))).toHaveLength(1);
      expect(direct[0]).toMatch(/^Not started|^Failed/);
      expect(direct.at(-1)).toMatch(/^<@U0ALICE>.*not started/);
      expect(await isSettled()).toBe(true);
    },
  );

  test('whose card can’t be edited any more has its great moments as messages', async () => {
    slack().faults.fail('chat.update', 'edit_window_closed', 1);
    await play(
      [15 * SECOND, () => happen(checking)],
      [60 * SECOND, () => happen(notice('one'))],
      [60 * SECOND, () => happen(refused)],
    );
    expect(slack().calls('chat.update')).toHaveLength(1);
    expect(roots()).toEqual([expect.stringMatching(/^Queued/)]);
    expect(replies().filter((text) => /^(Not started|Failed)/.test(text))).toHaveLength(1);
    expect(replies().filter((text) => /^<@U0ALICE>/.test(text))).toHaveLength(1);
    expect(await isSettled()).toBe(true);
  });
});

test('a token that is revoked lets Slack alone, and what was unsaid is said when it is back', async () => {
  await play(
    [5 * SECOND, () => slack().revoke()],
    [0, () => happen(notice('one'))],
    [10 * MINUTE, () => happen(refused)],
    [60 * SECOND, () => slack().restore()],
  );
  const refusals = slack()
    .calls()
    .filter(({ outcome }) => outcome === 'token_revoked');
  expect(refusals.length).toBeLessThan(2 * 11 * 2 + 10);
  expect(roots()).toEqual([expect.stringMatching(/^Not started|^Failed/)]);
  expect(replies()).toEqual([expect.stringMatching(/one/), expect.stringMatching(/^<@U0ALICE>.*not started/)]);
});

test('a message that Slack refuses in every form is passed over, and nothing else', async () => {
  await play(
    [5 * SECOND, () => slack().faults.fail('chat.postMessage', 'invalid_blocks', 3)],
    [0, () => happen(checking, notice('one'), notice('two'))],
    [20 * SECOND, () => happen(refused)],
  );
  expect(replies()).toEqual([expect.stringMatching(/two/), expect.stringMatching(/not started/)]);
  expect(await isSettled()).toBe(true);
});
