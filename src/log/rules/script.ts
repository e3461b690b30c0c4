/**
 * What people's run scripts say in words of their own: the target server's launch, the wait for it, its readiness, the end.
 * A word alone decides nothing: a readiness behind "until", "if" or "not" is none, the number of a step is no phase.
 */

import { fact, phase } from './rule.ts';
import { sign, type TrainingRule } from './training-rule.ts';

/** The server that the trainer asks for hidden states. */
const TARGET = '(?:the |a )?(?:vLLM|vllm|[Tt]arget|[Ss]erver)(?:[ -](?:[Ss]erver|target|process|endpoint|model))?';
/** Nothing before the word turns it into a condition or its opposite. */
const CLAIM = "^(?!\\+)(?:(?!\\b(?:not|never|no|until|if|unless|when|once|before|to be|for|wait\\w*)\\b|n't)[^:]|:)*?";
const STEP = /^(?:[=#>* -]*)(?:\[[\d/]+\] ?)?(?:Step|STEP|step|Stage|Phase)[ -]?(\d+)\b/;

export const SCRIPT_RULES: readonly TrainingRule[] = [
  {
    sample: 'target not ready after 600s, giving up; see /workspace/logs/vllm.log',
    pattern: new RegExp(
      `${CLAIM}\\b${TARGET} (?:is |was |did |has )?(?:still )?(?:not|never)(?: \\w+)? ready (?:after|within|in) (?:the )?(\\d+) ?s\\w*\\b(?!.*\\bgives up)`,
    ),
    only: 'line',
    find: ([, seconds = '']) => [{ kind: 'waited', seconds: Number(seconds) }, sign('fails')],
  },
  {
    sample: 'Timed out waiting for vLLM server after 900s',
    pattern: new RegExp(
      `^(?!\\+)(?:ERROR|FATAL|error)?:? ?(?:[Tt]imed? ?out|[Gg]ave up|[Gg]iving up)\\b.*\\bwaiting for ${TARGET}(?:.*?(\\d+) ?s)?`,
    ),
    only: 'line',
    find: ([, seconds]) => [
      ...(seconds === undefined ? [] : [{ kind: 'waited', seconds: Number(seconds) } as const]),
      sign('fails'),
    ],
  },
  {
    sample: 'ERROR: vLLM server process died before it was ready',
    pattern: new RegExp(
      `${CLAIM}\\b${TARGET}(?: \\(?pid \\d+\\)?)?(?: has| is| was)?(?: unexpectedly)? (?:died|exited|crashed|dead|gone|failed to start|terminated unexpectedly|did not (?:start|become ready|come up))\\b`,
    ),
    only: 'line',
    find: () => [sign('fails unless asked')],
  },
  {
    sample: 'Stopping vLLM server (pid 20417)',
    pattern: new RegExp(
      `^(?!\\+)[^:]{0,20}\\b(?:[Ss]topping|[Ss]hutting down|[Kk]illing|[Tt]erminating|[Ss]topped) ${TARGET}`,
    ),
    only: 'line',
    find: () => [sign('stops target')],
  },
  {
    sample: 'vLLM ready after 140s',
    pattern: new RegExp(
      `${CLAIM}\\b${TARGET}:? (?:(?:is|was|has|now|already|became|becomes)\\b ?){0,3}(?:ready|up\\b(?! to)|healthy|reachable|answers|answering|responding|running and)(?:.*?\\b(?:after|in|took) (\\d+)(?:\\.\\d+)? ?s)?`,
    ),
    only: 'line',
    find: ([, seconds]) => [
      phase('target_ready'),
      ...(seconds === undefined ? [] : [fact('target_ready_seconds', Number(seconds))]),
    ],
  },
  {
    sample: 'target: no answer on http://127.0.0.1:8000/health yet (15s)',
    pattern: new RegExp(`^${TARGET}: (?:no answer|not ready|still loading|waiting)\\b.*?(?:\\(| )(\\d+) ?s\\b`),
    only: 'line',
    find: ([, seconds = '']) => [phase('target_starting'), { kind: 'waited', seconds: Number(seconds) }],
  },
  {
    sample: 'still waiting for the target: 60s',
    pattern: new RegExp(
      `^(?!\\+).*?\\b(?:[Ss]till )?[Ww]aiting (?:for|on) ${TARGET}\\b[^(]*?[:( ](\\d+) ?s(?:ec\\w*)?(?: elapsed| so far)?\\)?\\.*$`,
    ),
    only: 'line',
    find: ([, seconds = '']) => [phase('target_starting'), { kind: 'waited', seconds: Number(seconds) }],
  },
  {
    sample: 'target pid 14216; waiting until it is ready; if it is not ready after 600s this script gives up',
    pattern: new RegExp(`^(?!\\+)(?:.{0,30}\\b)?${TARGET}(?: started)?,?:? \\(?(?:pid|PID)[ :=]*(\\d+)`),
    only: 'line',
    find: ([, pid = '']) => [phase('target_starting'), fact('target_pid', Number(pid))],
  },
  {
    sample: '=== Step 2: Launching vLLM server ===',
    pattern: new RegExp(
      `^(?!\\+)(?:.{0,30}[:\\]>=*-] ?)?(?:[Ss]tart(?:ing)?|[Ll]aunch(?:ing)?|[Bb]ringing up|[Ss]pinning up|[Bb]oot(?:ing)?|[Ww]aiting (?:for|on|until)) ${TARGET}\\b`,
    ),
    only: 'line',
    find: ({ 0: text }) => [...stepIn(text), sign('launches target'), phase('target_starting')],
  },
  {
    sample: '=== Step 1: Preparing data ===',
    pattern:
      /^(?!\+)(?:.{0,30}[:\]>=*-] ?)?(?:Prepar(?:e|ing)|Generat(?:e|ing)|Creat(?:e|ing)|Tokeniz(?:e|ing)|Process(?:ing)?) (?:the )?(?:training )?(?:data\b|dataset|hidden states|samples)/i,
    only: 'line',
    find: ({ 0: text }) => [...stepIn(text), phase('preparing')],
  },
  {
    sample: 'Done. Checkpoints saved to /workspace/out/checkpoints/',
    pattern:
      /^(?:[=#>* -]*)(?:Done[.!]?(?: |$)|All done|Training (?:is )?(?:complete|completed|done|finished)\b|Finished training)/i,
    find: () => [sign('says done')],
  },
  { sample: 'exit 1', pattern: /^exit \d+$/, only: 'line', find: () => [sign('exits')] },
  { sample: 'Step 2: train the drafter on GPUs 2,3', pattern: STEP, only: 'line', find: ({ 0: text }) => stepIn(text) },
];

function stepIn(text: string) {
  const number = STEP.exec(text)?.[1];
  return number === undefined ? [] : [{ kind: 'script step', number: Number(number) } as const];
}
