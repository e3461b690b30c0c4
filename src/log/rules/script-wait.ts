/** What run scripts say of a target server that they wait for. */

import { phase } from './rule.ts';
import { stepIn } from './script.ts';
import { pidIn } from './script-ready.ts';
import { CONDITION, NAME, NAMED, PLACE, secondsWaited, TARGET, WAIT } from './script-words.ts';
import { sign, type TrainingFinding, type TrainingRule, when } from './training-rule.ts';

const NO_WAIT =
  /^\+|\b(?:done|finished|stopp?ed) waiting|\bto (?:exit|stop|shut|terminat|die|finish|end|quit|release|free)|\bout waiting|(?:vllm|server|target)\S{0,20} (?:\w{1,20} )?(?:response|reply|requests?|weights)\b/i;

/** Behind the words for readiness, which tell more. */
export const SCRIPT_WAIT_RULES: readonly TrainingRule[] = [
  {
    sample: 'Server not available yet, retrying in 3 seconds (Attempt 1/200)...',
    pattern:
      /\b(?:no (?:answer|response|reply|200)|not (?:yet )?(?:ready|up|responding|reachable|available|healthy|listening|answering|there)|nothing (?:listens|answers|there)|(?:health|status|code|HTTP|returned|answers|says)[ :=]{0,2}(?:000|404|50[0-4])|connection refused|unreachable|unavailable|nicht (?:bereit|erreichbar)|not? (?:está )?list[ao]|pas (?:encore )?pr[êe]t)\b/i,
    unless: CONDITION,
    only: 'line',
    find: notYet,
  },
  {
    sample: '目标模型尚未就绪',
    pattern: /未就绪|还没有响应/,
    unless: CONDITION,
    only: 'line',
    find: notYet,
  },
  {
    sample: 'vLLM still loading',
    pattern: new RegExp(
      `^(?!#)(?:https?:\\S{1,200} )?(?:${NAME}|health(?: check)?)${PLACE}(?::| is)?(?: still)? (?:(?:still |is )?(?:loading|starting(?: up)?|booting|warming up)|waiting|failed,? retrying)\\b`,
      'i',
    ),
    only: 'line',
    find: ({ input = '' }) => [...waiting(input), ...pidIn(input)],
  },
  {
    sample: 'target: not yet (15 s)',
    pattern: /\b(?:not yet|nothing yet|still nothing|nope|noch nicht|pas encore|todavía no|aún no)\b/i,
    unless: CONDITION,
    only: 'line',
    find: ({ index = 0, input = '', 0: { length } }) => notYetAlone(input, index, index + length),
  },
  {
    sample: 'target: 20 s',
    pattern: NAMED,
    only: 'line',
    find: ({ input = '' }) => (COUNTED.test(input) ? waiting(input) : []),
  },
  {
    sample: 'still waiting for the target: 60s',
    pattern: /\b(?:wait|polling|probing|warte|attend|en attente|esperando|aguardando|in attesa)/i,
    unless: NO_WAIT,
    only: 'line',
    find: ({ input = '' }) => awaits(input),
  },
  {
    sample: '等待服务启动... 30s',
    pattern: /等待|等候|ожидани|жд[её]м/i,
    unless: NO_WAIT,
    only: 'line',
    find: ({ input = '' }) => awaits(input),
  },
];

const COUNTED = new RegExp(`^${NAME}[:,]? (?:\\(?\\d{1,6} ?s\\)?(?: elapsed)?$|(?:elapsed|t\\+?)[ :=]?\\d)`, 'i');
const STILL_OF_TARGET = new RegExp(
  `(?:(?<!\\w)${NAME}|health(?: check)?)${PLACE}(?::| is| was| ist)?(?: still| noch)? ?$`,
  'i',
);

/** Nothing but a time stands behind it: "not yet loaded" is of something else. */
const ITS_TIME = /^[ .…,:]{0,4}(?:$|\(?\d{1,6} ?s|after \d|\(?(?:attempt|try) \d)/i;

function notYetAlone(text: string, from: number, to: number): readonly TrainingFinding[] {
  if (!ITS_TIME.test(text.slice(to))) return [];
  if (STILL_OF_TARGET.test(text.slice(0, from))) return waiting(text);
  return from === 0 ? when('awaited', waiting(text)) : [];
}

function notYet({ index = 0, input = '' }: RegExpMatchArray): readonly TrainingFinding[] {
  if (STILL_OF_TARGET.test(input.slice(0, index))) return waiting(input);
  const named = awaits(input);
  return named.length > 0 ? named : when('awaited', waiting(input));
}

const WAITS = new RegExp(
  `${WAIT}(?: (?:for|on|until))? ?(?:${TARGET}|https?:\\S{1,200}|port \\d+|[^\\s:]{1,100}:\\d{4,5})`,
  'i',
);

function awaits(text: string): TrainingFinding[] {
  return WAITS.test(text) ? [...stepIn(text), ...waiting(text), ...pidIn(text)] : [];
}

/** The target is still awaited, for so long where the line counts. */
export function waiting(text: string): TrainingFinding[] {
  const seconds = secondsWaited(text);
  return seconds === null
    ? [sign('waits'), phase('target_starting')]
    : [phase('target_starting'), { kind: 'waited', seconds }];
}
