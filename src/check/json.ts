/** JSON of unknown shape, read without trust: what is missing or of another kind is null. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** What stands at the end of a path of keys and list indexes; undefined where it leads nowhere. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof step === 'number') {
      if (!Array.isArray(at)) return undefined;
      at = at[step];
      continue;
    }
    const object = asObject(at);
    if (object === null || !Object.hasOwn(object, step)) return undefined;
    at = object[step];
  }
  return at;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : null;
}

/** null unless it is a list of whole numbers. */
export function numbersAt(value: unknown, ...path: readonly (string | number)[]): readonly number[] | null {
  const found = valueAt(value, path);
  return Array.isArray(found) && found.every((item) => Number.isSafeInteger(item)) ? found : null;
}

/** null unless it is a list of texts. */
export function textsAt(value: unknown, ...path: readonly (string | number)[]): readonly string[] | null {
  const found = valueAt(value, path);
  return Array.isArray(found) && found.every((item) => typeof item === 'string') ? found : null;
}
