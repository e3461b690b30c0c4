/** What run scripts say of a target server that never came up: that it ended, that somebody else holds its port, that they gave up. */

import { isClaimed } from './claim.ts';
import { CONDITION, NAME, NAMED, NOT_OVER, PLACE, secondsTaken, secondsWaited, TARGET } from './script-words.ts';
import { sign, type TrainingFinding, type TrainingRule, when } from './training-rule.ts';

const SECONDS = '(\\d{1,6}) ?(s(?:ec\\w{0,5})?|m(?:in\\w{0,5})?)\\b';
const STOPPED =
  '(?:end(?:ed|s)|exit(?:s|ed|ing)?|died|dies|gone|dead|quit(?:s|ting)?|terminated|crashed|vanished|stopp(?:ed|ing)|no longer (?:exists|runs|running|alive|there)|beendet|abgestürzt)';

const NEVER_READY =
  /\b(?:before it (?:was|became|is|got|came|could be)|never (?:was|became|got|came|been)|(?:was|is|did|has) never|not(?: become)?) (?:yet )?(?:ready|up|healthy|available|reachable|there)\b|\b(?:never|before it) (?:answered|came up|listened|served)|\b(?:without any?|no) (?:answer|response|reply)|\bnot ours\b|\b(?:another|other|wrong) (?:server|model|process)\b|\b(?:nicht|nie) (?:bereit|erreichbar)\b|\bantwortet nicht\b/i;
const PID_GONE = new RegExp(`\\b(?:pid|process) \\d{1,9}(?: \\([^)]{0,40}\\))?(?: has| is| was)? ${STOPPED}\\b`, 'i');
const AWAITED = new RegExp(NAME, 'i');

export const SCRIPT_GAVE_UP_RULES: readonly TrainingRule[] = [
  {
    sample: 'target not ready after 600s, giving up; see /workspace/logs/vllm.log',
    pattern:
      /\b(?:not|never|failed to|unable to|couldn't|didn't|isn't|wasn't|doesn't|hasn't|cannot|can't)(?: \w{1,20}){0,2}? (?:ready|healthy|up|start(?:ed)?|respond(?:ed|ing)?|answer(?:ed|ing)?|reachable|available|online|listening)\b/i,
    unless: NOT_OVER,
    only: 'line',
    find: notUp,
  },
  {
    sample: 'Timed out waiting for vLLM server after 900s',
    pattern: /^(?:\[?(?:ERROR|FATAL)\]?:? ?)?(?:timed? ?out|timeout|gave up|giving up)\b/i,
    unless: /^\+|\b(?:retry\w{0,5}|again|continu\w{0,5}|attempt \d+|last time|previous\w{0,2}|earlier|keep\w{0,4})\b/i,
    only: 'line',
    find: ({ input = '' }) => timedOut(input),
  },
  {
    sample: '等待超时: vLLM',
    pattern: /^(?:\S{1,12} ?)?(?:等待|启动|连接).{0,12}超时|^(?:等待)?超时/,
    unless: NOT_OVER,
    only: 'line',
    find: ({ input = '' }) => (AWAITED.test(input) ? gaveUp(secondsTaken(input)) : []),
  },
  {
    sample: 'port 8000 is already in use by pid 33, target not started',
    pattern:
      /\b(?:port|address|\S{1,60}:\d{4,5}) (?:\d{1,5} )?(?:is )?(?:already |still )?(?:in use|taken|occupied|belegt)\b/i,
    unless:
      /^\+|\?|\b(?:if|next|try\w{0,3}|instead|using|use \d|check\w{0,3}|wait\w{0,3}|not|reus\w{1,3}|free(?:d|ing)?)\b(?! started)|\b\w{0,60}(?:Error|Exception)\b/i,
    only: 'line',
    find: () => when('untrained', [sign('gives up')]),
  },
  {
    sample: 'ERROR: vLLM server process died before it was ready',
    pattern: new RegExp(
      `\\b${NAME}(?: \\(?(?:pid[ :=]{0,2})?\\d{1,9}\\)?)?(?: has| is| was| ist)?(?: unexpectedly| already)? (?:died|abgestürzt|gestorben|exited|crashed|dead|gone|(?:start-?up |launch )?failed(?: to start| to come up)?\\b(?! to)|terminated unexpectedly|no longer running|not running|did not (?:start|become ready|come up)|(?:not|never) (?:ready|up|came up) (?:within|in)\\b(?= (?:the )?(?:limit|time)))`,
      'i',
    ),
    unless: NOT_OVER,
    isClaim: true,
    only: 'line',
    find: () => [sign('gives up unless asked')],
  },
  {
    sample: 'target: process 5530 is gone (exit code 1) after 75 s, it never was ready',
    pattern: new RegExp(`\\b${STOPPED}\\b`, 'i'),
    unless: CONDITION,
    only: 'line',
    find: ({ input = '' }) => (NEVER_READY.test(input) || PID_GONE.test(input) ? abandoned(input) : []),
  },
  {
    sample: '300 seconds without an answer, target not ready, I give up',
    pattern:
      /\b(?:giv(?:e|es|ing) up|gave up|abort(?:s|ed|ing)?|bail(?:s|ed|ing)? out|gebe auf|abbruch|breche ab|abandon\w{0,5})\b/i,
    unless: CONDITION,
    only: 'line',
    find: ({ input = '' }) => (NEVER_READY.test(input) ? abandoned(input) : []),
  },
  {
    sample: 'vLLM 启动失败',
    pattern: /启动失败|已退出|异常退出/,
    unless: NOT_OVER,
    only: 'line',
    find: ({ input = '' }) => (AWAITED.test(input) ? [sign('gives up unless asked')] : []),
  },
];

/** True of the words in front of "not ready". */
const OF_TARGET = new RegExp(
  `(?<!\\w)${NAME}(?: \\(?pid \\d{1,9}\\)?)?${PLACE} (?:(?:is|was|did|has|does|could|do) ){0,3}$`,
  'i',
);
const AFTER = new RegExp(`^.{0,80}?\\b(?:after|within|in|waited) (?:the )?${SECONDS}`, 'i');

/** A trainer gives up a sample, not the target. */
const OF_DATA = /\b(?:samples?|prompts?|requests?|batch(?:es)?)\b/i;

function notUp({ 0: words, index = 0, input = '' }: RegExpMatchArray): TrainingFinding[] {
  const named = OF_TARGET.exec(input.slice(0, index));
  const [, count, unit] = AFTER.exec(input.slice(index + words.length)) ?? [];
  if (named === null || count === undefined || !isClaimed(input, named.index)) return [];
  return OF_DATA.test(input) ? [] : [waited(count, unit), sign('gives up')];
}

const FOR_TARGET = new RegExp(`^.{0,80}?\\b(?:for|on) (?:${TARGET}|https?:|port |\\/)`, 'i');
const TIME = new RegExp(`\\b${SECONDS}`, 'i');

/** Whatever it waited for. */
const ALONE = new RegExp(`^(?:\\[?(?:ERROR|FATAL)\\]?:? ?)?[a-z ]{0,12}(?: (?:after|of) ${SECONDS})?[.!]{0,3}$`, 'i');

function timedOut(text: string): readonly TrainingFinding[] {
  if (ALONE.test(text)) return when('awaited', gaveUp(secondsTaken(text)));
  if (!FOR_TARGET.test(text)) return [];
  const [, count, unit] = TIME.exec(text) ?? [];
  return [...(count === undefined ? [] : [waited(count, unit)]), sign('gives up')];
}

function waited(count = '', unit = ''): TrainingFinding {
  return { kind: 'waited', seconds: Number(count) * (unit.startsWith('m') ? 60 : 1) };
}

/** The script says of the target, or of what it awaits, that it never came up. */
function abandoned(text: string): readonly TrainingFinding[] {
  const found = gaveUp(secondsTaken(text) ?? secondsWaited(text));
  return when(NAMED.test(text) ? 'untrained' : 'awaited', found);
}

function gaveUp(seconds: number | null): TrainingFinding[] {
  return [...(seconds === null ? [] : [{ kind: 'waited', seconds } as const]), sign('gives up')];
}
