/** Where text may be cut: between two characters as people see them, never inside an emoji, a letter with its accents or a surrogate pair. */

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters before a cut that are looked at; what is still one character beyond that is cut between its code points. */
const WINDOW = 256;

/** The last place up to `at` where `text` may be cut. */
export function wholeUntil(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  if (isPlain(text, at - 1) && isPlain(text, at)) return at;
  const from = pastPair(text, Math.max(0, at - WINDOW));
  const start = SEGMENTER.segment(text.slice(from, at + 2)).containing(at - from)?.index ?? 0;
  return start > 0 || from === 0 ? from + start : beforePair(text, at);
}

/** ASCII other than the two characters of a line's end, which belong together. */
function isPlain(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 0x80 && unit !== 0x0a && unit !== 0x0d;
}

function pastPair(text: string, at: number): number {
  return isPairAt(text, at) ? at + 1 : at;
}

function beforePair(text: string, at: number): number {
  return isPairAt(text, at) ? at - 1 : at;
}

/** Whether both halves of a pair stand around `at`. */
function isPairAt(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1));
}
