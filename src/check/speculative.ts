/** `--speculative-config` as vllm puts it together (utils/argparse_utils.py): JSON, dotted flags, and the flat ones of 0.22 on. */

import { lastFlag } from '../config/flags.ts';
import { asObject, parseJson } from './json.ts';

export type Speculative = Readonly<Record<string, unknown>>;

/** null without any; 'broken' where the JSON is none, or no object. */
export function readSpeculative(argv: readonly string[]): Speculative | null | 'broken' {
  const whole = lastFlag(argv, '--speculative-config', '-sc');
  const json = whole === null ? {} : asObject(parseJson(whole.value ?? ''));
  if (json === null) return 'broken';
  const parts = { ...dotted(argv), ...flat(argv) };
  if (whole === null && Object.keys(parts).length === 0) return null;
  return { ...json, ...parts };
}

/** As given, else guessed from the drafter's path as vllm does; null where it can't be told. */
export function methodOf(speculative: Speculative): string | null {
  if (typeof speculative.method === 'string') return speculative.method.toLowerCase();
  const model = typeof speculative.model === 'string' ? speculative.model.toLowerCase() : '';
  return ['dflash', 'eagle3', 'eagle', 'medusa'].find((name) => model.includes(name)) ?? null;
}

/** Draft tokens in a step, or null where the command doesn't say. */
export function draftTokens(speculative: Speculative): number | null {
  const count = speculative.num_speculative_tokens;
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : null;
}

const FLAT = [
  ['--spec-method', 'method'],
  ['--spec-model', 'model'],
  ['--spec-tokens', 'num_speculative_tokens'],
] as const;

function flat(argv: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [flag, key] of FLAT) {
    const value = lastFlag(argv, flag)?.value;
    if (value != null) found[key] = key === 'num_speculative_tokens' ? jsonOrText(value) : value;
  }
  return found;
}

/** `--speculative-config.draft_model_config.dtype X`: a key a dot, of which the last one wins. */
function dotted(argv: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [index, word] of argv.entries()) {
    const match = DOTTED.exec(word)?.groups;
    if (match === undefined) continue;
    const value = match.value ?? argv[index + 1];
    if (value !== undefined) put(found, (match.keys ?? '').replaceAll('-', '_').split('.'), jsonOrText(value));
  }
  return found;
}

const DOTTED = /^(?:--speculative[-_]config|-sc)\.(?<keys>[^=]{1,200})(?:=(?<value>.*))?$/s;

function put(into: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    set(into, key, value);
    return;
  }
  const inner: Record<string, unknown> = { ...(Object.hasOwn(into, key) ? asObject(into[key]) : null) };
  put(inner, rest, value);
  set(into, key, inner);
}

/** Own, whatever its name: `__proto__` is a key like any other. */
function set(into: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
