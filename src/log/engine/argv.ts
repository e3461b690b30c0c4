/** What a command line asks a server for, under the names that the server prints: `--max-model-len 32k` is `max_model_len: '32k'`. */

import type { JsonObject, JsonValue } from '../events.ts';
import { isSwitch } from './terms.ts';

const SHORT: Readonly<Record<string, string>> = {
  '-tp': 'tensor_parallel_size',
  '-pp': 'pipeline_parallel_size',
  '-dp': 'data_parallel_size',
  '-dcp': 'decode_context_parallel_size',
  '-ep': 'enable_expert_parallel',
  '-q': 'quantization',
  '-sc': 'speculative_config',
  '-cc': 'compilation_config',
  '-O': 'compilation_config',
};

/** Words (as a shell has split them) to values: strings as written, JSON parsed, switches true or false. The last one counts. */
export function askedBy(argv: readonly string[]): JsonObject {
  const asked = new Map<string, JsonValue>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const next = argv[at + 1];
    if (word === 'serve' && next !== undefined && !next.startsWith('-')) asked.set('model', next);
    const flag = flagOf(word);
    if (flag === null) continue;
    const isAlone = flag.value === null && (isSwitch(flag.name) || next === undefined || isFlag(next));
    put(asked, flag.name.split('.'), isAlone ? !flag.isNo : parsed(flag.value ?? next ?? ''));
    if (!isAlone && flag.value === null) at += 1;
  }
  return Object.fromEntries(asked);
}

/** `--speculative-config.method=dflash`: the part before the first dot is named with dashes or underscores alike. */
function flagOf(word: string): { name: string; value: string | null; isNo: boolean } | null {
  if (!isFlag(word)) return null;
  const equals = word.indexOf('=');
  const written = equals === -1 ? word : word.slice(0, equals);
  const value = equals === -1 ? null : word.slice(equals + 1);
  const [head = '', ...fields] = written.split('.');
  if (!head.startsWith('--')) {
    const long = SHORT[head];
    return long === undefined ? null : { name: [long, ...fields].join('.'), value, isNo: false };
  }
  const name = head.slice(2).replaceAll('-', '_');
  const isNo = name.startsWith('no_') && isSwitch(name.slice(3));
  return { name: [isNo ? name.slice(3) : name, ...fields].join('.'), value, isNo };
}

function isFlag(word: string): boolean {
  return /^--?[A-Za-z]/.test(word);
}

function parsed(word: string): JsonValue {
  if (!/^[{[]/.test(word)) return word;
  try {
    const value: JsonValue = JSON.parse(word);
    return value;
  } catch {
    return word; // the server will say what is wrong with it
  }
}

function put(asked: Map<string, JsonValue>, [name = '', field, ...deeper]: readonly string[], value: JsonValue): void {
  if (field === undefined) {
    asked.set(name, value);
    return;
  }
  const known = asked.get(name);
  const inner = new Map(Object.entries(typeof known === 'object' && !Array.isArray(known) ? (known ?? {}) : {}));
  put(inner, [field, ...deeper], value);
  asked.set(name, Object.fromEntries(inner));
}
