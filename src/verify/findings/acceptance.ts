/** How much of its drafts is accepted: against the recipe's floor, its record, and with neither by what a drafter that works shows at its first position. */

import { count, percent } from '../../check/words.ts';
import { acceptanceBetween } from '../acceptance.ts';
import { changesIn } from '../changed.ts';
import { type Comparable, comparableTo } from '../comparable.ts';
import { cliffAt, firstPosition, type Shape, shapeOf } from '../curve.ts';
import { causesOf, isUntrained } from '../curve-causes.ts';
import { lengthWords } from '../figures.ts';
import type { Measured } from '../measured.ts';
import type { Acceptance, Finding, Judged } from '../verification.ts';
import { finding } from './finding.ts';

/** Fewer drafts say nothing yet. */
export const LEAST_DRAFTS = 40;
/** At the first position, where there is neither floor nor record. */
const USELESS = 0.2;
const POOR = 0.3;
/** Of the record's gain (length - 1). */
const HALF = 0.5;
const LESS = 0.8;
/** Tokens a draft: a loss of less is chance, whatever part of the gain it is. */
const NOISE = 0.1;

/** null without speculation, and where nothing was drafted or counted. What others asked meanwhile is counted with the prompts, and makes traffic of it. */
export function acceptanceOf({ serving, prompts }: Pick<Measured, 'serving' | 'prompts'>): Acceptance | null {
  const { drafts, othersFinished } = prompts;
  if (serving.isExtraction || drafts === null) return null;
  const isShared = othersFinished !== null && othersFinished > 0;
  return acceptanceBetween(drafts.before, drafts.after, isShared ? 'traffic' : drafts.of);
}

/** Empty for a server that drafts nothing by its command and by its counters. */
export function acceptanceFindings(measured: Measured, acceptance: Acceptance | null): readonly Finding[] {
  const { serving, prompts } = measured;
  if (serving.isExtraction || (serving.drafts === null && acceptance === null)) return [];
  if (serving.isDummy) return [notJudged('its weights are made up (`--load-format dummy`)')];
  if (acceptance === null) return [undrafted(measured)];
  if (acceptance.drafts < LEAST_DRAFTS) {
    const of = prompts.drafts?.of === 'traffic' ? 'while others asked it' : 'over the fixed prompts';
    return [notJudged(`too few drafts ${of} (${acceptance.drafts} of ${LEAST_DRAFTS})`)];
  }
  return [judged(measured, acceptance)];
}

function notJudged(found: string): Finding {
  return finding('acceptance', 'not_judged', found);
}

/** Why there are no drafts to judge. */
function undrafted({ serving, prompts }: Measured): Finding {
  if (!serving.hasStats) return notJudged('its statistics are off (`--disable-log-stats`)');
  if (prompts.left?.why === 'busy') return notJudged('it is busy, and drafted nothing while it was looked at');
  if (prompts.runs.length === 0) return notJudged('the fixed prompts were not answered');
  if (prompts.drafts === null) return notJudged('/metrics don’t tell of drafts');
  if (isUntrained(serving.drafts?.method ?? null))
    return notJudged('it found nothing in the fixed prompts to draft from');
  return finding('acceptance', 'warned', 'It drafted nothing for the fixed prompts', {
    expected: 'drafts, as its `--speculative-config` asks for',
    advice: 'See its log for why speculation is off, or whether it began anew meanwhile.',
    shape: 'undrafted',
  });
}

function judged(measured: Measured, acceptance: Acceptance): Finding {
  const { floor, accept, run, serving, said, version } = measured;
  const kept = comparableTo(measured, acceptance);
  const shape = shapeOf(acceptance, kept?.value ?? null);
  const verdict = verdictOf(acceptance, {
    floor: floor.acceptanceLength,
    kept,
    shape,
    isUntrained: isUntrained(serving.drafts?.method ?? null),
  });
  const found = foundIn(acceptance);
  if (verdict === null) return finding('acceptance', 'passed', found);
  // What clients ask for may be hard to draft, and who accepts it says that it is of use: neither makes a server useless.
  const isMild = acceptance.of === 'traffic' || (accept && verdict.by !== 'floor');
  const as = isMild ? 'warned' : verdict.as;
  const drafting = {
    ...(serving.drafts ?? { method: null, drafter: null, tokens: null }),
    ...{ version: said.engine?.version ?? version, cliff: cliffAt(acceptance), layers: said.layers },
  };
  return finding('acceptance', as, found, {
    expected: expectedBy(verdict.by, { floor: floor.acceptanceLength, kept }),
    advice: run.isFound && verdict.by === 'steep' ? CAUSES_FIRST : ADVICE[verdict.by](run.name, as),
    causes: [...(kept === null ? [] : changesIn(kept, run.argv)), ...causesOf(shape, drafting)],
    shape,
  });
}

function foundIn({ length, drafts, rate, curve, of }: Acceptance): string {
  const first = curve[0] === undefined ? '' : `, at the first position ${percent(curve[0])}`;
  const over = of === 'traffic' ? ', also of what others asked' : '';
  return `Mean acceptance length ${lengthWords(length)} over ${count(drafts, 'draft')}${over}: ${percent(rate)} of the draft tokens were accepted${first}`;
}

type By = 'floor' | 'record' | 'first' | 'steep';

interface Against {
  readonly floor: number | null;
  readonly kept: Comparable | null;
  readonly shape: Shape;
  readonly isUntrained: boolean;
}

/** null: as it should be. The floor is the team's word: what reaches it is of use, whatever was reached before. */
function verdictOf(
  acceptance: Acceptance,
  { floor, kept, shape, isUntrained: isFree }: Against,
): { readonly as: Judged; readonly by: By } | null {
  const first = firstPosition(acceptance);
  if (floor !== null && acceptance.length < floor) return { as: 'failed', by: 'floor' };
  const isUseless = floor === null && !isFree && first < USELESS;
  if (isUseless && (kept === null || kept.isOther)) return { as: 'failed', by: 'first' };
  if (kept !== null) {
    const part = partOf(acceptance, kept.value);
    // Another drafter may be meant, and what the text itself offers is no fault.
    const isBroken = part < HALF && floor === null && !kept.isOther && !isFree;
    return part < LESS ? { as: isBroken ? 'failed' : 'warned', by: 'record' } : null;
  }
  if (floor !== null || isFree) return null;
  if (first < POOR) return { as: 'warned', by: 'first' };
  return shape === 'steep' || shape === 'cliff' ? { as: 'warned', by: 'steep' } : null;
}

/** How much of the record's gain is left; all of it where the loss is chance. */
function partOf(now: Acceptance, kept: Acceptance): number {
  return kept.length - now.length < NOISE ? 1 : (now.length - 1) / (kept.length - 1);
}

function expectedBy(
  by: By,
  { floor, kept }: { readonly floor: number | null; readonly kept: Comparable | null },
): string {
  if (by === 'floor') return `${lengthWords(floor ?? 1)} or more, as the recipe's \`floor\` says`;
  if (by === 'record' && kept !== null) {
    const where = kept.isCut ? ' at as many positions' : '';
    return `about ${lengthWords(kept.value.length)}${where}, as ${kept.run} reached`;
  }
  if (by === 'first')
    return `${percent(POOR)} or more at the first position, as of a drafter that was trained a little`;
  return 'an even fall: each position keeps half or more of the one before';
}

/** What somebody started by hand has no record. */
const CAUSES_FIRST = 'Look at the causes one by one.';
const SLOWER = 'It is likely to serve faster without `--speculative-config`';

const ADVICE: Readonly<Record<By, (run: string, as: Judged) => string>> = {
  floor: () => 'Look at the causes one by one. If it is meant, lower `acceptance_length` in vigil.yaml.',
  record: (run) =>
    `Look at the causes one by one. If the change is meant, \`/vllm verify ${run} --accept\` makes it the record.`,
  first: (_run, as) =>
    as === 'failed' ? `${SLOWER}. Look at the causes one by one, and start it again.` : CAUSES_FIRST,
  steep: (run) =>
    `Look at the causes one by one. If it is meant, \`/vllm verify ${run} --accept\` makes it the record.`,
};
