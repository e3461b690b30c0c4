/** A run's log as a file in its thread: once, whatever is lost or dies on the way. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { report } from '../../jobs/report.ts';
import type { SharedFile } from '../../rehearsal/slack/records.ts';
import type { Chat } from '../../src/chat.ts';
import { HostUnreachable } from '../../src/errors.ts';
import { observe } from '../../src/flow/write.ts';
import { openDesk } from '../../src/queue/desk.ts';
import type { Observation } from '../../src/run/observe.ts';
import { newRun } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';
import { fakeHost } from '../support/fake-host.ts';
import { GENERATION } from '../support/launch-story.ts';
import { CHANNEL, openReportStage, type ReportStage } from '../support/report-stage.ts';

const RUN = 'kpro5-1';
const LOG = 'Loading weights.\nValueError: no such layer\n';
let stage: ReportStage;
let isHostAway: boolean;

beforeEach(async () => {
  isHostAway = false;
  const peek = async () => {
    if (isHostAway) throw new HostUnreachable('kpro5', 'no answer');
    return { generation: GENERATION, size: LOG.length, line: null, text: LOG };
  };
  const host = fakeHost('kpro5', { peek });
  const quick = { post: 400, intent: 500, cardYoung: 0, reconnect: 20, away: 50 };
  stage = await openReportStage({ ...quick, file: 2_500, fileLook: 20, fileShare: 400 }, { host });
  const at = Date.now();
  await stage.store.journal.adopt(newRun({ ...sampleRun({}).request, id: RUN, name: RUN, at }), CHANNEL, null);
  const started = sampleRun({ phase: 'loading' }).started;
  if (started === null) throw new Error('the sample has not started');
  await happen({ kind: 'launched', started: { ...started, at }, at, seen: at });
  await tell();
});

afterEach(() => stage.close());

async function happen(...observations: Observation[]): Promise<void> {
  await observe(stage.store.journal, RUN, () => observations);
}

const tell = (chat: Chat = stage.tools.chat): Promise<unknown> =>
  report(RUN, { ...stage.tools, chat }, new AbortController().signal);

const fail = (): Promise<void> => {
  const at = Date.now();
  const exit = { code: 1, signal: null, at };
  return happen({ kind: 'exited', exit, tail: ['ValueError: no such layer'], at, seen: at });
};

/** What stands in the channel, roots and replies. */
const standing = () => stage.slack.messages(CHANNEL).filter(({ deleted }) => !deleted);
const files = (): readonly SharedFile[] => standing().flatMap((message) => message.files);
const replies = (): string[] => standing().flatMap(({ thread, text }) => (thread === null ? [] : [text]));

/** Goes on, as the keeper does, until Slack has everything. */
async function untilTold(chat: Chat = stage.tools.chat): Promise<void> {
  while ((await stage.store.journal.dirty()).length > 0) await tell(chat);
}

test('a failure is told first, and then its log stands in the thread as a file', async () => {
  await fail();
  await tell();
  expect(files()).toMatchObject([{ name: 'kpro5-1.log', text: expect.stringContaining('ValueError: no such layer') }]);
  const [failed, file] = standing().slice(-2);
  expect(failed?.text).toMatch(/failed/);
  expect(file).toMatchObject({
    thread: failed?.thread,
    text: expect.stringMatching(/^The end of the log of .* failed\.$/),
  });
  expect(await stage.store.journal.dirty()).toEqual([]);
});

describe('is there once when', () => {
  test.each(['files.getUploadURLExternal', 'upload', 'files.completeUploadExternal', 'files.info'])(
    'the answer of %s is lost',
    async (method) => {
      stage.slack.faults.loseResponse(method, 1);
      await fail();
      await untilTold();
      expect(files()).toHaveLength(1);
    },
  );

  test.each(['files.getUploadURLExternal', 'files.completeUploadExternal', 'files.info'])(
    '%s is limited, or answers with 500',
    async (method) => {
      stage.slack.faults.limit(method, 1, 1);
      stage.slack.faults.status(method, 500, 1);
      await fail();
      await untilTold();
      expect(files()).toHaveLength(1);
    },
  );

  test('Slack says ok and never shows it', async () => {
    stage.slack.shareFiles({ lost: 1 });
    await fail();
    await untilTold();
    expect(files()).toHaveLength(1);
  });

  test('Slack takes its time to say that it stands there', async () => {
    stage.slack.shareFiles({ appearAfterMs: 100, emptyLooks: 5 });
    await fail();
    await untilTold();
    expect(files()).toHaveLength(1);
  });

  test.each(
    (['upload', 'share', 'isShared'] as const).flatMap((step) =>
      (['before', 'after'] as const).map((when) => [when, step] as const),
    ),
  )('the worker dies right %s its %s', async (when, step) => {
    let isDead = false;
    const { chat } = stage.tools;
    const dying = async <T>(own: typeof step, act: () => Promise<T>): Promise<T> => {
      if (own !== step || isDead) return act();
      isDead = true;
      if (when === 'after') await act();
      throw new Error('killed');
    };
    const mortal: Chat = {
      ...chat,
      upload: (...words) => dying('upload', () => chat.upload(...words)),
      share: (...words) => dying('share', () => chat.share(...words)),
      isShared: (...words) => dying('isShared', () => chat.isShared(...words)),
    };
    await fail();
    await expect(tell(mortal)).rejects.toThrow('killed');
    await untilTold(mortal);
    expect(files()).toHaveLength(1);
    expect(replies().filter((text) => /^<@U0ALICE> .* failed/.test(text))).toHaveLength(1);
  });
});

test.each(['missing_scope', 'file_uploads_disabled'])(
  'where Slack refuses it (%s), all else is told',
  async (error) => {
    stage.slack.faults.fail('files.getUploadURLExternal', error, 1);
    await fail();
    await untilTold();
    expect(files()).toEqual([]);
    expect(replies().filter((text) => /^<@U0ALICE> .* failed/.test(text))).toHaveLength(1);
    expect(standing()[0]?.text).toMatch(/^Failed/);
  },
);

test('a file that takes too long keeps nothing back', async () => {
  stage.slack.faults.loseResponse('files.getUploadURLExternal', 100);
  await fail();
  const restarted: Observation = { kind: 'restarted', as: { run: 'r', name: 'kpro5-2' }, at: 1, seen: 1 };
  await happen(restarted);
  await untilTold();
  expect(files()).toEqual([]);
  expect(replies().at(-1)).toMatch(/Started again as/);
});

test('a host that does not answer leaves what was read of the log', async () => {
  isHostAway = true;
  await stage.store.redis.hset(stage.store.keys.run(RUN), 'tail', JSON.stringify(['the last line that was read']));
  await fail();
  await untilTold();
  const [file] = files();
  expect(file?.text).toMatch(/^\(The host could not be asked for the log/);
  expect(file?.text).toMatch(/the last line that was read$/);
});

describe('who asks for the log', () => {
  const ask = (trigger: string) => {
    const { store, tools } = stage;
    return openDesk({ ...store, config: tools.config, clock: tools.clock }).shareLog(RUN, 'U0ALICE', trigger);
  };

  test('gets it once a click, also of a run that has ended', async () => {
    expect(await ask('A')).toBe('asked');
    expect(await ask('A')).toBe('before');
    await untilTold();
    expect(files()).toHaveLength(1);
    expect(standing().at(-1)?.text).toMatch(/^The end of the log of .*, asked for by alice\.$/);
    await fail();
    await untilTold();
    expect(await ask('B')).toBe('asked');
    await untilTold();
    expect(files()).toHaveLength(3);
  });

  test('is told where it can’t be had', async () => {
    stage.slack.faults.fail('files.getUploadURLExternal', 'missing_scope', 1);
    await ask('A');
    await untilTold();
    expect(files()).toEqual([]);
    expect(replies().at(-1)).toMatch(/did not take the log as a file/);
  });
});
