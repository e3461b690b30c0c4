/** With a full stop, unless it ends with a mark of its own. */
export function sentence(words: string): string {
  return /[.!?…:]$/.test(words) || words === '' ? words : `${words}.`;
}
