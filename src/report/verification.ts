/** A verification as people read it: what is wrong and what to do first, then the numbers, then what is well and what nobody could judge. */

import type { KnownBlock } from '@slack/types';
import type { Finding, Verification } from '../verify/verification.ts';
import { context, section, sections } from './blocks.ts';
import { clip, markup } from './escape.ts';
import { type Carrier, numberLines } from './numbers.ts';
import { findingsAs, LABELS } from './outcome.ts';
import { capital } from './phase-words.ts';
import { inside, sentence } from './sentence.ts';

const SIGNS: Readonly<Record<Finding['as'], string>> = { failed: '⛔', warned: '⚠️', not_judged: '❔', passed: '✅' };

/** What one finding may take, in characters, and how many are told in full: all of them fit Slack's limits with what else a message holds. */
const SIZES: Readonly<Record<Carrier, { found: number; advice: number; causes: number; findings: number }>> = {
  card: { found: 300, advice: 300, causes: 1, findings: 3 },
  reply: { found: 500, advice: 600, causes: 10, findings: 6 },
};
const MOST_CAUSE = 400;
const MOST_LEFT = 1000;
/** All findings together. */
const MOST_TEXT = 5600;

/** All of it. `head`: what stands before the numbers, as mrkdwn; a card says there when it was verified. */
export function verificationBlocks(
  verification: Verification,
  carrier: Carrier,
  head: string | null = null,
): KnownBlock[] {
  const lines = numberLines(verification, carrier, head);
  return [
    ...findingBlocks(verification, carrier),
    ...(lines.length === 0 ? [] : [section(lines.join('\n'))]),
    ...restBlocks(verification, carrier),
  ];
}

/** What says that it was done: of what is of no use nobody says `Verified`. */
export function headOf({ outcome }: Verification): string {
  return outcome === 'unusable' ? 'Looked at' : 'Verified';
}

/** The worst finding in a sentence or two without markup, for a phone's preview; null where all is well. */
export function worstWords(verification: Verification): string | null {
  const worst = findingsAs(verification, 'failed')[0] ?? findingsAs(verification, 'warned')[0];
  if (worst === undefined) return null;
  const found = sentence(clip(worst.found, 200));
  return worst.advice === null ? found : `${found} ${worst.advice}`;
}

/** `Not judged: speed, chat`, or null. */
function notJudgedLine(verification: Verification): string | null {
  const rows = findingsAs(verification, 'not_judged').map(
    ({ id, found }) => `*${LABELS[id]}* (${markup(clip(inside(found), 200))})`,
  );
  return rows.length === 0 ? null : `${SIGNS.not_judged} Not judged: ${rows.join('; ')}`;
}

function findingBlocks(verification: Verification, carrier: Carrier): KnownBlock[] {
  const told = [...findingsAs(verification, 'failed'), ...findingsAs(verification, 'warned')];
  const shown: string[][] = [];
  for (const finding of told.slice(0, SIZES[carrier].findings)) {
    const texts = findingTexts(finding, carrier);
    if (shown.length > 0 && [...shown.flat(), ...texts].join('\n').length > MOST_TEXT) break;
    shown.push(texts);
  }
  const left = told.slice(shown.length);
  const more = left.length === 0 ? [] : [section(`⚠️ And ${markup(clip(leftWords(left), MOST_LEFT))}.`)];
  return [...sections(shown.flat()), ...more];
}

/** What is wrong and what to do, then cause by cause. */
function findingTexts({ id, as, found, expected, advice, causes }: Finding, carrier: Carrier): string[] {
  const size = SIZES[carrier];
  const lines = [
    `${SIGNS[as]} *${capital(LABELS[id])}*: ${markup(sentence(clip(found, size.found)))}`,
    expected === null ? null : `Expected: ${markup(sentence(clip(expected, size.found)))}`,
    advice === null ? null : `*What to do:* ${markup(sentence(clip(advice, size.advice)))}`,
  ];
  const likely = causes.slice(0, size.causes).map((cause) => markup(clip(cause, MOST_CAUSE)));
  const main = lines.filter((line) => line !== null).join('\n');
  if (likely.length > 1)
    return [`${main}\nLikely causes, the likeliest first:`, ...likely.map((cause) => `• ${cause}`)];
  const left = causes.length - likely.length;
  return [main, ...likely.map((cause) => `Likely cause: ${cause}${left > 0 ? ` (${left} more in the thread)` : ''}`)];
}

/** What passed, and what nobody could judge, with why. A card of which all passed says so by its state. */
function restBlocks(verification: Verification, carrier: Carrier): KnownBlock[] {
  const passed = findingsAs(verification, 'passed');
  const isClear = carrier === 'card' && passed.length === verification.findings.length;
  const lines = [
    passed.length === 0 || isClear ? null : `${SIGNS.passed} Passed: ${labelsOf(passed)}`,
    notJudgedLine(verification),
  ].filter((line) => line !== null);
  return lines.map((line) => context([line]));
}

/** `speed, configuration (dtype, seed)`: of the configuration each setting. */
function leftWords(findings: readonly Finding[]): string {
  const keys = findings.flatMap(({ id, shape }) => (id === 'configuration' ? (shape ?? []) : []));
  const words = (id: Finding['id']): string =>
    id === 'configuration' && keys.length > 0 ? `${LABELS[id]} (${keys.join(', ')})` : LABELS[id];
  return [...new Set(findings.map(({ id }) => words(id)))].join(', ');
}

function labelsOf(findings: readonly Finding[]): string {
  return [...new Set(findings.map(({ id }) => LABELS[id]))].join(', ');
}
