/** Looks into the values of a configuration. */

import type { JsonObject, JsonValue } from '../events.ts';

/** The first value of the paths that says something, or undefined. */
export function valueAt(values: JsonObject, paths: readonly string[]): JsonValue | undefined {
  for (const path of paths) {
    let value: JsonValue | undefined = values;
    for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
