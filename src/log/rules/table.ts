/** All rows of the rules, found by a message's first character; order is the only priority. */

import { phase, type Rule } from './rule.ts';
import { SGLANG_RULES } from './sglang.ts';
import { BAR_RULES, VLLM_RULES } from './vllm.ts';

/** Weight files from a hub, each with a bar of its own: finished ones are counted by the reader. */
const DOWNLOAD = /^\S*?-(\d{5})-of-(\d{5})\.(?:safetensors|bin|pt|pth|gguf): +(\d+)%\|/;
const SINGLE_FILE =
  /^(?:\S*\/)?(?:model|pytorch_model|consolidated|adapter_model)\.(?:safetensors|bin|pt|pth): +(\d+)%\|/;

export const RULES: readonly Rule[] = [...BAR_RULES, ...VLLM_RULES, ...SGLANG_RULES];

const byFirst = new Map<string, { readonly start: string; readonly rule: Rule }[]>();
for (const rule of RULES) {
  for (const start of rule.starts) {
    const rows = byFirst.get(start.charAt(0)) ?? [];
    rows.push({ start, rule });
    byFirst.set(start.charAt(0), rows);
  }
}

/** The first row that the message fits, with its findings, or null. */
export function findRule(message: string): { rule: Rule; findings: ReturnType<Rule['find']> } | null {
  for (const { start, rule } of byFirst.get(message.charAt(0)) ?? []) {
    if (!message.startsWith(start)) continue;
    const match = rule.pattern === undefined ? message.match(/^/) : message.match(rule.pattern);
    if (match !== null) return { rule, findings: rule.find(match) };
  }
  return null;
}

/** A bar of a weight file that comes from a hub. */
export function findDownload(message: string): ReturnType<Rule['find']> | null {
  const shard = DOWNLOAD.exec(message);
  if (shard !== null) {
    const [, index, total, percent] = shard;
    return [
      phase('downloading'),
      { kind: 'file', index: Number(index), total: Number(total), isDone: percent === '100' },
    ];
  }
  const single = SINGLE_FILE.exec(message);
  if (single === null) return null;
  return [phase('downloading'), { kind: 'file', index: 1, total: 1, isDone: single[1] === '100' }];
}
