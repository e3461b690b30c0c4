/** All checks of a launch, in the table's order. */

import type { PreflightFacts, Told } from '../host/preflight.ts';
import { createMask } from '../log/mask.ts';
import type { Check, Fact, Finding, Judged, Known } from './check.ts';
import { doubtOfPython } from './doubt.ts';
import { unknown } from './judged.ts';
import { splitSentence } from './sentence.ts';
import type { Subject } from './subject.ts';
import { CHECKS } from './table.ts';

/** Characters of one phrase: a checklist is saved with its run. */
const MOST = 600;

/** What a row needs and the host didn't tell makes one `unknown`, with the why. Secrets of the recipe are hidden, and whatever looks like one. */
export function judgeAll(facts: PreflightFacts, subject: Subject): readonly Finding[] {
  const mask = createMask(subject.recipe.secrets);
  const shown = (text: string): string => clip(mask(text).replace(/\p{Cc}/gu, ' '));
  const shownOrNull = (text: string | null): string | null => (text === null ? null : shown(text));
  return CHECKS.filter((check) => check.concerns(subject)).flatMap((check) =>
    judgeOne(check, facts, subject).map(({ verdict, found, needed, advice, isFinal }) => ({
      check: check.id,
      label: check.label,
      verdict,
      found: shown(found),
      needed: shownOrNull(needed),
      advice: shownOrNull(advice),
      isFinal,
    })),
  );
}

function judgeOne(check: Check, facts: PreflightFacts, subject: Subject): readonly Judged[] {
  const known: Partial<Record<Fact, unknown>> = {};
  for (const fact of check.needs) {
    const doubt = fact === 'packages' ? doubtOfPython(subject, pythonIn(facts)) : null;
    const told: Told<unknown> = doubt === null ? facts[fact] : { kind: 'silent', why: doubt };
    if (told.kind === 'silent') {
      const { found, advice } = splitSentence(told.why);
      return [unknown(found, { advice })];
    }
    known[fact] = told.value;
  }
  for (const fact of check.uses ?? []) known[fact] = facts[fact].kind === 'told' ? facts[fact].value : null;
  try {
    // Only what the row needs is in it, and all of that has been told.
    return check.judge({ ...known, now: facts.now } as Known, subject);
  } catch (error) {
    // What a host holds must not keep a launch from its start (a file nested too deep to compare).
    return [unknown(`this check failed by itself: ${error instanceof Error ? error.message : 'no reason told'}`)];
  }
}

function pythonIn({ packages }: PreflightFacts): string | null {
  return packages.kind === 'told' ? packages.value.python : null;
}

function clip(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST - 2)} …`;
}
