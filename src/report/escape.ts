/** Text of others made safe for the two carriers that Slack parses: mrkdwn objects and the top-level `text`. */

/** Control characters except tab and newline, and the marks that turn the reading direction round. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** At most `max` characters; what is left out is said by an ellipsis. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

/** Without control characters: enough for plain_text objects and rich_text elements, where Slack parses nothing. */
export function clean(text: string): string {
  return text.replace(UNSEEN, '');
}

/**
 * For mrkdwn and `text`: no mention, link, date or format survives. `<`, `>` and `&` become entities (docs.slack.dev, "Formatting message
 * text"); `@here` and the like are broken by a word joiner, since they are parsed without brackets, too; so are marks that would open a format.
 */
export function escapeText(text: string): string {
  return entities(clean(text)).replace(/(?<!\w)[*_~](?=\S)|`/g, '$&\u2060');
}

/** Words of ours with names in backticks, as mrkdwn: each pair becomes a code span. Either way nothing in them stays alive, should a log have a part in them. */
export function markup(text: string): string {
  const pieces = text.match(/`[^`\n]+`|[^`]+|`/g) ?? [];
  return pieces
    .map((piece) => (piece.length > 2 && piece.startsWith('`') ? code(piece.slice(1, -1)) : said(piece)))
    .join('');
}

/** What is no code span; a backtick without its partner opens none. */
function said(text: string): string {
  return escapeText(text.replaceAll('`', 'ˋ'));
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
    .replace(/@(?=here|channel|everyone)/gi, '@\u2060');
}

/** A mention that notifies; anything that isn't a user id is shown as text. */
export function mention(user: string): string {
  return /^[UW][A-Z0-9]{1,30}$/.test(user) ? `<@${user}>` : escapeText(user);
}
