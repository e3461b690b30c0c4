/** All rows of the training rules; the first that fits wins, order is the only priority. */

import { SCRIPT_RULES } from './script.ts';
import { SPECULATORS_RULES } from './speculators.ts';
import { TORCHRUN_RULES } from './torchrun.ts';
import { TRAINER_RULES } from './trainers.ts';
import type { TrainingFinding, TrainingRule } from './training-rule.ts';

export const TRAINING_RULES: readonly TrainingRule[] = [
  ...TORCHRUN_RULES,
  ...SPECULATORS_RULES,
  ...TRAINER_RULES,
  ...SCRIPT_RULES,
];

const RECORD_RULES = TRAINING_RULES.filter(({ only }) => only !== 'line');
const PROMPT_RULES = RECORD_RULES.filter(({ isPrompt }) => isPrompt === true);
const LINE_RULES = TRAINING_RULES.filter(({ only }) => only !== 'record');

/** Longer lines are dumps of arguments and data, never a word of these rules. */
const LONGEST = 2000;

export interface FoundTraining {
  readonly rule: TrainingRule;
  readonly findings: readonly TrainingFinding[];
}

/** `prompt`: a logger's record of which further lines may follow; `record`: a whole one; `line`: any other line. */
export function findTraining(text: string, where: 'prompt' | 'record' | 'line'): FoundTraining | null {
  if (text.length > LONGEST) return null;
  const rules = where === 'line' ? LINE_RULES : where === 'record' ? RECORD_RULES : PROMPT_RULES;
  for (const rule of rules) {
    const match = rule.pattern.exec(text);
    if (match !== null) return { rule, findings: rule.find(match) };
  }
  return null;
}
