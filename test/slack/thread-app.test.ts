/** In a run's thread, through the unmodified Bolt app: the buttons of its card, and mentions. */

import { expect, test, vi } from 'vitest';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { renderCard } from '../../src/report/card.ts';
import { OOM, sampleRun, T0, VIEW } from '../report/sample-run.ts';
import { runningApp } from './running.ts';

const ALICE = 'U0ALICE';
const CHANNEL = 'C0OPS';
const EXIT = { code: 1, signal: null, at: T0 };
const FAILURE = { kind: 'ended', exit: EXIT, during: 'loading', cause: OOM, tail: [] } as const;

/** A failed run's card, posted as its thread's root. */
async function withCard() {
  const { slack, chat, desk } = await runningApp();
  const run = sampleRun({ phase: 'failed', failure: FAILURE });
  const key = { run: run.request.id, event: 'card' };
  const root = await chat.post({ channel: CHANNEL, thread: null }, renderCard(run, VIEW), key);
  desk.summaries.push({ run, root });
  desk.lines = ['the last line'];
  const click = (ts: string, actionId: string) => slack.click({ user: ALICE, channel: CHANNEL, ts, actionId });
  const shown = async (words: string) =>
    vi.waitFor(() => {
      const found = slack.ephemerals().findLast((one) => toPlainText(one).includes(words));
      if (found === undefined) throw new Error(`nobody is told ${words}`);
      return found;
    });
  return { slack, desk, root, click, shown };
}

test('Log shows the last lines to who asks alone, and its own button has the log posted, once', async () => {
  const { slack, desk, root, click, shown } = await withCard();
  await click(root.ts, 'log');
  const lines = await shown('the last line');
  expect(lines.user).toBe(ALICE);
  await click(lines.ts, 'log_file');
  await shown('is being posted as a file in its thread');
  expect([...desk.shared.values()]).toEqual([{ run: 'vigil-kpro5-1a2b', by: ALICE }]);
  expect(slack.messages(CHANNEL)).toHaveLength(1);
});

test('Explain tells who asks alone, and the card stays as it is', async () => {
  const { slack, root, click, shown } = await withCard();
  const [before] = slack.messages(CHANNEL);
  await click(root.ts, 'explain');
  expect(toPlainText(await shown('What to do: Free GPU 1'))).toContain('CUDA out of memory (Worker_TP1, line 101');
  expect(slack.messages(CHANNEL)).toEqual([before]);
});

test('a mention in its thread knows which run is meant', async () => {
  const { slack, root, shown } = await withCard();
  await slack.talk({ user: ALICE, channel: CHANNEL, thread: root.ts, text: '@vigil *explain*' });
  await shown('What to do: Free GPU 1');
  await slack.talk({ user: ALICE, channel: CHANNEL, thread: root.ts, text: '@vigil logs —file' });
  await shown('is being posted as a file in its thread');
});
