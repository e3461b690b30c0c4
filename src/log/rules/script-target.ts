/**
 * What people's run scripts say of the target server in words of their own: its launch, the wait for it, its readiness, its end.
 * A word alone decides nothing: a readiness behind "until", "if" or "not" is none.
 */

import { fact, phase } from './rule.ts';
import { stepIn } from './script.ts';
import { NOT_OVER, READY, secondsTaken, secondsWaited, TARGET, WAIT } from './script-words.ts';
import { sign, type TrainingFinding, type TrainingRule, when } from './training-rule.ts';

const SECONDS = '(\\d+) ?(s(?:ec\\w*)?|m(?:in\\w*)?)\\b';
const UP =
  '(?:ready|healthy|up|start(?:ed)?|respond(?:ed|ing)?|answer(?:ed|ing)?|reachable|available|online|listening)';
const NOT = "(?:not|never|failed to|unable to|couldn't|didn't|isn't|wasn't|doesn't|hasn't|cannot|can't)";
const PLACE = '(?: (?:at|on|@|to) \\S+| https?:\\S+)?';
/** Behind a name: it ends, or goes on in another's. */
const STOP = '(?:stop|kill|terminat|shut|exit|died|dead|crash|gone|fail|fallen)';

export const SCRIPT_TARGET_RULES: readonly TrainingRule[] = [
  {
    sample: 'target not ready after 600s, giving up; see /workspace/logs/vllm.log',
    pattern: new RegExp(
      `\\b${TARGET}(?: \\(?pid \\d+\\)?)?${PLACE} (?:(?:is|was|did|has|does|could|do) )*${NOT}\\b(?: \\w+){0,2}? ${UP}\\b.{0,80}?\\b(?:after|within|in|waited) (?:the )?${SECONDS}`,
      'i',
    ),
    unless: NOT_OVER,
    isClaim: true,
    only: 'line',
    find: ([, count, unit]) => [waited(count, unit), sign('gives up')],
  },
  {
    sample: 'Timed out waiting for vLLM server after 900s',
    pattern: new RegExp(
      `^(?:\\[?(?:ERROR|FATAL)\\]?:? ?)?(?:timed? ?out|timeout|gave up|giving up|等待超时|超时)\\b.{0,80}?\\b(?:waiting )?(?:for|on) (?:${TARGET}|https?:|port |\\/)(?:.*?\\b${SECONDS})?|^(?:${TARGET} ?)?(?:等待|启动|连接) ?(?:${TARGET} ?)?超时`,
      'i',
    ),
    unless: NOT_OVER,
    only: 'line',
    find: ([, count, unit]) => [...(count === undefined ? [] : [waited(count, unit)]), sign('gives up')],
  },
  {
    sample: 'ERROR: vLLM server process died before it was ready',
    pattern: new RegExp(
      `\\b${TARGET}(?: \\(?(?:pid[ :=]{0,2})?\\d+\\)?)?(?: has| is| was)?(?: unexpectedly| already)? (?:died|exited|crashed|dead|gone|(?:start-?up |launch )?failed(?: to start| to come up)?\\b(?! to)|terminated unexpectedly|no longer running|not running|did not (?:start|become ready|come up)|(?:not|never) (?:ready|up|came up) (?:within|in) (?:the )?(?:limit|time)|启动失败|已退出|异常退出)`,
      'i',
    ),
    unless: NOT_OVER,
    isClaim: true,
    only: 'line',
    find: () => [sign('gives up unless asked')],
  },
  {
    sample: 'Stopping vLLM server (pid 20417)',
    pattern: new RegExp(
      `^(?!\\+)[^:]{0,20}\\b(?:stopping|shutting down|killing|terminating|stopped|killed|cleaning up|tearing down) ${TARGET}|^${TARGET} (?:(?:has|was|is) )?(?:stopped|shut down)[.!]?$|^(?:停止|关闭) ?${TARGET}`,
      'i',
    ),
    only: 'line',
    find: () => [sign('stops target')],
  },
  {
    sample: 'Waiting for vLLM (kestrel-8b) to be ready............... ready! (45s)',
    pattern: new RegExp(
      `^[^.]{0,80}(?:${TARGET}|\\/health|\\/v1\\/models|:\\d{4,5})[^.…]{0,80}(?:\\.{2,}|…|(?: \\.){3,})[. ]{0,200}(?:it |is |now ){0,2}(?:${READY}|done\\b|success|✓|✔|✅)`,
      'i',
    ),
    unless: /^\+|\.[. ]{1,100}(?:not|no|never|still)\b/,
    only: 'line',
    find: ready,
  },
  {
    sample: 'vLLM ready after 140s',
    pattern: new RegExp(
      `(?:\\b${TARGET}(?: \\(?(?:pid[ :=]{0,2})\\d+\\)?)?:?${PLACE}|(?:\\S\\/|\\b)health(?:z| check| endpoint)?|\\S\\/v1\\/models|\\S:\\d{4,5})(?: \\([^)]{0,60}\\))?(?: for [\\w./-]{1,60})?[:,]? {0,2}(?:-{1,2}>|=>|→|–|-)? {0,2}(?:(?:is|was|has|now|already|became|becomes|says|came|come|are|returned|returns|gave|gives|status|code|est|ist|it)\\b ?|está ?|è ?|已经?){0,3}${READY}`,
      'i',
    ),
    unless: /\bready to (?:start|launch|be started)\b|\bup and down\b/,
    isClaim: true,
    only: 'line',
    find: ready,
  },
  {
    sample: 'vLLM server is running at http://localhost:8000',
    pattern: new RegExp(
      `\\b${TARGET} (?:is |seems |looks )?(?:already |now |still )(?:running|started)\\b|\\b${TARGET} (?:is |has )?(?:running|started)\\b(?= (?:at|on) http| successfully)|\\b(?:found|using|reusing|re-using) (?:(?:an |the )?(?:running|existing|live)) ${TARGET}|^(?:ready|up|ok|online|healthy): ${TARGET}`,
      'i',
    ),
    isClaim: true,
    only: 'line',
    find: ready,
  },
  {
    sample: 'target: already running since yesterday (pid 19), ready',
    pattern: new RegExp(
      `\\b${TARGET}\\b(?:(?!\\b(?:not|never|no|until|if|when|once|for|wait\\w*)\\b|n't)[^.;?]){0,60}[,:;>] ?(?:it is |it's |is )?(?:now |already )?(?:ready|up|healthy|ok|200)\\b(?! to\\b| in about|\\?)`,
      'i',
    ),
    isClaim: true,
    only: 'line',
    find: ready,
  },
  {
    sample: 'Server not available yet, retrying in 3 seconds (Attempt 1/200)...',
    pattern: new RegExp(
      `^(?!#)(?:https?:\\S+ )?(?:${TARGET}|health(?: check)?)${PLACE}(?::| is)?(?: still)? (?:no (?:answer|response)|not (?:yet )?(?:ready|up|responding|reachable|available|healthy|listening|answering)|unreachable|unavailable|(?:still |is )?(?:loading|starting(?: up)?|booting|warming up)|waiting|failed,? retrying|尚未就绪|未就绪)\\b`,
      'i',
    ),
    only: 'line',
    find: ({ input = '' }) => waiting(input),
  },
  {
    sample: 'still waiting for the target: 60s',
    pattern: new RegExp(
      `${WAIT}(?: (?:for|on|until))? ?${TARGET}|${WAIT} (?:(?:for|on) )?(?:https?:\\S+|port \\d+|\\S+:\\d{4,5})`,
      'i',
    ),
    unless:
      /^\+|\b(?:done|finished|stopp?ed) waiting|\bto (?:exit|stop|shut|terminat|die|finish|end|quit|release|free)|\bout waiting|(?:vllm|server|target)\S{0,20} (?:\w{1,20} )?(?:response|reply|requests?|weights)\b/i,
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), ...waiting(input), ...pidIn(input)],
  },
  {
    sample: 'target pid 14216; waiting until it is ready; if it is not ready after 600s this script gives up',
    pattern: new RegExp(
      `^(?!\\+)(?:.{0,40}(?:\\b|(?<=[^\\w])))?${TARGET}(?:(?!${STOP}|ready|trainer|\\bup\\b)[^.;]){0,40}?\\bpid[ :=#]{0,3}(\\d+)`,
      'i',
    ),
    only: 'line',
    find: ({ 1: pid = '', input = '' }) => [...stepIn(input), ...launched(pid)],
  },
  {
    sample:
      'CUDA_VISIBLE_DEVICES=0,1 python launch_vllm.py /models/Qwen3-32B -- -tp 2 > serve.log 2>&1 &   (pid 20117)',
    pattern:
      /^(?:(?:Command|Cmd|Running|Exec|Executing|Launch command): |\$ )?(?:(?:[A-Z_]+=\S*|nohup|exec|setsid|env|srun|uv run) +){0,12}(?:\S{0,200}python[\d.]* +)?(?:-[uB] +)?(?:-m +(?:vllm\.entrypoints\.\S+|sglang\.launch_server)|\S{0,200}launch_(?:vllm|sglang|server|target)\w*\.(?:py|sh)|(?:\S{0,200}\/)?(?:trl )?vllm[- ]serve|docker run(?=.{0,400}(?:vllm|sglang))|sglang serve)(?= |$)(?!:)(?:.*\bpid[ :=]*(\d+))?/i,
    isCommand: true,
    only: 'line',
    find: ({ 1: pid }) => [sign('launches target'), ...launched(pid)],
  },
  {
    sample: 'vLLM server started',
    pattern: new RegExp(`^(?:.{0,30}[:\\]>=*-] ?)?${TARGET} (?:has |was |is )?(?:started|launched|spawned)\\b`, 'i'),
    only: 'line',
    find: ({ input = '' }) => [
      ...when('awaited', launched(undefined)),
      ...when('waited', readyIn(secondsTaken(input))),
    ],
  },
  {
    sample: '=== Step 2: Launching vLLM server ===',
    pattern: new RegExp(
      `^(?!\\+)(?:.{0,30}[:\\]>=*-] ?)?(?:start(?:ing|ed)?|launch(?:ing|ed)?|bring(?:ing)? up|spin(?:ning)? up|boot(?:ing)?|spawn(?:ing|ed)?|deploy(?:ing)?|re-?start(?:ing)?|serv(?:e|ing)|后台启动|启动|拉起|starte|démarrage (?:de|du)|lancement (?:de|du)|iniciando|arrancando|lanzando|avvio|запуск(?:аю|аем)?) ?(?:(?!train|data|draft|client|eval|bench|test|against|with)[\\w./-]{1,60} ){0,2}?${TARGET}(?!(?: \\w+)? to (?:exit|stop|shut|terminat|die|finish|end|quit|release|free))`,
      'i',
    ),
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), sign('launches target'), ...launched(PID.exec(input)?.[1])],
  },
];

/** A target's pid where the line tells it. */
const PID = /\bpid[ :=#]{0,3}(\d+)/i;

function ready({ 0: text, input = '' }: RegExpMatchArray): TrainingFinding[] {
  const at = input.indexOf(text);
  return [
    ...stepIn(input),
    ...readyIn(secondsTaken(input.slice(at + text.length)) ?? secondsTaken(input.slice(at))),
    ...pidIn(input.slice(at)),
  ];
}

function pidIn(text: string): TrainingFinding[] {
  const pid = PID.exec(text)?.[1];
  return pid === undefined ? [] : [fact('target_pid', Number(pid))];
}

/** The target is up, after so long where that is told. */
export function readyIn(seconds: number | null): TrainingFinding[] {
  return [phase('target_ready'), ...(seconds === null ? [] : [fact('target_ready_seconds', seconds)])];
}

/** The target was launched, as the process `pid` where that is told. */
export function launched(pid: string | undefined): TrainingFinding[] {
  const told = pid === undefined ? [] : [fact('target_pid', Number(pid))];
  return [sign('awaits target'), phase('target_starting'), ...told];
}

/** The target is still awaited, for so long where the line counts. */
export function waiting(text: string): TrainingFinding[] {
  const seconds = secondsWaited(text);
  return seconds === null
    ? [sign('waits'), phase('target_starting')]
    : [phase('target_starting'), { kind: 'waited', seconds }];
}

function waited(count = '', unit = ''): TrainingFinding {
  return { kind: 'waited', seconds: Number(count) * (unit.startsWith('m') ? 60 : 1) };
}
