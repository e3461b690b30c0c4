/** Text of others made safe for the two carriers that Slack parses: mrkdwn objects and the top-level `text`. */

import { wholeUntil } from './graphemes.ts';

export { clipMarkup } from './clip-markup.ts';

/**
 * What takes effect without being seen: control characters except tab and newline, marks that turn the reading direction round, characters
 * without width, tags, halves of surrogate pairs. The joiners that hold emoji and scripts together stay.
 */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2061-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Ours alone: what it breaks would come alive where somebody else's were taken for one of ours. */
const JOINER = '\u2060';
const LINE_ENDS = /[\u2028\u2029]/g;
/** Accents in a heap run over the lines above and below; no script needs more than four on one letter. */
const HEAP = /(\p{M}{4})\p{M}+/gu;

/** At most `max` characters, cut between two that people see; what is left out is said by an ellipsis. For mrkdwn of ours there is clipMarkup. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, wholeUntil(text, max - 1))}…`;
}

/** Without what takes effect unseen: enough for plain_text objects and rich_text elements, where Slack parses nothing. */
export function clean(text: string): string {
  return tidy(text.replaceAll(JOINER, ''));
}

/** The same of a text that is escaped already. */
export function tidy(text: string): string {
  return text.replace(UNSEEN, '').replace(LINE_ENDS, ' ').replace(HEAP, '$1');
}

/**
 * For mrkdwn and `text`: no mention, link, date, emoji, quote or format survives. `<`, `>` and `&` become entities (docs.slack.dev,
 * "Formatting message text"). Nothing escapes a mark of format, so stars, back quotes, and what would end italics or a strike, become
 * characters that look alike; `@here` and the like, `:emoji:` names and `>` at a line's start are broken by a word joiner.
 */
export function escapeText(text: string): string {
  return entities(clean(text))
    .replaceAll('`', 'ˋ')
    .replaceAll('*', '∗')
    .replace(/(?<!_)_+(?!\w)/g, (marks) => 'ˍ'.repeat(marks.length))
    .replace(/(?<=\S)~(?!\w)|^~(?![\w/])/g, '∼')
    .replace(/:(?=(?!\d{1,2}:)[a-z0-9_+'-]{1,100}:)/gi, `:${JOINER}`)
    .replace(/^[ \t\u00a0]*(?=&gt;)/gm, `$&${JOINER}`);
}

/** Words of ours with names in backticks, as mrkdwn: each pair becomes a code span. Either way nothing in them stays alive, should a log have a part in them. */
export function markup(text: string): string {
  const pieces = text.match(/`[^`\n]+`|[^`]+|`/g) ?? [];
  return pieces
    .map((piece, index) => {
      if (piece.length > 2 && piece.startsWith('`')) return code(piece.slice(1, -1));
      return index === 0 ? escapeText(piece) : escapedBehind(piece);
    })
    .join('');
}

/** Of a text that goes on behind a code span, which decides what ends a format. */
function escapedBehind(piece: string): string {
  return escapeText(`x${piece}`).slice(1);
}

/** A code span of mrkdwn: one line, its backticks replaced. */
export function code(text: string, max = 300): string {
  const line = clip(clean(text).replace(/\s+/g, ' ').trim(), max);
  return `\`${entities(line.replaceAll('`', 'ˋ')) || '(empty)'}\``;
}

function entities(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=here|channel|everyone)/gi, `@${JOINER}`);
}

/** A mention that notifies; anything that isn't a user id is shown as text. */
export function mention(user: string): string {
  return /^[UW][A-Z0-9]{1,30}$/.test(user) ? `<@${user}>` : escapeText(user);
}
