/** What run scripts say of a target server that answers. A word alone decides nothing: one behind "until", "if" or "not" is none. */

import { isClaimed } from './claim.ts';
import { fact, phase } from './rule.ts';
import { stepIn } from './script.ts';
import { NAME, NAMED, NAMED_OTHERWISE, PLACE, READY, secondsTaken, TARGET } from './script-words.ts';
import type { TrainingFinding, TrainingRule } from './training-rule.ts';

/** It answers, but as another one does: what holds its port is somebody else's. */
const BUT =
  /\bready to (?:start|launch|be started)\b|\bup and down\b|\bbut (?:it )?(?:lists|serves|has|returns|says|with|not|no|is not|another|an?other|other|only|does|the)\b|\b(?:other|another|wrong|different|foreign) (?:model|server)\b|: not (?:yet )?ready\b/i;

export const SCRIPT_READY_RULES: readonly TrainingRule[] = [
  {
    sample: 'Waiting for vLLM (kestrel-8b) to be ready............... ready! (45s)',
    pattern: NAMED,
    only: 'line',
    find: ({ input = '' }) => readyBehindDots(input),
  },
  {
    sample: 'vLLM ready after 140s',
    pattern: NAMED,
    unless: BUT,
    only: 'line',
    find: ({ input = '' }) => saidReady(input),
  },
  {
    sample: '推理服务已就绪，用时 95 秒',
    pattern: NAMED_OTHERWISE,
    unless: BUT,
    only: 'line',
    find: ({ input = '' }) => saidReady(input),
  },
  {
    sample: 'vLLM server is running at http://localhost:8000',
    pattern: new RegExp(
      `\\b${NAME} (?:is |seems |looks |has )?(?:(?:already |now |still )(?:running|started)\\b|(?:running|started)\\b(?= (?:at|on) http| successfully))`,
      'i',
    ),
    isClaim: true,
    only: 'line',
    find: ready,
  },
  {
    sample: 'Reusing existing vLLM server at http://localhost:8000',
    pattern: new RegExp(`\\b(?:found|using|reusing|re-using) (?:an |the )?(?:running|existing|live) ${NAME}`, 'i'),
    isClaim: true,
    only: 'line',
    find: ready,
  },
  {
    sample: 'READY: vLLM on port 8000',
    pattern: new RegExp(`^(?:ready|up|ok|online|healthy): ${TARGET}`, 'i'),
    only: 'line',
    find: ready,
  },
  {
    sample: 'target: already running since yesterday (pid 19), ready',
    pattern: NAMED,
    unless: BUT,
    only: 'line',
    find: ({ input = '' }) => readyAtLast(input),
  },
];

const SAID = new RegExp(READY, 'gi');
/** The target's name or address at the end of what stands before a word for readiness. */
const OF_TARGET = new RegExp(
  `(?:(?<!\\w)${NAME}(?: \\(?(?:pid[ :=]{0,2})\\d{1,9}\\)?)?:?${PLACE}|(?:\\S\\/|\\b)health(?:z| check| endpoint)?|\\S\\/v1\\/models|:\\d{4,5}(?:\\/v1\\/?)?)(?: \\([^)]{0,60}\\))?(?: for [\\w./-]{1,60})?(?: (?:nach|after|within|in) \\d{1,6} ?(?:s|sec|seconds|Sekunden|min))?[:,]? {0,2}\\(?(?:-{1,2}>|=>|→|–|-)? {0,2}(?:(?:is|was|has|now|already|became|becomes|says|came|come|are|returned|returns|gave|gives|status|code|est|ist|it)\\b ?|está ?|è ?|已经?){0,3}$`,
  'i',
);

function saidReady(text: string): TrainingFinding[] {
  for (const { 0: word, index } of text.matchAll(SAID)) {
    const named = OF_TARGET.exec(text.slice(0, index));
    if (named !== null && isClaimed(text, named.index)) return found(text, named.index, index + word.length);
  }
  return [];
}

const AT_LAST = new RegExp(
  `(?<!\\w)${NAME}(?!\\w)(?:(?!\\b(?:not|never|no|until|if|when|once|for|wait\\w{0,5}|weights|layers|config\\w{0,8}|tokeni[sz]er|checkpoint|files?|path|cache|download\\w{0,3}|shards|version|args|hash|checksum|sha256)\\b|n't)[^.;?]){0,60}[,:;>] ?(?:it is |it's |is )?(?:now |already )?(?:ready|up|healthy|ok|200)\\b(?! to\\b| in about|\\?)`,
  'i',
);

function readyAtLast(text: string): TrainingFinding[] {
  const match = AT_LAST.exec(text);
  return match === null || !isClaimed(text, match.index) ? [] : ready(match);
}

/** A script that goes on in its line when the wait ends. */
const DOTS = /\.{2,}|…|(?: \.){3,}/;
const AWAITED = new RegExp(`${NAME}|\\/health|\\/v1\\/models|:\\d{4,5}`, 'i');
const ENDED = new RegExp(`^(?:it |is |now ){0,2}(?:${READY}|done\\b|success|✓|✔|✅)`, 'i');
const LONGEST_HEAD = 160;

function readyBehindDots(text: string): TrainingFinding[] {
  const parts = text.split(DOTS);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length < 2 || text.startsWith('+') || first.length > LONGEST_HEAD || !AWAITED.test(first)) return [];
  const end = last.replace(/^[. ]+/, '');
  const ended = ENDED.exec(end)?.[0];
  return ended === undefined
    ? []
    : found(text, AWAITED.exec(text)?.index ?? 0, text.length - end.length + ended.length);
}

function ready({ 0: text, input = '', index = 0 }: RegExpMatchArray): TrainingFinding[] {
  return found(input, index, index + text.length);
}

/** `from` and `to`: where the words stand that tell it. */
function found(text: string, from: number, to: number): TrainingFinding[] {
  const seconds = secondsTaken(text.slice(to)) ?? secondsTaken(text.slice(from));
  return [...stepIn(text), ...readyIn(seconds), ...pidIn(text.slice(from))];
}

const PID = /\bpid[ :=#]{0,3}(\d{1,9})/i;

/** A target's pid where the line tells it. */
export function pidIn(text: string): TrainingFinding[] {
  const pid = PID.exec(text)?.[1];
  return pid === undefined ? [] : [fact('target_pid', Number(pid))];
}

/** The target is up, after so long where that is told. */
export function readyIn(seconds: number | null): TrainingFinding[] {
  return [phase('target_ready'), ...(seconds === null ? [] : [fact('target_ready_seconds', seconds)])];
}
