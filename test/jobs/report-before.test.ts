import { afterEach, beforeEach, expect, test } from 'vitest';
import { report } from '../../jobs/report.ts';
import type { SlackStandIn } from '../../rehearsal/slack/server.ts';
import { observe } from '../../src/flow/write.ts';
import { troubleOf } from '../../src/history/trouble.ts';
import type { Tools } from '../../src/processor.ts';
import type { Store } from '../../src/queue/store.ts';
import { newRun } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';
import { CHANNEL, openReportStage, type ReportStage } from '../support/report-stage.ts';

let stage: ReportStage;
let slack: SlackStandIn;
let store: Store;
let tools: Tools;

beforeEach(async () => {
  stage = await openReportStage({ cardYoung: 0, intent: 0 });
  ({ slack, store, tools } = stage);
});

afterEach(async () => {
  await stage.close();
});

/** A run whose process is killed, with all that is said of it. */
async function killed(name: string): Promise<void> {
  const at = Date.now();
  await store.journal.adopt(newRun({ ...sampleRun({}).request, id: name, name, at }), CHANNEL, null);
  const exit = { code: null, signal: 9, at };
  await observe(store.journal, name, () => [{ kind: 'exited', exit, tail: [], at, seen: at }]);
  await told(name);
}

const told = (name: string): Promise<unknown> => report(name, tools, new AbortController().signal);

const cardOf = (name: string): string =>
  JSON.stringify(slack.messages(CHANNEL).find(({ thread, text }) => thread === null && text.includes(name))?.blocks);

test('a failure that was seen before has the way to the earlier thread, on its card and in the reply', async () => {
  await killed('kpro5-1');
  expect(cardOf('kpro5-1')).not.toContain('Seen before');
  await killed('kpro5-2');
  const root = slack
    .messages(CHANNEL)
    .find(({ text }) => text.includes('kpro5-1'))
    ?.ts.replace('.', '');
  expect(cardOf('kpro5-2')).toMatch(new RegExp(`Seen before: .{0,3}kpro5-1.*/archives/${CHANNEL}/p${root}`));
  const replies = slack.messages(CHANNEL).filter(({ thread }) => thread !== null);
  expect(JSON.stringify(replies.at(-1)?.blocks)).toContain('Seen before');
  expect(slack.calls('chat.getPermalink')).toHaveLength(1);
});

test('a note is shown on the cards of runs that ended before, without a further reply, and on those of the next ones', async () => {
  await killed('kpro5-1');
  const run = (await store.journal.load('kpro5-1'))?.run;
  const trouble = (run === undefined ? null : troubleOf(run)) ?? '';
  const replies = slack.messages(CHANNEL).length;
  await store.archive.note(trouble, { text: 'look at dmesg', by: 'U0ALICE', at: Date.now() }, 'kpro5-1');
  expect(await store.journal.dirty()).toEqual(['kpro5-1']);
  await told('kpro5-1');
  expect(cardOf('kpro5-1')).toMatch(/by alice.*look at dmesg/);
  expect(slack.messages(CHANNEL)).toHaveLength(replies);
  expect(await store.journal.dirty()).toEqual([]);
  await killed('kpro5-2');
  expect(cardOf('kpro5-2')).toContain('look at dmesg');
});
