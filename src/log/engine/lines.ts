/**
 * The lines in which a server says what it was asked for and what its engine made of that, as vllm-project/vllm (`VllmConfig.__str__`,
 * `log_non_default_args`; before 0.9 the whole `args: Namespace(…)`) and sgl-project/sglang (`ServerArgs`) print them.
 */

import type { EngineSaid, JsonObject, JsonValue } from '../events.ts';
import { bounded } from './bounded.ts';
import { isObject } from './object.ts';
import { parsePairs, parseRepr } from './repr.ts';

/** A line that long was cut (a reader keeps 8 KB of it). */
const CUT_AT = 7 * 1024;

const ENGINE = /^Initializing an? (?:V\d )?LLM engine \(v([^)]{1,60})\) with config: /;

/** Of `Initializing a V1 LLM engine (v0.11.0) with config: …`; null for another message. */
export function readEngine(message: string): EngineSaid | null {
  const match = ENGINE.exec(message);
  if (match === null) return null;
  const text = message.slice(match[0].length);
  return { version: match[1] ?? null, config: bounded(parsePairs(text, message.length >= CUT_AT)) };
}

/** Of `non-default args: {…}` or `args: Namespace(…)`, of which only what differs from saying nothing is kept; null for another message. */
export function readAsked(message: string): JsonObject | null {
  const from = message.indexOf('args: ');
  if (from === -1) return null;
  const isNamespace = message.startsWith('Namespace(', from + 6);
  const value = parseRepr(message.slice(from + 6));
  if (!isObject(value)) return null;
  return bounded(
    isNamespace ? Object.fromEntries(Object.entries(value).filter(([, each]) => !saysNothing(each))) : value,
  );
}

/** Of SGLang's `server_args=ServerArgs(…)`: all of them, as they were worked out; null for another message. */
export function readServerArgs(message: string): JsonObject | null {
  if (!message.startsWith('server_args=')) return null;
  const value = parseRepr(message.slice('server_args='.length));
  return isObject(value) ? bounded(value) : null;
}

function saysNothing(value: JsonValue): boolean {
  return value === null || value === false || value === 'auto' || value === '';
}
