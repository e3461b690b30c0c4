/** Marks within a line of text, such as bold or code: what mrkdwn and markdown have in common. */
import { withEmoji } from './emoji.js';

/**
 * Nodes for one text. `spans`: rows of {pattern, render(match, inner)}, where `inner` renders what stands between the marks. The span that begins
 * first wins; of two that begin at one place, the earlier row.
 */
export function renderSpans(text, spans) {
  let first = null;
  for (const span of spans) {
    const match = span.pattern.exec(text);
    if (match !== null && (first === null || match.index < first.match.index)) first = { span, match };
  }
  if (first === null) return text === '' ? [] : [withEmoji(decode(text))];
  const { span, match } = first;
  const inner = (part) => renderSpans(part, spans);
  const rest = text.slice(match.index + match[0].length);
  return [...inner(text.slice(0, match.index)), span.render(match, inner), ...inner(rest)];
}

export function decode(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
