/** When two values of a setting mean the same: what was asked for, and what the engine says of itself. */

import type { JsonValue } from '../events.ts';

const TYPES = new Map([
  ['half', 'float16'],
  ['fp16', 'float16'],
  ['float', 'float32'],
  ['bf16', 'bfloat16'],
]);

/** Case, and an enum's name before its member, say nothing. */
export function sameWord(asked: JsonValue, got: JsonValue): boolean {
  return wordOf(asked) === wordOf(got);
}

/** `32k` is 32000 and `32K` is 32768, as vLLM reads them; -1 is left to the engine. What is no number can't be compared. */
export function sameNumber(asked: JsonValue, got: JsonValue): boolean {
  const wanted = numberOf(asked);
  const given = numberOf(got);
  return wanted === null || given === null || wanted < 0 || wanted === given;
}

/** `half` is float16, `torch.bfloat16` is bf16. */
export function sameType(asked: JsonValue, got: JsonValue): boolean {
  const name = (value: JsonValue) => TYPES.get(wordOf(value)) ?? wordOf(value);
  return name(asked) === name(got);
}

/** The engine may run a format with another kernel: `awq` as `awq_marlin`, `modelopt` as `modelopt_fp4`. */
export function sameQuantization(asked: JsonValue, got: JsonValue): boolean {
  const name = (value: JsonValue) =>
    wordOf(value)
      .replaceAll('-', '_')
      .replace(/^auto_|_marlin$|_bitblas$/g, '');
  return name(got).startsWith(name(asked));
}

/** `fp8` is `fp8_e4m3`, and some attention keeps it as `fp8_ds_mla`; `auto` may stand for the model's own type. */
export function sameCacheType(asked: JsonValue, got: JsonValue): boolean {
  return wordOf(got) === 'auto' ? !wordOf(asked).startsWith('fp8') : sameType(asked, got) || isFp8(asked, got);
}

/** vLLM names all multi-token predictors `mtp`, SGLang runs NEXTN as EAGLE. */
export function sameMethod(asked: JsonValue, got: JsonValue): boolean {
  const wanted = wordOf(asked);
  const given = wordOf(got);
  if (wanted === given || given === wanted.replace('nextn', 'eagle')) return true;
  return wanted.endsWith('mtp') && given.endsWith('mtp');
}

/** vLLM's CompilationMode (config/compilation.py): asked for by number or name, printed as either. */
const MODES = ['none', 'stock_torch_compile', 'dynamo_trace_once', 'vllm_compile'];

/** `3` is `CompilationMode.VLLM_COMPILE`. */
export function sameMode(asked: JsonValue, got: JsonValue): boolean {
  const name = (value: JsonValue) => MODES[numberOf(value) ?? -1] ?? wordOf(value);
  return name(asked) === name(got);
}

/** Of several names of one model the first is its own. */
export function sameFirst(asked: JsonValue, got: JsonValue): boolean {
  const first = (value: JsonValue): JsonValue => (Array.isArray(value) ? (value[0] ?? null) : value);
  return first(asked) === first(got);
}

/** A name may have become a path in a cache: only two names, or two whole paths, can be told apart. */
export function sameModel(asked: JsonValue, got: JsonValue): boolean {
  const [wanted, given] = [asked, got].map((value) => (typeof value === 'string' ? value.replace(/\/$/, '') : ''));
  if (wanted === undefined || given === undefined || wanted === '' || given === '') return true;
  const isName = (text: string) => /^[\w.-]{1,100}\/[\w.:-]{1,100}$/.test(text);
  const isComparable = (isName(wanted) && isName(given)) || (wanted.startsWith('/') && given.startsWith('/'));
  return !isComparable || wanted === given;
}

/** `LoadFormat.AUTO` and `auto`, `torch.float16` and `float16` are one word. */
function wordOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text
    .trim()
    .replace(/^(?:torch|[A-Z]\w{0,60})\.(?=\w{1,60}$)/, '')
    .toLowerCase();
}

function numberOf(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? /^(-?\d{1,15}(?:\.\d{1,15})?)([kmgKMG])?$/.exec(value.trim()) : null;
  if (match === null) return null;
  const unit = match[2] ?? '';
  const power = 'kmg'.indexOf(unit.toLowerCase()) + 1;
  return Number(match[1]) * (unit === '' ? 1 : (unit === unit.toLowerCase() ? 1000 : 1024) ** power);
}

function isFp8(asked: JsonValue, got: JsonValue): boolean {
  return (
    wordOf(got).startsWith('fp8') &&
    (wordOf(asked) === 'fp8' || (wordOf(asked) === 'fp8_e4m3' && wordOf(got) === 'fp8'))
  );
}
