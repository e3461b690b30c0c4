/** What people's run scripts say of themselves: their steps, their end. The number of a step is no phase. */

import { phase } from './rule.ts';
import { sign, type TrainingFinding, type TrainingRule, when } from './training-rule.ts';

/** A step that begins: none that is over, as in a list of times at the end. */
const STEP =
  /^(?:[=#>* -]*)(?:\[[\d/]+\] ?)?(?:Step|STEP|step|Stage|Phase)[ -]?(\d+)\b(?!.*\b(?:done|took|completed?|finished|ok|\d+(?:\.\d+)? ?s(?:ec\w*)?)\b)/;

export const SCRIPT_RULES: readonly TrainingRule[] = [
  {
    sample: '=== Step 1: Preparing data ===',
    pattern:
      /^(?!\+)(?:.{0,30}[:\]>=*-] ?)?(?:(?:Prepar(?:e|ing)|Generat(?:e|ing)|Creat(?:e|ing)|Tokeni[sz](?:e|ing)|(?:Pre-?)?process(?:ing)?|Extract(?:ing)?|Distil(?:l|ling)?|Dump(?:ing)?|Regenerat(?:e|ing)|Download(?:ing)?|Convert(?:ing)?|Pack(?:ing)?) (?:the )?(?:training )?(?:data\b|dataset|hidden states|samples|responses|prompts|corpus)|(?:准备|处理|生成|预处理)(?:训练)?数据|数据(?:预处理|准备))/i,
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), phase('preparing')],
  },
  {
    sample: 'Done. Checkpoints saved to /workspace/out/checkpoints/',
    pattern:
      /^(?:[=#>* -]*)(?:Done[.!]?(?: |$)|All done|(?:Training|Train|Fine-?tuning|Run|Pipeline|Job) (?:run |job |pipeline )?(?:is |has |was )?(?:successfully )?(?:complete|completed|done|finished|ended successfully)\b(?! (?:step|epoch|\d))|Finished(?: training|[.!]*$)|Completed training|Total training time\b|训练(?:已)?(?:完成|结束)|Training abgeschlossen|Entraînement terminé|Entrenamiento (?:completado|terminado)|学習(?:が)?完了)/i,
    unless: /\bepoch \d|\b(?:with|exit|status) (?:exit )?(?:code|status) [1-9]|fail/i,
    find: () => [sign('says done')],
  },
  {
    sample: 'training failed (exit 1)',
    pattern:
      /^(?:[=#>* -]*)(?:ERROR:? )?(?:the )?(?:train(?:ing|er)?|torchrun|run|job|script|pipeline)(?: process| script)? (?:has )?(?:failed|exited|died|ended|crashed|aborted|stopped)\b.{0,20}\b(?:exit|code|status|with|rc)[ =:]{0,3}(?:code |status )?=? ?[1-9]\d{0,2}\b/i,
    only: 'line',
    find: () => [sign('exits')],
  },
  {
    sample: 'Detected KeyboardInterrupt, attempting graceful shutdown ...',
    pattern:
      /^(?:(?:Detected|Caught|Received|Got) (?:a |an )?(?:KeyboardInterrupt|keyboard interrupt|Ctrl[-+]C|SIGINT|SIGTERM|signal (?:2|15)|(?:interrupt|termination) signal)\b|(?:Training|Run) (?:was )?(?:interrupted|stopped|cancell?ed|aborted) by (?:the )?user|Interrupted by (?:the )?user|\^C$)/i,
    find: () => [sign('interrupts')],
  },
  {
    sample: 'pairs: 2048 written, 0 failed',
    pattern:
      /^(?:\w{1,20}: )?(?:(?:wrote|saved|generated|kept|loaded|prepared|tokeni[sz]ed|packed|processed) )?\d[\d,.]{0,12}[kM]? ?(?:\w{1,20} )?(?:samples?|pairs|rows|examples|records|prompts|conversations|sequences|documents|responses|hidden states|shards|written|generated|prepared|tokeni[sz]ed|processed)\b/i,
    unless: /\b(?:loss|step|s\/it|it\/s|checkpoint)\b/i,
    only: 'line',
    find: () => when('untrained', [phase('preparing')]),
  },
  { sample: 'exit 1', pattern: /^exit \d+$/, isCommand: true, only: 'line', find: () => [sign('exits')] },
  {
    sample: 'Step 2: train the drafter on GPUs 2,3',
    pattern: STEP,
    only: 'line',
    find: ({ input = '' }) => stepIn(input),
  },
];

/** The step that the line begins, if any. */
export function stepIn(text: string): TrainingFinding[] {
  const number = STEP.exec(text)?.[1];
  return number === undefined ? [] : [{ kind: 'script step', number: Number(number) }];
}
