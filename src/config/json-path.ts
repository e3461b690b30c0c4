/** Where a value stands in a JSON file, as people write it: `dflash_config.target_layer_ids`, `layer_types[4]`, `a."b.c"`. */

/** Keys and list indexes from the top down; null where the text is no such path. */
export function parseJsonPath(text: string): readonly (string | number)[] | null {
  const steps: (string | number)[] = [];
  let end = 0;
  for (const { index, groups, 0: whole } of text.matchAll(STEP)) {
    const { dot, key, quoted, position } = groups ?? {};
    const isKey = position === undefined;
    // A key needs a dot before it unless it is the first step; an index never has one.
    if (index !== end || (isKey && (dot === '.') === (end === 0)) || steps.length === MOST_STEPS) return null;
    const name = key ?? (quoted === undefined ? undefined : unquote(quoted));
    if (isKey && name === undefined) return null;
    steps.push(name ?? Number(position));
    end = index + whole.length;
  }
  return end === text.length && steps.length > 0 ? steps : null;
}

/** The same as text. */
export function showJsonPath(path: readonly (string | number)[]): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[^\s."[\]]+$/.test(step) ? `.${step}` : `.${JSON.stringify(step)}`;
    })
    .join('')
    .replace(/^\./, '');
}

const MOST_STEPS = 40;

const STEP = /(?<dot>\.)?(?:(?<key>[^\s."[\]]{1,200})|"(?<quoted>(?:[^"\\]|\\.){0,200})")|\[(?<position>\d{1,6})\]/gs;

/** undefined where the quotes hold what JSON doesn't. */
function unquote(text: string): string | undefined {
  try {
    const name: unknown = JSON.parse(`"${text}"`);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
