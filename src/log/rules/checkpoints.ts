/** How trainers of all kinds say that they save: that it begins, that it is whole, and where. */

import { fact, phase } from './rule.ts';
import { sign, type TrainingRule } from './training-rule.ts';

const PATH =
  '[\'"`]?(?=[^\\s\'"`]*(?:[\\w.-]\\/[^\\s\'"`]|\\.(?:pth?|ckpt|safetensors)\\b)|\\/\\w)([^\\s\'"`,;]{1,400}?)[.,:;)]?[\'"`]?(?= |$)';
const WHAT =
  '(?:checkpoint|ckpt|snapshot|weights|state(?: dict)?|training state|draft(?:er)?(?: model)?|adapter|model|lora)s?';
const SAVED = '(?:saved|wrote|written|stored|exported|dumped)';
const AT = '(?: (?:from|at|for) (?:step|iteration|epoch) +\\d+)?';
const TO = '(?:to|at|in|into|as|under|->|=>|→)';
/** What is saved beside a model. */
const BESIDE =
  /(?<![/\w.-])(?:config\w*|tokeni[sz]er|vocab\w*|special tokens|data(?:set)?s?|samples|hidden[ _]states|logs?|plots?|metrics|results?|predictions|cache|optimi[sz]er config|arguments)(?![/\w.-]).{0,40}\b(?:saved|written|to|in)\b|\.(?:json|jsonl|txt|jinja|arrow|parquet|csv|log|png|html|yaml)\b/i;

/** A line that goes on when the file is there. */
const WRITTEN = /(?:\.{2,4}|…) ?(?:ok|done|saved|✓|✔|✅)/i;

export const CHECKPOINT_RULES: readonly TrainingRule[] = [
  {
    sample: 'Model checkpoint of size 6.43 GiB saved to /tmp/out/epoch_0/model-00001-of-00004.safetensors',
    pattern: /^Model (?:checkpoint of size|weights saved in) \S/,
    find: () => [phase('checkpointing')],
  },
  {
    sample: 'Saved checkpoint to out/epoch_1_step_400',
    pattern: new RegExp(
      `^ *(?:successfully |finished )?${SAVED} (?:(?:the|a|final|full|best|last|new|latest|training) )*${WHAT}${AT}(?: \\([^)]{0,60}\\))?(?: ${TO}:?|:) ?${PATH}`,
      'i',
    ),
    unless: BESIDE,
    find: ({ 0: words, 1: path = '' }) => [
      phase('checkpointing'),
      { kind: 'saved', path },
      ...(/ best (?:checkpoint|ckpt|model|weights)/i.test(words) ? [fact('best_checkpoint', path)] : []),
    ],
  },
  {
    sample: 'saved to out/last.ckpt',
    pattern: new RegExp(`^ *(?:successfully |finished )?${SAVED}${AT}(?: ${TO}:?|:) ?${PATH}`, 'i'),
    unless: BESIDE,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Checkpoint written to /data/run9/step_400 in 3.1 s',
    pattern: new RegExp(
      `^ *(?:(?:final|full|best|last|new|latest|model|training|interrupt) )*${WHAT}(?: (?:for|at|of) (?:step|iteration|epoch) +\\d+)? (?:was |is |has been )?(?:successfully )?(?:saved|written|stored|exported|dumped)(?: successfully)?(?: ${TO})?:? ?${PATH}`,
      'i',
    ),
    unless: BESIDE,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'wrote checkpoint out/step-10.ckpt (1.2 GB)',
    pattern: new RegExp(
      `^ *(?:saved|wrote|written|stored|exported|dumped) (?:(?:the|a|final|full|best|last|new|latest|training) )*(?:checkpoint|ckpt|snapshot|weights|model|adapter):? ${PATH}`,
      'i',
    ),
    unless: BESIDE,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Checkpoint gespeichert unter runs/x/epoch_0.pt',
    pattern: new RegExp(
      `^(?:Checkpoint|Modell|Gewichte|Zwischenstand) (?:ist |wurde )?gespeichert(?: (?:unter|in|nach|als))?:? ${PATH}`,
      'i',
    ),
    unless: BESIDE,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: '模型已保存到 /data/run9/step_400',
    pattern: new RegExp(`^(?:模型|检查点|权重|checkpoint ?)(?:已)?保存(?:到|至|于)?[:：]? ?${PATH}`, 'i'),
    unless: BESIDE,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'new best val_loss 1.90, saved runs/a/best.pt',
    pattern: new RegExp(
      `\\bbest (?:val(?:idation)?|eval)[_ ]loss[ :=]{1,3}(\\d[\\d.]{0,20}).{0,40}\\b(?:saved|wrote|checkpoint)(?: (?:to|at|as|in))?:? ${PATH}`,
      'i',
    ),
    find: ([, loss, path = '']) => [
      phase('checkpointing'),
      { kind: 'saved', path },
      fact('best_checkpoint', path),
      fact('best_val_loss', Number(loss)),
    ],
  },
  {
    sample: 'saved /data/run9/epoch_1.pt (3.1 GB)',
    pattern:
      /^(?:saved|wrote|checkpoint(?: saved)?:?|ckpt:?)(?: ->)? ['"]?(?=\S{0,400}?(?:checkpoint|ckpt|epoch|step|\.pth?\b|\.safetensors))(\S{0,400}\/[^\s'"]{1,400})/i,
    unless: BESIDE,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Saving checkpoint at step 400 to out/step_400',
    pattern: new RegExp(
      `^ *(?:saving|writing|storing) (?:(?:a|the|final|full|best|last|new|latest|model|training|intermediate) )*${WHAT}(?: (?:for|at|of) (?:step|iteration|epoch) +\\d+)? ${TO}:? ?${PATH}`,
      'i',
    ),
    unless: BESIDE,
    find: ({ 1: path = '', input = '' }) => [
      phase('checkpointing'),
      { kind: WRITTEN.test(input) ? 'saved' : 'saving', path },
    ],
  },
  {
    sample: 'Saving checkpoint at step 400',
    pattern:
      /^ *(?:Saving|Saved|Writing|Finished saving) (?:(?:a|the|final|full|best|last|new|latest|model|training|intermediate) )*(?:checkpoint|snapshot|state|weights)\b/i,
    unless: BESIDE,
    find: () => [phase('checkpointing')],
  },
  {
    sample: 'The full model checkpoint, including all weights and configurations, has been saved successfully.',
    pattern: /^The full model checkpoint, including all weights/,
    find: () => [phase('checkpointing'), sign('says done')],
  },
];
