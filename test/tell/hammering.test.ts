/** How often a Slack that is not well is called for one run that has news every second: in virtual time, against the stand-in and a real Redis. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { observe } from '../../src/flow/write.ts';
import type { Observation } from '../../src/run/observe.ts';
import { sampleRun } from '../report/sample-run.ts';
import { openPacedReports, type PacedReports } from '../support/paced-reports.ts';
import { CHANNEL } from '../support/report-stage.ts';

const SECOND = 1_000;
const MINUTES = 5;
let world: PacedReports;
let run: string;

beforeEach(async () => {
  world = await openPacedReports({ post: 100 });
  run = await world.launch();
});

afterEach(() => world.close());

const slack = () => world.stage.slack;
const OFTEN = 100_000;

/** What is wrong with Slack, once the run has begun or from its start on. */
const STATES: Record<string, { readonly isFromStart?: true; readonly begin: () => unknown }> = {
  'the token is revoked': { begin: () => slack().revoke() },
  'neither the channel nor who asked can be written to': {
    begin: () => slack().faults.fail('chat.postMessage', 'messages_tab_disabled', OFTEN),
  },
  'every message is refused': { begin: () => slack().faults.fail('chat.postMessage', 'invalid_blocks', OFTEN) },
  'messages are answered with a code that nobody knows': {
    begin: () => slack().faults.fail('chat.postMessage', 'something_new', OFTEN),
  },
  'messages are limited, each time for a second': {
    begin: () => slack().faults.limit('chat.postMessage', OFTEN, 1),
  },
  'messages are limited, for no time': { begin: () => slack().faults.limit('chat.postMessage', OFTEN, 0) },
  'edits are limited, each time for a second': { begin: () => slack().faults.limit('chat.update', OFTEN, 1) },
  'every edit is refused': { begin: () => slack().faults.fail('chat.update', 'invalid_blocks', OFTEN) },
  'no edit is answered': { begin: () => slack().faults.loseResponse('chat.update', OFTEN) },
  'no message is answered': { begin: () => slack().faults.loseResponse('chat.postMessage', OFTEN) },
  'no message is answered, and searches are limited': {
    begin() {
      slack().faults.loseResponse('chat.postMessage', OFTEN);
      slack().faults.limit('conversations.replies', OFTEN, 1);
    },
  },
  'nobody is told by name': {
    isFromStart: true,
    begin: () => slack().faults.fail('users.info', 'internal_error', OFTEN),
  },
  'each root is deleted at once': {
    isFromStart: true,
    begin: () =>
      slack().on((change) => {
        if (change.kind !== 'posted' || change.message.thread !== null) return;
        const { channel, ts } = change.message;
        queueMicrotask(() => slack().deleteMessage(channel, ts));
      }),
  },
};

/** So often that a person would notice, and Slack too: calls a minute for one run. */
const HAMMERING = 40;

const happen = (make: (at: number) => Observation): Promise<unknown> =>
  observe(world.stage.store.journal, run, () => [make(world.time.now())]);

/** Something new for the card. */
async function progress(done: number): Promise<void> {
  const { journal } = world.stage.store;
  const entry = await journal.load(run);
  if (entry === null) throw new Error('the run is gone');
  const next = { ...entry.run, phase: 'loading', progress: { phase: 'loading', done, total: 1000 } } as const;
  const write = { from: entry, fence: null, happened: [], checkpoint: null, tail: null, isNews: true };
  await journal.append({ run: next, ...write });
}

test.each(Object.entries(STATES))('%s', async (_, { isFromStart, begin }) => {
  const { started } = sampleRun({ phase: 'loading' });
  if (started === null) throw new Error('the sample has not started');
  const story = async (): Promise<void> => {
    if (isFromStart) begin();
    await happen((at) => ({ kind: 'launched', started: { ...started, at }, at, seen: at }));
    if (!isFromStart) {
      await world.time.pause(30 * SECOND);
      begin();
    }
    for (let second = 0; second < MINUTES * 60; second++) {
      if (second % 10 === 0) await happen((at) => ({ kind: 'notice', text: `news ${second}`, at, seen: at }));
      else await progress(second);
      await world.time.pause(SECOND);
    }
  };
  await world.play([run], [story], MINUTES * 60 * SECOND);
  expect(slack().calls().length / MINUTES).toBeLessThan(HAMMERING);
});

test('edits that Slack does not answer keep back no news, and no end', async () => {
  slack().faults.loseResponse('chat.update', OFTEN);
  const story = async (): Promise<void> => {
    await world.time.pause(30 * SECOND);
    await progress(1);
    await world.time.pause(60 * SECOND);
    await happen((at) => ({ kind: 'refused', reason: 'port 8000 is in use', at, seen: at }));
    await world.time.pause(60 * SECOND);
  };
  await world.play([run], [story], 2 * 60 * SECOND);
  expect(world.sent.filter(({ what, text }) => what === 'post' && text.includes('not started'))).toHaveLength(1);
});

test('a message that Slack answers with a code that nobody knows keeps the end back for minutes, not for ever', async () => {
  const story = async (): Promise<void> => {
    await world.time.pause(30 * SECOND);
    slack().faults.fail('chat.postMessage', 'something_new', 6);
    await happen((at) => ({ kind: 'notice', text: 'careful', at, seen: at }));
    await world.time.pause(SECOND);
    await happen((at) => ({ kind: 'refused', reason: 'port 8000 is in use', at, seen: at }));
  };
  await world.play([run], [story], 10 * 60 * SECOND);
  const told = slack()
    .messages(CHANNEL)
    .flatMap(({ thread, text }) => (thread === null ? [] : [text]));
  expect(told).toEqual([expect.stringContaining('not started')]);
});
