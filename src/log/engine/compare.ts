/** Names where a server's engine runs otherwise than it was asked to. */

import type { JsonObject, JsonValue } from '../events.ts';
import { isObject, valueAt } from './object.ts';
import { TERMS } from './terms.ts';

export interface Difference {
  /** vLLM's name of the setting (`max_model_len`, `speculative method`). */
  readonly key: string;
  /** As asked, and as the engine says it; null = not at all. */
  readonly asked: JsonValue;
  readonly got: JsonValue;
}

/**
 * Compares what was asked for (`askedBy` of a command, or `Reading.asked` of its log) with the engine's configuration (`Reading.engine`).
 * What wasn't asked, what was left to the engine (`auto`), and what the engine doesn't say is no difference.
 */
export function compareEngine(asked: JsonObject, config: JsonObject): readonly Difference[] {
  const wanted = withParsed(asked);
  const differences = TERMS.flatMap(({ key, asked: from, got: at, alike }): Difference[] => {
    const want = valueAt(wanted, from);
    const got = valueAt(config, at);
    if (want === undefined || got === undefined || isLeftOpen(want)) return [];
    return alike(want, got) ? [] : [{ key, asked: want, got }];
  });
  return [...differences, ...speculationMissing(wanted, config)];
}

/** Speculation was asked for and the engine says that there is none. */
function speculationMissing(wanted: JsonObject, config: JsonObject): readonly Difference[] {
  const asked = valueAt(wanted, ['speculative_config', 'speculative_model', 'spec_model', 'speculative_algorithm']);
  const says = ['speculative_config', 'speculative_algorithm'].filter((key) => Object.hasOwn(config, key));
  const isOff = says.length > 0 && says.every((key) => config[key] === null);
  return asked !== undefined && isOff ? [{ key: 'speculative_config', asked, got: null }] : [];
}

/** Before 0.9 the arguments hold JSON as it was written. */
function withParsed(wanted: JsonObject): JsonObject {
  const { speculative_config: written } = wanted;
  if (typeof written !== 'string') return wanted;
  try {
    const value: JsonValue = JSON.parse(written);
    return isObject(value) ? { ...wanted, speculative_config: value } : wanted;
  } catch {
    return wanted; // no JSON: nothing to compare inside
  }
}

function isLeftOpen(value: JsonValue): boolean {
  return typeof value === 'string' && /^(?:auto|)$/i.test(value.trim());
}
