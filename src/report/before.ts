/** What is known of a trouble from before: what the team noted of it, and where it was seen last. */

import type { KnownBlock } from '@slack/types';
import { context, section } from './blocks.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import type { Before } from './view.ts';
import { time } from './words.ts';

/** A link as Slack makes it; what isn't one would not stay in its brackets. */
const LINK = /^https?:\/\/[^\s<>|]{1,500}$/;

/** The team's own remedy, before all that Vigil knows. */
export function noteBlocks(before: Before | undefined): KnownBlock[] {
  if (before?.note == null) return [];
  const { text, byName, at } = before.note;
  return [section(`*Your team's note* (by ${escapeText(clip(byName, 80))}, ${time(at)}): ${markup(clip(text, 1000))}`)];
}

/** `Seen before: kpro5-3 on kpro5, 30 Nov 07:00, its thread`. */
export function seenBlocks(before: Before | undefined): KnownBlock[] {
  if (before?.earlier == null) return [];
  const { name, host, at, link, thread } = before.earlier;
  const linked = link === null ? null : threadLink(link, 'its thread');
  const where = linked !== null ? `, ${linked}` : thread === null ? '' : inChannel(thread);
  return [context([`Seen before: ${code(name, 80)} on ${escapeText(clip(host, 80))}, ${time(at)}${where}`])];
}

/** As mrkdwn; null for what is no link. */
export function threadLink(link: string, words: string): string | null {
  return LINK.test(link) ? `<${link}|${words}>` : null;
}

function inChannel({ channel }: { readonly channel: string }): string {
  return /^[CGD][A-Z0-9]{1,30}$/.test(channel) ? `, its thread is in <#${channel}>` : '';
}
