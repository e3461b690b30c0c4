/** What a loop says before its first step of all that it will do: `640 rows, 20 batches an epoch, 4 epochs`, `epochs: 3, steps per epoch: 924`. */

import { fact } from '../rules/rule.ts';
import type { TrainingFinding } from '../rules/training-rule.ts';

const STEPS = '(?:steps|batches|iterations|iters|updates|Schritte)';
/** None of a limit's or a habit's: "every 2 epochs". */
const COUNT =
  '(?<![\\d.,/])(?<!\\b(?:every|each|first|last|after|patience|warmup|warm-up)[ :=])(\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,12})';
const PER_EPOCH = new RegExp(
  `${COUNT} (?:\\w{1,12} )?${STEPS} ?(?:(?:\\/ ?|per |an |a |each |every |pro )epoch|each\\b(?! epoch))|\\bepochs? (?:x|×|\\*|of|with) (\\d[\\d,]{0,12}) ${STEPS}|\\b${STEPS}[ _](?:per|an|a|pro)[ _]epoche?["']? ?[=:] ?(\\d[\\d,]{0,12})(?![.\\d])`,
  'i',
);
const EPOCHS = new RegExp(
  `${COUNT} (?:full |training )?epoch(?:s|en)\\b|\\b(?:epochs|Epochen)["']? ?[=:] ?(\\d{1,6})(?![.\\d/])`,
  'i',
);
const TOTAL = new RegExp(
  `${COUNT} (?:optimi[sz]er |training |optimi[sz]ation |total )?(?:steps|iterations|updates|Schritte)(?: in (?:all|total)| total| insgesamt|[.)]?$)|\\btotal[ _](?:training[ _]|optimi[sz]ation[ _])?steps["']? ?[=:] ?(\\d[\\d,]{0,12})(?![.\\d/])`,
  'i',
);

/** The epochs, an epoch's steps and the run's, as far as the line tells them. */
export function planIn(text: string): TrainingFinding[] {
  const [perEpoch, epochs, total] = [PER_EPOCH, EPOCHS, TOTAL].map((pattern) => count(pattern.exec(text)));
  return [
    ...(perEpoch === undefined ? [] : [fact('steps_per_epoch', perEpoch)]),
    ...(epochs === undefined ? [] : [fact('epochs', epochs)]),
    ...(total === undefined ? [] : [{ kind: 'total', steps: total } as const]),
  ];
}

function count(match: RegExpExecArray | null): number | undefined {
  const told = match?.slice(1).find((each) => each !== undefined);
  return told === undefined ? undefined : Number(told.replaceAll(',', ''));
}
