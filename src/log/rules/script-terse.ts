/**
 * What run scripts say in a word or two where a line before them named the target server: "launched (pid 3391)", "not ready", "ready (38s)".
 * They count only while a target is awaited.
 */

import { phase } from './rule.ts';
import { stepIn } from './script.ts';
import { readyIn } from './script-ready.ts';
import { launched } from './script-target.ts';
import { waiting } from './script-wait.ts';
import { READY, secondsTaken } from './script-words.ts';
import { sign, type TrainingRule, when } from './training-rule.ts';

export const SCRIPT_TERSE_RULES: readonly TrainingRule[] = [
  {
    sample: '{"object":"list","data":[{"id":"/models/Qwen3-8B","object":"model"}]}',
    pattern: /^\{ ?"object": ?"list", ?"data": ?\[\{/,
    only: 'line',
    find: () => when('untrained', readyIn(null)),
  },
  {
    sample: "curl: (7) Failed to connect to 10.44.0.8 port 30000 after 0 ms: Couldn't connect to server",
    pattern: /^curl: \((?:7|22|28|52|56)\) /,
    only: 'line',
    find: () => when('untrained', [sign('waits'), phase('target_starting')]),
  },
  {
    sample: 'up after 131 s',
    pattern: new RegExp(
      `^[ .]*(?:(?:and |it |is |it's |now |已经?){0,3}(?:${READY})|took(?= \\d)|done waiting|HTTP(?:\\/[\\d.]+)? 200)(?:[.!…]*$|[ !,:]*(?:after|in|within|took|waited|for|nach|après|tras|dopo|OK|now|[(~\\d@]|at |on ))`,
      'i',
    ),
    unless: /^[ .]*(?:ready|up|ok) (?:to|for) |\?$/i,
    only: 'line',
    find: ({ input = '' }) => when('awaited', readyIn(secondsTaken(`: ${input}`))),
  },
  {
    sample: 'polling... 200 (14 s)',
    pattern: new RegExp(`^(?:polling|waiting|checking|probing|warte)[^.…]{0,40}(?:\\.{2,4}|…) {0,2}(?:${READY})`, 'i'),
    only: 'line',
    find: ({ 0: { length }, input = '' }) => when('awaited', readyIn(secondsTaken(input.slice(length)))),
  },
  {
    sample: 'first 200 from /health after 33 s',
    pattern:
      /\b(?:took \d[\d.]{0,8} ?(?:s|sec\w{0,4}|min\w{0,4}) to (?:come up|start|load|be ready)|(?:came|come) up (?:in|after) \d|(?:answer|200|OK)(?: from \S{1,80})? after \d|open after \d|ready \(?(?:after |in )?\d)/i,
    unless:
      /^\+|\?|\b(?:if|unless|until|once|when|should|not|never|no|but|rank|train\w{0,4}|data\w{0,6}|tokeni[sz]er|optimi[sz]er|cache|loader|disk|mount|model is)\b/i,
    only: 'line',
    find: ({ index = 0, input = '' }) => when('awaited', readyIn(secondsTaken(input.slice(index)))),
  },
  {
    sample: 'port 8000 lists another model, still waiting (10s)',
    pattern: /\bstill waiting\b/i,
    unless: /^\+|\b(?:rank|batch|lock|worker|barrier|queue)/i,
    only: 'line',
    find: ({ input = '' }) => when('awaited', waiting(input)),
  },
  {
    sample: '[60s] waiting...',
    pattern:
      /^[ .[(]{0,12}(?:\d+ ?s(?:ec\w*)?[\])]?:? )?(?:still )?(?:wait(?:ed|ing)?|loading|polling|warte|esperando|aguardando|en attente)[ .…:(,-]*(?:\(?\d+|$|for (?:it|health|startup)|elapsed)/i,
    only: 'line',
    find: ({ input = '' }) => when('awaited', waiting(input)),
  },
  {
    sample: '等待中... (2s)',
    pattern: /^[ .[(]{0,12}(?:仍在|还在)?(?:ожидание|等待中?|已等待|待機中|대기 ?중?)[ .…:(,-]*(?:\(?\d+|$)/i,
    only: 'line',
    find: ({ input = '' }) => when('awaited', waiting(input)),
  },
  {
    sample: '.......... 10s',
    pattern:
      /^(?:[.…]{1,400}|(?:\. ?){2,200})? ?\(?(?:elapsed:? |t=)?\d{1,6} ?(?:\/ ?\d{1,6} ?)?s(?:ec(?:ond)?s?)?\b(?: elapsed| so far| passed|\.{1,3})?\)?$/,
    only: 'line',
    find: ({ input = '' }) => when('awaited', waiting(input)),
  },
  {
    sample: 'launched (pid 3391, log /tmp/target.log)',
    pattern: /^ *(?:(?:launched|started|running|up|spawned)\b.{0,20}?)?\(?\bpid[ :=]{1,3}(\d+)\b/i,
    only: 'line',
    find: ([, pid]) => when('awaited', launched(pid)),
  },
  {
    sample: 'Step 1 of 2: target',
    pattern: /^(?:(?:Step|STEP|Stage) \d+(?: of \d+)?:? )?(?:vLLM|VLLM|SGLang|[Tt]arget)(?: server)?\b/,
    only: 'line',
    find: ({ input = '' }) => [...stepIn(input), sign('awaits target')],
  },
];
