/**
 * What run scripts say in a word or two where a line before them named the target server: "launched (pid 3391)", "not ready", "ready (38s)".
 * They count only while a target is awaited.
 */

import { phase } from './rule.ts';
import { stepIn } from './script.ts';
import { launched, readyIn, waiting } from './script-target.ts';
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
      `^[ .]*(?:(?:and |it |is |it's |now |已经?){0,3}(?:${READY})|took(?= \\d)|done waiting|HTTP(?:\\/[\\d.]+)? 200)(?:[.!…]*$|[ !,:]*(?:after|in|within|took|waited|for|OK|now|[(~\\d@]|at |on ))`,
      'i',
    ),
    unless: /^[ .]*(?:ready|up|ok) (?:to|for) |\?$/i,
    only: 'line',
    find: ({ input = '' }) => when('awaited', readyIn(secondsTaken(`: ${input}`))),
  },
  {
    sample: 'not ready after 20s',
    pattern: /^[ .]*(?:still )?(?:not|no) (?:yet )?(?:ready|up|healthy|answer(?:ing)?|response|responding|there)\b/i,
    only: 'line',
    find: ({ input = '' }) => when('awaited', waiting(input)),
  },
  {
    sample: '[60s] waiting...',
    pattern:
      /^[ .[(]{0,12}(?:\d+ ?s(?:ec\w*)?[\])]?:? )?(?:still |仍在|还在)?(?:waiting|loading|polling|warte|esperando|aguardando|en attente|ожидание|等待中?|已等待|待機中|대기 ?중?)[ .…:(,-]*(?:\(?\d+|$|for (?:it|health|startup)|elapsed)/i,
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
