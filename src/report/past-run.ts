/** What is known of a run of which only the history is left. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { noteBlocks } from './before.ts';
import { context, message, preformatted, section } from './blocks.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { historyRow } from './history.ts';
import { stepWords } from './journey.ts';
import type { Before } from './view.ts';

/** `thread`: the way to its thread, as mrkdwn, or null. */
export function renderPast(entry: HistoryEntry, thread: string | null, note: Before['note']): Message {
  const { name, recipe, host, cause, phases } = entry;
  const head = `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*) ended so long ago that only the history has it:`;
  return message(head, [
    section(head),
    section(historyRow(entry, thread)),
    ...noteBlocks({ earlier: null, note }),
    ...(cause === null ? [] : causeBlocks(cause)),
    phases.length === 0 ? null : context([escapeText(phases.map(stepWords).join(' › '))]),
  ]);
}

function causeBlocks({
  title,
  category,
  process,
  message: said,
  remedy,
}: NonNullable<HistoryEntry['cause']>): KnownBlock[] {
  const whose = process === null ? '' : `, ${code(process, 80)}`;
  return [
    section(`*${markup(clip(title, 200))}* (${code(category)}${whose})`),
    ...(said === '' ? [] : [preformatted(clip(said, 2000))]),
    ...(remedy === '' ? [] : [section(`*What to do:* ${markup(clip(remedy, 1500))}`)]),
  ];
}
