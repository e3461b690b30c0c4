/** All rows of the training rules; the first that fits wins, order is the only priority. */

import { RuleIndex } from '../gate/rule-index.ts';
import { CHECKPOINT_RULES } from './checkpoints.ts';
import { isClaimed } from './claim.ts';
import { DEEPSPEED_RULES, LIGHTNING_RULES } from './lightning.ts';
import { SCRIPT_RULES } from './script.ts';
import { SCRIPT_ASKED_RULES } from './script-asked.ts';
import { SCRIPT_GAVE_UP_RULES } from './script-gave-up.ts';
import { SCRIPT_READY_RULES } from './script-ready.ts';
import { SCRIPT_LAUNCH_RULES, SCRIPT_TARGET_RULES } from './script-target.ts';
import { SCRIPT_TERSE_RULES } from './script-terse.ts';
import { SCRIPT_WAIT_RULES } from './script-wait.ts';
import { SPECFORGE_RULES } from './specforge.ts';
import { SPECULATORS_RULES } from './speculators.ts';
import { TORCHRUN_RULES } from './torchrun.ts';
import { SETUP_RULES } from './trainer-setup.ts';
import { TRAINER_RULES } from './trainers.ts';
import type { TrainingFinding, TrainingRule } from './training-rule.ts';
import { TRANSFORMERS_RULES } from './transformers.ts';

export const TRAINING_RULES: readonly TrainingRule[] = [
  ...TORCHRUN_RULES,
  ...SPECULATORS_RULES,
  ...TRANSFORMERS_RULES,
  ...SPECFORGE_RULES,
  ...LIGHTNING_RULES,
  ...DEEPSPEED_RULES,
  ...CHECKPOINT_RULES,
  ...SETUP_RULES,
  ...TRAINER_RULES,
  ...SCRIPT_GAVE_UP_RULES,
  ...SCRIPT_TARGET_RULES,
  ...SCRIPT_ASKED_RULES,
  ...SCRIPT_READY_RULES,
  ...SCRIPT_WAIT_RULES,
  ...SCRIPT_LAUNCH_RULES,
  ...SCRIPT_TERSE_RULES,
  ...SCRIPT_RULES,
];

const RECORD_RULES = TRAINING_RULES.filter(({ only }) => only !== 'line');
const PROMPT_RULES = RECORD_RULES.filter(({ isPrompt }) => isPrompt === true);
const COMMAND_RULES = TRAINING_RULES.filter(({ isCommand }) => isCommand === true);
const LINE_RULES = TRAINING_RULES.filter(({ only }) => only !== 'record');

const RULES = {
  prompt: new RuleIndex(PROMPT_RULES),
  record: new RuleIndex(RECORD_RULES),
  line: new RuleIndex(LINE_RULES),
  command: new RuleIndex(COMMAND_RULES),
};

/** Longer lines are dumps of arguments and data, never a word of these rules. */
const LONGEST = 2000;

export interface FoundTraining {
  readonly rule: TrainingRule;
  readonly findings: readonly TrainingFinding[];
}

/** `prompt`: a logger's record of which further lines may follow; `record`: a whole one; `command`: what `set -x` prints; `line`: any other line. */
export function findTraining(text: string, where: keyof typeof RULES): FoundTraining | null {
  if (text.length > LONGEST) return null;
  for (const rule of RULES[where].candidates(text)) {
    const match = rule.pattern.exec(text);
    if (match === null || rule.unless?.test(text) === true) continue;
    if (rule.isClaim === true && !isClaimed(text, match.index)) continue;
    const findings = rule.find(match);
    if (findings.length > 0) return { rule, findings };
  }
  return null;
}
