/** Flags of vllm that take JSON: a value that isn't JSON ends the start minutes later with "cannot be converted to <function loads>". */

import { findFlags } from './flags.ts';

/** Only JSON. */
const JSON_FLAGS: readonly (readonly [string, ...string[]])[] = [
  ['--speculative-config', '-sc'],
  ['--kv-transfer-config'],
  ['--kv-events-config'],
  ['--ec-transfer-config'],
  ['--additional-config'],
  ['--eplb-config'],
  ['--structured-outputs-config'],
  ['--reasoning-config'],
  ['--attention-config', '-ac'],
  ['--kernel-config'],
  ['--profiler-config'],
  ['--rope-scaling'],
  ['--hf-overrides'],
  ['--mm-processor-kwargs'],
  ['--media-io-kwargs'],
  ['--override-generation-config'],
  ['--default-chat-template-kwargs'],
];

/** JSON or another form (`image=2`, `3`): checked where the value begins like an object. */
const MAYBE_JSON_FLAGS: readonly (readonly [string, ...string[]])[] = [
  ['--compilation-config', '-cc'],
  ['--limit-mm-per-prompt'],
  ['--model-loader-extra-config'],
  ['--pooler-config', '--override-pooler-config'],
  ['--lora-modules'],
];

/** Values that don't parse: the index of their word, their flag, and in words what is wrong. */
export function findBrokenJson(argv: readonly string[]): readonly { index: number; flag: string; wrong: string }[] {
  const strict = JSON_FLAGS.flatMap((names) => findFlags(argv, names));
  const loose = MAYBE_JSON_FLAGS.flatMap((names) => findFlags(argv, names)).filter(({ value }) =>
    value?.trimStart().startsWith('{'),
  );
  return [...strict, ...loose].flatMap(({ name, value, index }) => {
    const wrong = value === null ? 'it has no value' : whatIsWrong(value);
    return wrong === null ? [] : [{ index, flag: name, wrong }];
  });
}

function whatIsWrong(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return describeDamage(text, error instanceof Error ? error.message : '');
  }
}

/** In words that say what happened to the text; the parser's own position as a last resort. */
function describeDamage(text: string, message: string): string {
  if (
    /[{,[:]\s*[A-Za-z_][\w./-]*\s*[:,}\]]/.test(text.replace(/(?<!\\)"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, '0'))
  ) {
    return 'its words have lost their double quotes, as a shell takes them away';
  }
  if (/[{,[:]\s*'/.test(text)) return "its words are in single quotes, JSON's are double";
  if (/^['"]\s*\{/.test(text)) return 'it has a second pair of quotes around it';
  if (/,\s*[}\]]/.test(text)) return 'it has a comma before a closing bracket';
  if (/\b(?:True|False|None)\b/.test(text))
    return 'it has Python words (True, False, None), JSON has true, false, null';
  const position = /position (\d+)/.exec(message)?.[1];
  if (message.includes('Unexpected end') || Number(position) >= text.length) return 'it breaks off before its end';
  return position === undefined ? 'it is not JSON' : `it is not JSON from character ${Number(position) + 1} on`;
}
