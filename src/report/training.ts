/** How a training is said: where it is, how fast, what its target server does. */

import type { Cause } from '../diagnosis/cause.ts';
import type { LogPhase } from '../log/events.ts';
import { isEnd, type Run, type Target } from '../run/run.ts';
import { tokensPerSecond } from '../verify/figures.ts';
import { duration } from './duration.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';

/** What it is doing now, in a few words without markup: `Training epoch 3/5, step 117`. */
export function trainingWords(run: Run): string {
  const words = PHASE_WORDS[run.phase];
  if (run.target?.down != null && !run.target.down.isAsked && run.reading.doneLine === null)
    return run.training === null
      ? 'Waiting in vain: its target server is down'
      : `${words}, but its target server is down`;
  if (run.phase === 'target_starting') return [words, targetDoing(run)].filter((part) => part !== null).join(': ');
  return run.phase === 'training' ? [words, placeOf(run)].filter((part) => part !== null).join(' ') : words;
}

/** The last record in one line of mrkdwn, or null before the first: loss; while it goes on also pace and time left. */
export function recordLine(run: Run): string | null {
  const { training } = run;
  if (training === null) return null;
  const { record } = training.last;
  // A bar may be further than the last record.
  const step = typeof run.reading.facts.step === 'number' ? run.reading.facts.step : record.step;
  const isOver = isEnd(run.phase);
  const pace = isOver ? null : stepsPerSecond(run);
  const left = isOver ? null : trainingLeft(run);
  const words = [
    step === null ? null : `step ${step.toLocaleString('en-US')}`,
    `loss ${record.loss}`,
    record.accuracy === null ? null : `accuracy ${record.accuracy}`,
    isOver || record.tokensPerSecond === null ? null : tokensPerSecond(record.tokensPerSecond),
    pace === null ? null : paceWords(pace),
    left === null ? null : `about ${duration(left)} left`,
  ];
  return escapeText(words.filter((word) => word !== null).join(', '));
}

/** What was saved and is whole, as mrkdwn; null before the first checkpoint. */
export function checkpointLine({ reading: { facts } }: Run): string | null {
  if (facts.checkpoint === undefined || facts.checkpoint === null) return null;
  const best =
    facts.best_checkpoint === undefined ? '' : ` (best so far: ${escapeText(String(facts.best_checkpoint))})`;
  return `Last checkpoint ${code(String(facts.checkpoint))}${best}`;
}

/** The target server in a few words, or null where the run has none of its own. */
export function targetLine(run: Run): string | null {
  const { target } = run;
  if (target === null) return null;
  if (target.down !== null)
    return target.down.isAsked
      ? 'Target server: ended by the script'
      : `Target server: *down*${causeWords(target.down.cause)}`;
  if (target.answered !== null || target.reading.readyLine !== null) return 'Target server: up';
  const doing = targetDoing(run);
  return doing === null ? null : `Target server: ${escapeText(doing)}`;
}

function causeWords(cause: Cause | null): string {
  return cause === null ? '' : ` (${markup(clip(cause.title, 200))})`;
}

/** `loading weights 12/29`; the target's lines stand in its own log or in the training's. */
function targetDoing({ target, reading, progress }: Run): string | null {
  const phase = target?.reading.phases.at(-1) ?? reading.targetPhases.at(-1);
  if (phase === undefined || phase === 'ready') return null;
  return `${lower(PHASE_WORDS[phase])}${targetProgress(target, phase) ?? shownProgress(progress)}`;
}

function targetProgress(target: Target | null, phase: LogPhase): string | null {
  const progress = target?.reading.progress;
  return progress?.phase === phase ? ` ${progress.done}/${progress.total}` : null;
}

function shownProgress(progress: Run['progress']): string {
  return progress?.phase === 'target_starting' ? ` ${progress.done}/${progress.total}` : '';
}

/** `epoch 3/5, step 117`, `step 360/400`, or what of it is known. */
function placeOf({ progress, training }: Run): string | null {
  const step = training?.last.record.step ?? null;
  if (progress?.unit === 'step') return `step ${progress.done}/${progress.total}`;
  const epoch =
    progress?.unit === 'epoch' ? `epoch ${Math.min(progress.done + 1, progress.total)}/${progress.total}` : null;
  const words = [epoch, step === null ? null : `step ${step}`].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(', ');
}

/** Measured from the first record that came while Vigil watched; null until a second one is there. */
function stepsPerSecond({ training }: Run): number | null {
  const [first, last] = [training?.first, training?.last];
  if (first?.record.step == null || last?.record.step == null) return null;
  const [steps, ms] = [last.record.step - first.record.step, last.at - first.at];
  return steps > 0 && ms > 0 ? steps / (ms / 1000) : null;
}

function paceWords(pace: number): string {
  return pace >= 1 ? `${pace.toFixed(1)} steps/s` : `${duration(1000 / pace)} a step`;
}

/** How long a training will go on at its pace (ms); null while that or the number of its steps isn't known. */
export function trainingLeft(run: Run): number | null {
  const pace = stepsPerSecond(run);
  const steps = trainedSteps(run);
  return pace === null || steps === null || steps.done >= steps.total
    ? null
    : ((steps.total - steps.done) / pace) * 1000;
}

/** How many steps are made, and of how many; null where its log doesn't tell. */
export function trainedSteps({ training, reading: { facts } }: Run): { done: number; total: number } | null {
  const step = training?.last.record.step ?? null;
  const inEpochs = Number(facts.steps_per_epoch) * Number(facts.epochs);
  const total = typeof facts.total_steps === 'number' ? facts.total_steps : inEpochs;
  return step === null || !Number.isFinite(total) ? null : { done: step + 1, total };
}
