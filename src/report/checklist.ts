/** A checklist as people read it: what is in the way first, all that passed folded into one line. */

import type { KnownBlock } from '@slack/types';
import type { Checklist, Finding, Verdict } from '../check/check.ts';
import { countOf, findingsOf, isAllWell, refusalsIn, sizeOf } from '../check/sums.ts';
import { list } from '../list.ts';
import { context, section } from './blocks.ts';
import { clip, escapeText, markup } from './escape.ts';

const SIGNS: Readonly<Record<Verdict, string>> = { refused: '❌', warning: '⚠️', unknown: '❔', passed: '✅' };
/** Characters of one finding's parts; with its advice it stays below what one section holds. */
const MOST = 700;

/** Refusals, warnings, what nobody knows, then the names of what passed. */
export function checklistBlocks(checklist: Checklist): KnownBlock[] {
  const told = (['refused', 'warning', 'unknown'] as const).flatMap((verdict) =>
    groupsOf(findingsOf(checklist, verdict)),
  );
  const passed = passedLine(checklist);
  return [...told.map(section), ...(passed === null ? [] : [context([passed])])];
}

/** The refusals alone. */
export function refusalsBlocks(checklist: Checklist): KnownBlock[] {
  return groupsOf(refusalsIn(checklist)).map(section);
}

/** `All 18 checks passed in 0.8 s`, `18 checks in 0.8 s: 2 refuse it, 1 warns and 3 can't tell`: without a full stop. */
export function checksWords(checklist: Checklist): string {
  const size = sizeOf(checklist);
  const took = `${(checklist.tookMs / 1000).toFixed(1)} s`;
  if (isAllWell(checklist)) return size === 1 ? `1 check passed in ${took}` : `All ${size} checks passed in ${took}`;
  const [refused, warning, unknown] = (['refused', 'warning', 'unknown'] as const).map((verdict) =>
    countOf(checklist, verdict),
  );
  const parts = [
    ...(refused ? [`${refused} ${refused === 1 ? 'refuses' : 'refuse'} it`] : []),
    ...(warning ? [`${warning} ${warning === 1 ? 'warns' : 'warn'}`] : []),
    ...(unknown ? [`${unknown} can't tell`] : []),
  ];
  return `${size} check${size === 1 ? '' : 's'} in ${took}: ${list(parts)}`;
}

/** Where each refusal comes from, for a sentence: `GPU memory and Drafter config`. */
export function labelsOf(findings: readonly Finding[]): string {
  return list([...new Set(findings.map(({ label }) => label))]);
}

/** One text a label, in their order. */
function groupsOf(findings: readonly Finding[]): string[] {
  const labels = [...new Set(findings.map(({ label }) => label))];
  return labels.map((label) => groupLines(findings.filter((finding) => finding.label === label)));
}

/** What to do is said once where several need the same. */
function groupLines(group: readonly Finding[]): string {
  const [first] = group;
  if (first === undefined) return '';
  const head = `${SIGNS[first.verdict]} *${escapeText(first.label)}*: `;
  const rows = group.map(foundWords);
  const advices = [...new Set(group.flatMap(({ advice }) => advice ?? []))];
  const next = advices.map((advice) => `\n→ ${markup(clip(advice, MOST))}`).join('');
  const found = rows.length === 1 ? rows.join('') : rows.map((row) => `\n• ${row}`).join('');
  return `${rows.length === 1 ? head : head.trim()}${found}${next}`;
}

function foundWords({ found, needed }: Finding): string {
  return `${markup(clip(found, MOST))}${needed === null ? '' : `\nNeeded: ${markup(clip(needed, MOST))}`}`;
}

/** A label of which something else is told as well is not among them. */
function passedLine(checklist: Checklist): string | null {
  const told = new Set(checklist.findings.filter(({ verdict }) => verdict !== 'passed').map(({ label }) => label));
  const passed = new Set(findingsOf(checklist, 'passed').map(({ label }) => label));
  const names = [...passed].filter((label) => !told.has(label));
  return names.length === 0 ? null : `${SIGNS.passed} Passed: ${escapeText(names.join(', '))}`;
}
