/** What people's run scripts say of the launch of the target server and of its end, in words of their own. */

import { fact, phase } from './rule.ts';
import { stepIn } from './script.ts';
import { pidIn, readyIn } from './script-ready.ts';
import { NAME, secondsTaken, TARGET } from './script-words.ts';
import { sign, type TrainingFinding, type TrainingRule, when } from './training-rule.ts';

export const SCRIPT_TARGET_RULES: readonly TrainingRule[] = [
  {
    sample: 'Stopping vLLM server (pid 20417)',
    pattern: new RegExp(
      `^(?!\\+)[^:]{0,20}\\b(?:stopping|shutting down|killing|terminating|stopped|killed|cleaning up|tearing down) ${TARGET}`,
      'i',
    ),
    only: 'line',
    find: () => [sign('stops target')],
  },
  {
    sample: 'vLLM server stopped.',
    pattern: new RegExp(`^${TARGET} (?:(?:has|was|is) )?(?:stopped|shut down)[.!]?$`, 'i'),
    only: 'line',
    find: () => [sign('stops target')],
  },
  {
    sample: '停止 vLLM 服务',
    pattern: new RegExp(`^(?:停止|关闭) ?${NAME}`, 'i'),
    only: 'line',
    find: () => [sign('stops target')],
  },
];

/** Behind a name: it ends, or goes on in another's. */
const OTHERWISE =
  '(?:stop|kill|terminat|shut|exit|died|dead|crash|gone|fail|fallen|ended|ready|trainer|\\bnot\\b|\\bin use\\b|\\bup\\b)';

export const SCRIPT_LAUNCH_RULES: readonly TrainingRule[] = [
  {
    sample: 'target pid 14216; waiting until it is ready; if it is not ready after 600s this script gives up',
    pattern: /\b(?:pid[ :=#]{0,3}|process (?=\d{3}))(\d{1,9})/i,
    unless: /^\+/,
    only: 'line',
    find: ({ 1: pid = '', index = 0, input = '' }) =>
      OF_TARGET.test(input.slice(0, index)) ? [...stepIn(input), ...launched(pid)] : [],
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
    pattern:
      /(?:start|launch|bring(?:ing)? up|spin(?:ning)? up|boot|spawn|deploy|serv(?:e|ing)|démarrage d|lancement d|iniciando|arrancando|lanzando|avvio)/i,
    only: 'line',
    find: ({ input = '' }) => launching(input),
  },
  {
    sample: '后台启动推理服务',
    pattern: /启动|拉起|запуск/i,
    only: 'line',
    find: ({ input = '' }) => launching(input),
  },
];

const OF_TARGET = new RegExp(`^.{0,40}(?<!\\w)${NAME}(?:(?!${OTHERWISE})(?:[^.;]|\\.(?=\\w))){0,40}$`, 'i');

/** At a line's begin, or behind a head of its own. */
const VERB =
  /^(?!\+)(?:.{0,30}[:\]>=*-] ?)?(?:start(?:ing|ed|e)?|launch(?:ing|ed)?|bring(?:ing)? up|spin(?:ning)? up|boot(?:ing)?|spawn(?:ing|ed)?|deploy(?:ing)?|re-?start(?:ing)?|serv(?:e|ing)|后台启动|启动|拉起|démarrage (?:de|du)|lancement (?:de|du)|iniciando|arrancando|lanzando|avvio|запуск(?:аю|аем)?)$/i;
const WORDS =
  /(?<![a-zà-ÿ-])(?:re-?)?(?:start(?:ing|ed|e)?|launch(?:ing|ed)?|bring(?:ing)? up|spin(?:ning)? up|boot(?:ing)?|spawn(?:ing|ed)?|deploy(?:ing)?|serv(?:e|ing)|démarrage (?:de|du)|lancement (?:de|du)|iniciando|arrancando|lanzando|avvio)(?![a-z])|后台启动|启动|拉起|запуск(?:аю|аем)?/gi;
const ITS_NAME = new RegExp(
  `^ ?(?:(?!train|data|draft|client|eval|bench|test|against|with)[\\w./-]{1,60} ){0,2}?${TARGET}(?!(?: \\w{1,40})? to (?:exit|stop|shut|terminat|die|finish|end|quit|release|free))`,
  'i',
);
/** A model in place of the server: `serving Qwen/Qwen3-8B on GPU 0, pid 8812`. */
const ITS_MODEL = /^ (?:the )?(?:model )?[\w.-]{1,60}\/[\w.-]{1,100} .{0,80}\bpid[ :=#]{0,3}\d/i;

function launching(text: string): TrainingFinding[] {
  for (const { 0: verb, index } of text.matchAll(WORDS)) {
    const end = index + verb.length;
    const rest = text.slice(end);
    const isLaunch = ITS_NAME.test(rest) || (/^serv/i.test(verb) && ITS_MODEL.test(rest));
    if (!isLaunch || !VERB.test(text.slice(0, end))) continue;
    return [...stepIn(text), sign('launches target'), ...launched(undefined), ...pidIn(text)];
  }
  return [];
}

/** The target was launched, as the process `pid` where that is told. */
export function launched(pid: string | undefined): TrainingFinding[] {
  const told = pid === undefined ? [] : [fact('target_pid', Number(pid))];
  return [sign('awaits target'), phase('target_starting'), ...told];
}
