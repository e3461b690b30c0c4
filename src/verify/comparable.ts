/** The record's acceptance, as far as a server of now can be held against it. */

import type { Measured } from './measured.ts';
import { readServing } from './read-serving.ts';
import type { Acceptance, Kept } from './verification.ts';

export interface Comparable extends Kept<Acceptance> {
  /** The record drafts more tokens a step: `value` is of the first ones alone, as many as are drafted now. */
  readonly isCut: boolean;
  /** It was reached by another drafter, or by another method. */
  readonly isOther: boolean;
}

/** null without a record, where what is reached now becomes it, and where one is of the fixed prompts and the other is not. */
export function comparableTo(
  { record, accept, serving }: Pick<Measured, 'record' | 'accept' | 'serving'>,
  now: Acceptance,
): Comparable | null {
  const kept = record?.acceptance ?? null;
  if (accept || kept === null || kept.value.of !== now.of) return null;
  const isCut = now.curve.length > 0 && now.curve.length < kept.value.curve.length;
  return {
    ...kept,
    value: isCut ? firstOf(kept.value, now.curve.length) : kept.value,
    isCut,
    isOther: isOther(readServing(kept.argv, {}).drafts, serving.drafts),
  };
}

function firstOf(acceptance: Acceptance, positions: number): Acceptance {
  const curve = acceptance.curve.slice(0, positions);
  const accepted = curve.reduce((sum, rate) => sum + rate, 0);
  return { ...acceptance, curve, length: 1 + accepted, rate: accepted / positions };
}

type Drafts = Measured['serving']['drafts'];

/** Of what a command doesn't say nothing is claimed. */
function isOther(before: Drafts, now: Drafts): boolean {
  if (before === null || now === null) return false;
  return before.method !== now.method || before.drafter !== now.drafter;
}
