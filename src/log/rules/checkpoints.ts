/** How trainers of all kinds say that they save: that it begins, that it is whole, and where. */

import { phase } from './rule.ts';
import { sign, type TrainingRule } from './training-rule.ts';

const PATH = '[\'"`]?(?=[^\\s\'"`]*[\\w.-]\\/[^\\s\'"`]|\\/\\w)([^\\s\'"`,;]{1,400}?)[.,:;)]?[\'"`]?(?= |$)';
const WHAT =
  '(?:checkpoint|ckpt|snapshot|weights|state(?: dict)?|training state|draft(?:er)?(?: model)?|adapter|model|lora)s?';
const TO = '(?:to|at|in|into|as|under|->|=>|→)';
/** What is saved beside a model. */
const BESIDE =
  /(?<![/\w.-])(?:config\w*|tokeni[sz]er|vocab\w*|special tokens|data(?:set)?s?|samples|hidden[ _]states|logs?|plots?|metrics|results?|predictions|cache|optimi[sz]er config|arguments)(?![/\w.-]).{0,40}\b(?:saved|written|to|in)\b|\.(?:json|jsonl|txt|jinja|arrow|parquet|csv|log|png|html|yaml)\b/i;

export const CHECKPOINT_RULES: readonly TrainingRule[] = [
  {
    sample: 'Model checkpoint of size 6.43 GiB saved to /tmp/out/epoch_0/model-00001-of-00004.safetensors',
    pattern: /^Model (?:checkpoint of size|weights saved in) \S/,
    find: () => [phase('checkpointing')],
  },
  {
    sample: 'Saved checkpoint to out/epoch_1_step_400',
    pattern: new RegExp(
      `^ *(?:successfully |finished )?(?:saved|wrote|written|stored|exported|dumped)(?: (?:the |a |final |full |best |last |new |latest |training )*${WHAT})?(?: (?:from|at|for) (?:step|iteration|epoch) +\\d+)?(?: ${TO}:?|:) ?${PATH}`,
      'i',
    ),
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
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saving', path }],
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
