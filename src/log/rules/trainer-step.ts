/** What a row makes of a training step that it found in a line. */

import { metricsOf } from '../training/metrics.ts';
import type { TrainingFinding } from './training-rule.ts';

/** A value as trainers print it: not a number as well. */
export const NUMBER = '[-+]?[\\d.]+(?:[eE][-+]?\\d+)?|(?:nan|inf)(?![a-z])';

/** A metric record. */
export function recorded(found: Partial<Parameters<typeof metricsOf>[0]>): TrainingFinding {
  const none = { step: undefined, epoch: undefined, loss: undefined, accuracy: undefined, lr: undefined };
  return { kind: 'metrics', metrics: metricsOf({ ...none, tokens: undefined, ...found }) };
}

/** The steps done of all, where the line has both. */
export function steps(step: string | undefined, total: string | undefined): TrainingFinding[] {
  if (step === undefined || total === undefined) return [];
  const progress = { phase: 'training', done: Number(step), total: Number(total), unit: 'step' } as const;
  return [{ kind: 'progress', progress }];
}
