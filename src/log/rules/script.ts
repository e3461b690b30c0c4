/**
 * What people's run scripts say in words of their own: the target server's launch, the wait for it, its readiness, the end.
 * A word alone decides nothing: a readiness behind "until", "if" or "not" is none, the number of a step is no phase.
 */

import { fact, phase } from './rule.ts';
import { sign, type TrainingFinding, type TrainingRule } from './training-rule.ts';

/** The server that the trainer asks for hidden states. */
const TARGET = '(?:the |a )?(?:vLLM|vllm|[Tt]arget|[Ss]erver)(?:[ -](?:[Ss]erver|target|process|endpoint|model))?';
/** Nothing before the word turns it into a condition or its opposite. */
const CLAIM = "^(?!\\+)(?:(?!\\b(?:not|never|no|until|if|unless|when|once|before|to be|for|wait\\w*)\\b|n't)[^:]|:)*?";
/** A step that begins: none that is over, as in a list of times at the end. */
const STEP =
  /^(?:[=#>* -]*)(?:\[[\d/]+\] ?)?(?:Step|STEP|step|Stage|Phase)[ -]?(\d+)\b(?!.*\b(?:done|took|completed?|finished|ok|\d+(?:\.\d+)? ?s(?:ec\w*)?)\b)/;

/** A wait that goes on, an older run and a comment are no failure. */
const NOT_OVER =
  '(?!\\+|# |.*\\b(?:gives up|yet|retry\\w*|again|keep\\w*|continu\\w*|(?<!up )(?<!out )waiting|last time|previous\\w*|earlier)\\b)';
const SECONDS = '(\\d+) ?(s(?:ec\\w*)?|m(?:in\\w*)?)\\b';

export const SCRIPT_RULES: readonly TrainingRule[] = [
  {
    sample: 'target not ready after 600s, giving up; see /workspace/logs/vllm.log',
    pattern: new RegExp(
      `^${NOT_OVER}${CLAIM.slice(1)}\\b${TARGET}(?: \\(?pid \\d+\\)?)?(?: (?:at|on) \\S+)? (?:(?:is|was|did|has|does|could|still) )*(?:not|never|failed to)\\b(?: \\w+){0,2}? (?:ready|healthy|up|start(?:ed)?|respond(?:ed|ing)?|answer(?:ed|ing)?|reachable|available)\\b.*?\\b(?:after|within|in) (?:the )?${SECONDS}`,
    ),
    only: 'line',
    find: ([, count, unit]) => [waited(count, unit), sign('gives up')],
  },
  {
    sample: 'Timed out waiting for vLLM server after 900s',
    pattern: new RegExp(
      `^${NOT_OVER}(?:\\[?(?:ERROR|FATAL|error|Error)\\]?:? ?)?(?:[Tt]imed? ?out|[Gg]ave up|[Gg]iving up)\\b.*\\bwaiting (?:for|on) (?:${TARGET}|https?:|port |\\/)(?:.*?\\b${SECONDS})?`,
    ),
    only: 'line',
    find: ([, count, unit]) => [...(count === undefined ? [] : [waited(count, unit)]), sign('gives up')],
  },
  {
    sample: 'ERROR: vLLM server process died before it was ready',
    pattern: new RegExp(
      `^${NOT_OVER}${CLAIM.slice(1)}\\b${TARGET}(?: \\(?(?:pid )?\\d+\\)?)?(?: has| is| was)?(?: unexpectedly)? (?:died|exited|crashed|dead|gone|failed to start|terminated unexpectedly|no longer running|did not (?:start|become ready|come up)|(?:not|never) ready (?:within|in) (?:the )?(?:limit|time))\\b`,
    ),
    only: 'line',
    find: () => [sign('gives up unless asked')],
  },
  {
    sample: 'Stopping vLLM server (pid 20417)',
    pattern: new RegExp(
      `^(?!\\+)[^:]{0,20}\\b(?:[Ss]topping|[Ss]hutting down|[Kk]illing|[Tt]erminating|[Ss]topped) ${TARGET}|^${TARGET} (?:(?:has|was|is) )?stopped[.!]?$`,
    ),
    only: 'line',
    find: () => [sign('stops target')],
  },
  {
    sample: 'vLLM ready after 140s',
    pattern: new RegExp(
      `${CLAIM}(?:\\b${TARGET}|\\S\\/health):? (?:(?:is|was|has|now|already|became|becomes)\\b ?){0,3}(?:ready|up\\b(?! to)|healthy|reachable|answer(?:s|ed|ing)|responding|running and)(?:.*?(?:\\b(?:after|in|took) |[(,] ?)(?:(\\d+) ?m(?:in)? ?)?(\\d+)(?:\\.\\d+)? ?s)?`,
    ),
    only: 'line',
    find: ([, minutes = '0', seconds]) => [
      phase('target_ready'),
      ...(seconds === undefined ? [] : [fact('target_ready_seconds', Number(minutes) * 60 + Number(seconds))]),
    ],
  },
  {
    sample: 'target: no answer on http://127.0.0.1:8000/health yet (15s)',
    pattern: new RegExp(
      `^(?!#)${TARGET}(?::| is)?(?: still)? (?:no answer|not (?:yet )?(?:ready|up|responding|reachable)|still loading|waiting)\\b.*?(?:\\(| )(\\d+) ?s\\b`,
    ),
    only: 'line',
    find: ([, seconds = '']) => [phase('target_starting'), { kind: 'waited', seconds: Number(seconds) }],
  },
  {
    sample: 'still waiting for the target: 60s',
    pattern: new RegExp(
      `^(?!\\+|.*\\b(?:up to|max\\w*|limit|timeout|at most)\\b).*?\\b(?:[Ss]till )?[Ww]aiting (?:for|on) ${TARGET}\\b[^(]*?[:( ](\\d+) ?(?:s(?:ec\\w*)?(?: ?\\/ ?\\d+ ?s\\w*)?|\\/ ?\\d+ ?s\\w*)(?: elapsed| so far)?\\)?\\.*$`,
    ),
    only: 'line',
    find: ([, seconds = '']) => [phase('target_starting'), { kind: 'waited', seconds: Number(seconds) }],
  },
  {
    sample: '[60s] waiting for vLLM...',
    pattern: new RegExp(`^[[(]?(\\d+) ?s(?:ec\\w*)?[\\])]?:? (?:[Ss]till )?[Ww]aiting (?:for|on) ${TARGET}\\b`),
    only: 'line',
    find: ([, seconds = '']) => [phase('target_starting'), { kind: 'waited', seconds: Number(seconds) }],
  },
  {
    sample: 'target pid 14216; waiting until it is ready; if it is not ready after 600s this script gives up',
    pattern: new RegExp(
      `^(?!\\+)(?:.{0,30}\\b)?${TARGET}(?: serve)?(?: started| launched| running)?,?:? \\(?(?:with )?(?:pid|PID)[ :=]*(\\d+)`,
    ),
    only: 'line',
    find: ([, pid = '']) => [phase('target_starting'), fact('target_pid', Number(pid))],
  },
  {
    sample: '=== Step 2: Launching vLLM server ===',
    pattern: new RegExp(
      `^(?!\\+)(?:.{0,30}[:\\]>=*-] ?)?(?:[Ss]tart(?:ing)?|[Ll]aunch(?:ing)?|[Bb]ringing up|[Ss]pinning up|[Bb]oot(?:ing)?|[Ww]aiting (?:for|on|until)) ${TARGET}\\b(?!(?: \\w+)? to (?:exit|stop|shut|terminat|die|finish|end|quit|release|free))`,
    ),
    only: 'line',
    find: ({ 0: text, input = '' }) => [
      ...stepIn(input),
      sign(/waiting/i.test(text) ? 'awaits target' : 'launches target'),
      phase('target_starting'),
    ],
  },
  {
    sample: '=== Step 1: Preparing data ===',
    pattern:
      /^(?!\+)(?:.{0,30}[:\]>=*-] ?)?(?:Prepar(?:e|ing)|Generat(?:e|ing)|Creat(?:e|ing)|Tokeniz(?:e|ing)|Process(?:ing)?|Extract(?:ing)?) (?:the )?(?:training )?(?:data\b|dataset|hidden states|samples)/i,
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), phase('preparing')],
  },
  {
    sample: 'Done. Checkpoints saved to /workspace/out/checkpoints/',
    pattern:
      /^(?:[=#>* -]*)(?:Done[.!]?(?: |$)|All done|Training (?:is )?(?:complete|completed|done|finished)\b|Finished training)/i,
    find: () => [sign('says done')],
  },
  { sample: 'exit 1', pattern: /^exit \d+$/, only: 'line', find: () => [sign('exits')] },
  {
    sample: 'Step 2: train the drafter on GPUs 2,3',
    pattern: STEP,
    only: 'line',
    find: ({ input = '' }) => stepIn(input),
  },
];

function waited(count = '', unit = ''): TrainingFinding {
  return { kind: 'waited', seconds: Number(count) * (unit.startsWith('m') ? 60 : 1) };
}

function stepIn(text: string) {
  const number = STEP.exec(text)?.[1];
  return number === undefined ? [] : [{ kind: 'script step', number: Number(number) } as const];
}
