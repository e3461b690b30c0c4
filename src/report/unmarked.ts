/** mrkdwn of ours as plain text: times, links and mentions by their words, what is bold without its stars. Code keeps its backticks: they say what can be copied. */

const CODE = /(`[^`\n]{1,3000}`)/;
/** Bold as we write it; others' stars are no stars any more (escape.ts). */
const BOLD = /(?<![\w*])\*(?=[^\s*])([^*\n]{1,1000})\*(?!\w)/g;
const DATE = /<!date\^\d{1,15}\^[^|<>]{1,80}\|([^<>]{1,80})>/g;
const LINK = /<(https?:[^|<>]{1,3000})\|([^<>]{1,300})>/g;
const CHANNEL = /<(#[A-Z0-9]{1,31})>/g;
/** Named in a block of its own (plain.ts). */
const MENTION = /<@[UW][A-Z0-9]{1,30}>\s?/g;

export function unmarked(mrkdwn: string): string {
  return mrkdwn
    .split(CODE)
    .map((piece, index) => decoded(index % 2 === 1 ? piece : withoutMarks(piece)))
    .join('')
    .trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(DATE, '$1')
    .replace(LINK, '$2 ($1)')
    .replace(CHANNEL, '$1')
    .replace(MENTION, '')
    .replace(BOLD, '$1');
}

/** Entities, and the characters that stand for marks of format (escape.ts). */
function decoded(text: string): string {
  return text
    .replaceAll('\u2060', '')
    .replaceAll('∗', '*')
    .replaceAll('ˋ', '`')
    .replaceAll('ˍ', '_')
    .replaceAll('∼', '~')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
