import { lower } from './phase-words.ts';

/** With a full stop, unless it ends with a mark of its own. */
export function sentence(words: string): string {
  return /[.!?…:]$/.test(words) || words === '' ? words : `${words}.`;
}

/** A sentence as it stands in brackets; a name keeps its capitals. */
export function inside(words: string): string {
  const start = /^[A-Z][a-z]/.test(words) ? lower(words) : words;
  return start.replace(/\.$/, '');
}

/** `Not usable: it answers no chat` as `Not usable (it answers no chat)`, before words that bring a colon of their own. */
export function withoutColon(words: string): string {
  const [first = '', ...rest] = words.split(': ');
  return rest.length === 0 ? words : `${first} (${rest.join(': ')})`;
}
