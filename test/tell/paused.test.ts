/** A process that stands still between what it wrote down and its call, while another took its work: in virtual time, against the stand-in and a real Redis. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { report } from '../../jobs/report.ts';
import { observe } from '../../src/flow/write.ts';
import type { Tools } from '../../src/processor.ts';
import type { Observation } from '../../src/run/observe.ts';
import { sampleRun } from '../report/sample-run.ts';
import { openPacedReports, type PacedReports } from '../support/paced-reports.ts';
import { CHANNEL } from '../support/report-stage.ts';

const SECOND = 1_000;
let world: PacedReports;
let run: string;

beforeEach(async () => {
  world = await openPacedReports();
  run = await world.launch();
});

afterEach(() => world.close());

const happen = async (make: (at: number) => Observation): Promise<void> => {
  await observe(world.stage.store.journal, run, () => [make(world.time.now())]);
};
const checking = (at: number): Observation => ({ kind: 'checking', at, seen: at });
const refused = (at: number): Observation => ({ kind: 'refused', reason: 'port 8000 is in use', at, seen: at });

/** Tools of a process that stands still once, for a minute, after it wrote down what it is about to do. */
function pausedAfter(event: RegExp): Tools {
  const { tools } = world.stage;
  let isDone = false;
  const intend: typeof tools.outbox.intend = async (id, fence, key, attempt) => {
    const written = await tools.outbox.intend(id, fence, key, attempt);
    if (!isDone && event.test(key)) {
      isDone = true;
      await world.time.pause(60 * SECOND);
    }
    return written;
  };
  return { ...tools, outbox: { ...tools.outbox, intend } };
}

/** Tools of a process that stands still once, for a minute, before it shows a file. */
function pausedBeforeShare(): Tools {
  const { tools } = world.stage;
  let isDone = false;
  const file: typeof tools.outbox.file = async (id, fence, filing, shares) => {
    const written = await tools.outbox.file(id, fence, filing, shares);
    if (!isDone && shares) {
      isDone = true;
      await world.time.pause(60 * SECOND);
    }
    return written;
  };
  return { ...tools, outbox: { ...tools.outbox, file } };
}

/** Tools of a process that is killed right before it would edit the card. */
function killedAtCard(): Tools {
  const { tools } = world.stage;
  const edit = () => Promise.reject(new Error('killed'));
  return { ...tools, chat: { ...tools.chat, edit } };
}

/** The first begins, and stands still; five seconds later another takes its work. */
async function tell(first: Tools, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const { time, stage } = world;
  const letGo = new AbortController();
  const reporter = (tools: Tools, after: number) => async (): Promise<void> => {
    await time.pause(after);
    await report(run, tools, letGo.signal, time.pause).catch((error: unknown) => {
      if (!String(error).includes('killed')) throw error;
    });
  };
  await time.run([
    reporter(first, 0),
    async () => {
      await time.pause(5 * SECOND);
      await meanwhile();
    },
    reporter(stage.tools, 6 * SECOND),
  ]);
}

const standing = () => world.stage.slack.messages(CHANNEL).filter(({ deleted }) => !deleted);

test('posts no second root', async () => {
  await tell(pausedAfter(/^root$/));
  expect(standing()).toHaveLength(1);
});

test('says nothing a second time', async () => {
  await happen(refused);
  await tell(pausedAfter(/^\d+$/));
  expect(standing().filter(({ text }) => text.includes('not started'))).toHaveLength(1);
});

test('shows no file a second time', async () => {
  const { started } = sampleRun({ phase: 'loading' });
  if (started === null) throw new Error('the sample has not started');
  await happen((at) => ({ kind: 'launched', started: { ...started, at }, at, seen: at }));
  const exit = { code: 1, signal: null, at: 0 };
  await happen((at) => ({ kind: 'exited', exit, tail: ['ValueError: no such layer'], at, seen: at }));
  await tell(pausedBeforeShare());
  expect(standing().flatMap(({ files }) => files)).toHaveLength(1);
});

test('takes no card back in time', async () => {
  await tell(world.stage.tools);
  await world.time.run([() => world.time.pause(20 * SECOND)]);
  await happen(checking);
  await tell(pausedAfter(/^card$/), () => happen(refused));
  expect(standing()[0]?.text).toMatch(/^Not started/);
});

test.each(['limited', 'lost', 'gone', 'closed', 'refused'])(
  'the card of an end, written once more after an edit of which nobody knows, is tried again where that helps (%s)',
  async (how) => {
    const { slack, tools } = world.stage;
    await tell(tools);
    await world.time.run([() => world.time.pause(20 * SECOND)]);
    await happen(checking);
    const edited = slack.calls('chat.update').length;
    await tell(killedAtCard(), async () => {
      await happen(refused);
      await world.time.pause(5 * SECOND);
      expect(slack.calls('chat.update')).toHaveLength(edited + 1);
      if (how === 'limited') slack.faults.limit('chat.update', 1, 20);
      if (how === 'lost') slack.faults.status('chat.update', 503, 2);
      if (how === 'gone') slack.deleteMessage(CHANNEL, standing()[0]?.ts ?? '');
      if (how === 'closed') slack.archive(CHANNEL);
      if (how === 'refused') slack.faults.fail('chat.update', 'invalid_blocks', 9);
    });
    const calls = slack.calls('chat.update').slice(edited);
    expect(calls.length).toBe({ limited: 3, lost: 4, gone: 2, closed: 2 }[how] ?? 4);
    if (how === 'limited' || how === 'lost') expect(calls.at(-1)).toMatchObject({ outcome: 'ok' });
    expect(await world.stage.store.journal.dirty()).toEqual([]);
  },
);
