/** All rows of the rules, found by a message's first character; order is the only priority. */

import { BAR_RULES } from './bars.ts';
import type { Rule } from './rule.ts';
import { SGLANG_RULES } from './sglang.ts';
import { VLLM_RULES } from './vllm.ts';
import { VLLM_MODEL_RULES } from './vllm-model.ts';

export { DOWNLOADS, findDownload, findUnnamed, UNNAMED_SIGN } from './bars.ts';

export const RULES: readonly Rule[] = [...BAR_RULES, ...VLLM_RULES, ...VLLM_MODEL_RULES, ...SGLANG_RULES];

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
