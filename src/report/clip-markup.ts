/** Cuts mrkdwn of ours between its parts, so that what is left says nothing else than before. */

import { wholeUntil } from './graphemes.ts';

/** Code spans, what stands in angle brackets, entities; text in between. Each part is short, and what has no end is text. */
const PARTS = /`[^`\n]{0,3000}`|<[^<>\n]{1,3000}>|&(?:amp|lt|gt);|[^`<&]{1,3000}|[`<&]/g;
const ENTITIES = /&(?:amp|lt|gt);|[^&]{1,3000}|&/g;

/** Parts without a star of their own. */
const CLOSED = /`[^`\n]{0,3000}`|<[^<>\n]{1,3000}>/g;
const STAR = /(?<start>(?<!\w)\*(?=\S))|(?<=\S)\*(?!\w)/g;

/**
 * At most `max` characters, as Slack counts them (an entity as it is written), with an ellipsis for what is left out: no half entity,
 * mention, link or date, no code span or bold text without its end.
 */
export function clipMarkup(mrkdwn: string, max: number): string {
  if (mrkdwn.length <= max) return mrkdwn;
  const near = mrkdwn.slice(0, max + 3000);
  const room = max - (near.includes('*') ? 2 : 1);
  let kept = '';
  for (const [part] of near.matchAll(PARTS)) {
    if (kept.length + part.length > room) return ended(kept + beginning(part, room - kept.length));
    kept += part;
  }
  return ended(kept);
}

/** As much of a part as is whole by itself. */
function beginning(part: string, room: number): string {
  if (part.startsWith('<')) return '';
  if (!part.startsWith('`')) return part.startsWith('&') ? '' : part.slice(0, wholeUntil(part, room));
  let inside = '';
  for (const [piece] of part.slice(1, -1).matchAll(ENTITIES)) {
    const left = room - 2 - inside.length;
    if (piece.length > left) {
      inside += piece.startsWith('&') ? '' : piece.slice(0, wholeUntil(piece, left));
      break;
    }
    inside += piece;
  }
  return inside === '' ? '' : `\`${inside}\``;
}

function ended(kept: string): string {
  const text = kept.replace(/(?<!\w)\*$/, '');
  return `${text}…${isBoldOpen(text) ? '*' : ''}`;
}

/** Bold ends with its line. */
function isBoldOpen(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1).replace(CLOSED, (part) => 'x'.repeat(part.length));
  let isOpen = false;
  for (const { groups } of line.matchAll(STAR)) isOpen = !isOpen && groups?.start !== undefined;
  return isOpen;
}
