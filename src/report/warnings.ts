/** What a card warns of beside its state: who can't be heard, what the checks found, what may be missing, what a launch had to say. */

import type { KnownBlock } from '@slack/types';
import { findingsOf } from '../check/sums.ts';
import { isEnd, type Run } from '../run/run.ts';
import { listed, section } from './blocks.ts';
import { labelsOf } from './checklist.ts';
import { clip, escapeText, markup } from './escape.ts';
import { pulseEmoji } from './pulse-words.ts';
import { sentence } from './sentence.ts';
import { time } from './words.ts';

/** What presses now: right below the state. Nothing of a run that has ended. */
export function pressingBlocks(run: Run): KnownBlock[] {
  if (isEnd(run.phase)) return [];
  const lines = [
    run.pulse === 'out_of_contact' && run.started !== null
      ? `No contact since ${time(run.seenAt)}. Vigil keeps trying; the process may well go on.`
      : null,
    ...run.worthless.map(
      (category) =>
        `⚠️ *What it learns is worth nothing* (${escapeText(category.replaceAll('_', ' '))}): the thread says why.`,
    ),
  ].filter((line) => line !== null);
  const troubles = pulseEmoji(run) === null ? [] : (run.work.motion?.troubles ?? []);
  return [
    ...(lines.length === 0 ? [] : [section(lines.join('\n'))]),
    ...(troubles.length === 0 ? [] : [listed(troubles.slice(0, 3))]),
  ];
}

/** What is good to know, a line each as mrkdwn; the thread has the whole of it. */
export function warningLines(run: Run): string[] {
  const { checks, started, restarts, gapAt, phase } = run;
  const isOver = isEnd(phase);
  return [
    ...(checks === null || run.failure?.kind === 'refused' ? [] : checkLines(checks)),
    ...(isOver ? [] : (started?.warnings ?? []).map((words) => `⚠️ ${markup(sentence(clip(words, 300)))}`)),
    ...(restarts === 0 ? [] : [`⚠️ Its log shows ${restarts + 1} starts.`]),
    ...(gapAt === null ? [] : [`⚠️ Part of its log may be missing, before ${time(gapAt)}.`]),
  ];
}

function checkLines(checks: NonNullable<Run['checks']>): string[] {
  const [refused, warned, unknown] = (['refused', 'warning', 'unknown'] as const).map((verdict) =>
    labelsOf(findingsOf(checks, verdict)),
  );
  const words = [
    ...(warned === '' ? [] : [`warn of ${warned}`]),
    ...(unknown === '' ? [] : [`can't tell of ${unknown}`]),
  ];
  return [
    ...(refused === '' ? [] : [`⚠️ Started although its checks refuse it: ${escapeText(refused ?? '')}.`]),
    ...(words.length === 0 ? [] : [`⚠️ Checks ${escapeText(words.join(', '))}.`]),
  ];
}
