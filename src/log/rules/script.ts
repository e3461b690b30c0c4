/** What people's run scripts say of themselves: their steps, their end. The number of a step is no phase. */

import { phase } from './rule.ts';
import { sign, type TrainingFinding, type TrainingRule, when } from './training-rule.ts';

/** A step that begins: none that is over, as in a list of times at the end. */
const STEP =
  /^(?:[=#>* -]*)(?:\[[\d/]+\] ?)?(?:Step|STEP|step|Stage|Phase)[ -]?(\d+)\b(?!.*\b(?:done|took|completed?|finished|ok|\d+(?:\.\d+)? ?s(?:ec\w*)?)\b)/;

/** How a person or a loop heads each of several starts in one file. */
const TRY = '(?:run|start|launch|session|attempt|try|Lauf|Versuch) ?#?\\d{1,2}(?!\\d)';

export const SCRIPT_RULES: readonly TrainingRule[] = [
  {
    sample: '=== Step 1: Preparing data ===',
    pattern:
      /^(?!\+)(?:.{0,30}[:\]>=*-] ?)?(?:(?:Prepar(?:e|ing)|Generat(?:e|ing)|Creat(?:e|ing)|Tokeni[sz](?:e|ing)|(?:Pre-?)?process(?:ing)?|Extract(?:ing)?|Distil(?:l|ling)?|Dump(?:ing)?|Regenerat(?:e|ing)|Download(?:ing)?|Convert(?:ing)?|Pack(?:ing)?) (?:the )?(?:training )?(?:data\b|dataset|hidden states|samples|responses|prompts|corpus))/i,
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), phase('preparing')],
  },
  {
    sample: '准备训练数据',
    pattern: /^(?!\+)(?:.{0,30}[:\]>=*-] ?)?(?:(?:准备|处理|生成|预处理)(?:训练)?数据|数据(?:预处理|准备))/,
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), phase('preparing')],
  },
  {
    sample: 'Done. Checkpoints saved to /workspace/out/checkpoints/',
    pattern:
      /^(?:[=#>* -]*)(?:Done[.!]?(?: |$)|All done|(?:Training|Train|Fine-?tuning|Run|Pipeline|Job) (?:run |job |pipeline )?(?:is |has |was )?(?:successfully )?(?:complete|completed|done|finished|ended successfully)\b(?! (?:step|epoch|\d))|Finished(?: training|[.!]*$)|Completed training|Total training time\b|Training (?:ist )?(?:abgeschlossen|beendet|fertig)\b|Entraînement terminé|Entrenamiento (?:completado|terminado))/i,
    unless: /\bepoch \d|\b(?:with|exit|status) (?:exit )?(?:code|status) [1-9]|fail/i,
    find: () => [sign('says done')],
  },
  {
    sample: '训练完成',
    pattern: /^[=#>* -]*(?:训练(?:已)?(?:完成|结束)|学習(?:が)?完了)/,
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
    sample: 'run 1 ended by hand after 94 steps (exit code 143)',
    pattern: new RegExp(
      `^${TRY}\\b.{0,40}\\b(?:ended|exit(?:ed|s)?|died|failed|stopped|crashed|killed|aborted|beendet)\\b`,
      'i',
    ),
    only: 'line',
    find: () => [sign('exits')],
  },
  {
    sample: 'run 2, Fri Jun 12 09:14:47 2026: now with flash attention',
    pattern: new RegExp(
      `^(${TRY}|(?:new|second|third|next|another|zweiter) (?:run|start|try|attempt|session|Lauf|Versuch))(?: ?(?:\\/|of|von) ?\\d{1,4})?(?=[,:;(.! ]{0,3}[=#*-]{0,80}$|[,;(]|[:,]? (?:-|–|\\(|start|begin|on|at|from|with|of|since|now|resum|mit|\\d{4}-))`,
      'i',
    ),
    unless: /\bloss\b|%\||https?:|\b(?:wandb|mlflow|tracking|logged)\b/i,
    only: 'line',
    find: ([, what = '']) => [sign(/attempt|try|versuch/i.test(what) ? 'tries again' : 'runs again')],
  },
  {
    sample: 'Detected KeyboardInterrupt, attempting graceful shutdown ...',
    pattern:
      /^(?:(?:Detected|Caught|Received|Got) (?:a |an )?(?:KeyboardInterrupt|keyboard interrupt|Ctrl[-+]C|SIGINT|SIGTERM|signal (?:2|15)|(?:interrupt|termination) signal)\b|(?:Training|Run) (?:was )?(?:interrupted|stopped|cancell?ed|aborted) by (?:the )?user|Interrupted by (?:the )?user)/i,
    find: () => [sign('interrupts')],
  },
  { sample: '^C', pattern: /^\^C$/, find: () => [sign('interrupts')] },
  {
    sample: 'pairs: 2048 written, 0 failed',
    pattern:
      /^(?:\w{1,20}: )?(?:(?:wrote|saved|generated|kept|loaded|prepared|tokeni[sz]ed|packed|processed) )?\d[\d,.]{0,12}[kM]? ?(?:\w{1,20} )?(?:samples?|pairs|rows|examples|records|prompts|conversations|sequences|documents|responses|hidden states|shards|written|generated|prepared|tokeni[sz]ed|processed)\b/i,
    unless: /\b(?:loss|step|s\/it|it\/s|checkpoint)\b/i,
    only: 'line',
    find: () => when('untrained', [phase('preparing')]),
  },
  {
    sample: 'make: *** [Makefile:37: wait] Error 1',
    pattern: /^g?make(?:\[\d{1,3}\])?: \*{3} \[[^\]]{1,200}\] Error \d/,
    only: 'line',
    find: () => [sign('exits')],
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
