/** What is asked of an object of which nothing is known but that it came from JSON. */

export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(fields: JsonFields, name: string): JsonFields | null {
  const value = fields[name];
  return isFields(value) ? value : null;
}

/** The first of the names that holds text, or null. */
export function first(fields: JsonFields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

/** The JSON string behind `name` in a text that ends before it does, or null. */
export function partOf(text: string, name: RegExp): string | null {
  const match = name.exec(text);
  if (match === null) return null;
  const [raw = ''] = /^(?:[^"\\]|\\.)*/.exec(text.slice(match.index + match[0].length)) ?? [];
  try {
    const value: unknown = JSON.parse(`"${raw.replace(/\\u[\da-fA-F]{0,3}$/, '')}"`);
    return typeof value === 'string' ? value : null;
  } catch {
    return raw;
  }
}
