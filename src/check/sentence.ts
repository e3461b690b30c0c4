/** A sentence of the host's side, `what was found: what to do.`, as the two parts of a finding. */

export function splitSentence(sentence: string): { readonly found: string; readonly advice: string | null } {
  const whole = sentence.trim().replace(/\.$/, '');
  const at = colonOutside(whole);
  if (at === -1) return { found: whole, advice: null };
  const rest = whole.slice(at + 2);
  return { found: whole.slice(0, at), advice: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.` };
}

/** Index of the first `: ` that stands in no brackets. */
function colonOutside(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ':' && text[index + 1] === ' ' && depth <= 0) return index;
  }
  return -1;
}
