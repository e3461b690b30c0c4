/** Runs as the core makes them, for tests of what people read. */

import type { Cause } from '../../src/diagnosis/cause.ts';
import { emptyReading } from '../../src/log/reading.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import type { Before } from '../../src/report/view.ts';
import type { ServeRequest, TrainRequest } from '../../src/run/request.ts';
import type { PhaseVisit, Run, RunEvent, RunEventBody } from '../../src/run/run.ts';
import type { Acceptance, Finding, KeptRecord, Speed, Verification, VerifyId } from '../../src/verify/verification.ts';
import {
  type Disk,
  type EngineDeath,
  type ErrorRate,
  type Fall,
  type Hang,
  type Load,
  NO_VITALS,
  type Vitals,
} from '../../src/vitals/vitals.ts';

/** 2026-11-30 07:00:00 UTC, when the sample run was asked for. */
export const T0 = Date.UTC(2026, 10, 30, 7, 0, 0);

const STARTED = {
  main: { pid: 4242, start: 99 },
  session: 4241,
  bootId: 'boot-1',
  init: 1,
  log: '/root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log',
  movedLog: null,
  preludeShell: null,
  warnings: [],
  at: T0 + 2000,
} as const;

export const OOM: Cause = {
  line: 101,
  type: 'torch.OutOfMemoryError',
  process: 'Worker_TP1',
  category: 'cuda_oom',
  row: 'gpu-oom-loading',
  title: 'CUDA out of memory',
  why: "Each GPU holds its share of the weights, and the drafter's.",
  message:
    'CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.',
  remedy: 'Free GPU 1, or lower --gpu-memory-utilization.',
  link: null,
  retry: 'no',
  fingerprint: '0123456789ab',
  traceback: {
    first: 34,
    last: 101,
    text: [
      'Traceback (most recent call last):',
      '  File "/usr/lib/python3.12/dist-packages/vllm/tracing/otel.py", line 178, in sync_wrapper',
      '    return func(*args, **kwargs)',
      '           ^^^^^^^^^^^^^^^^^^^^^',
      '  File "/usr/lib/python3.12/dist-packages/vllm/model_executor/layers/linear.py", line 201, in create_weights',
      '    data=torch.empty(',
      '         ^^^^^^^^^^^^',
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB.',
    ],
  },
};

const REQUEST: ServeRequest = {
  kind: 'serve',
  id: 'vigil-kpro5-1a2b',
  name: 'kpro5-3',
  host: 'kpro5',
  recipe: 'dflash',
  argv: ['vllm', 'serve', 'Qwen/Qwen3-8B', '--port', '8000'],
  log: null,
  gpus: ['0', '1'],
  address: { kind: 'tcp', host: '0.0.0.0', port: 8000 },
  stopGrace: 30,
  by: 'U0ALICE',
  channel: 'C0OPS',
  at: T0,
  found: null,
};

/** Of a server that does all that can be wanted. */
export const WELL: Verification = {
  at: T0 + 90_000,
  by: null,
  outcome: 'ready',
  findings: [],
  speed: null,
  acceptance: null,
  version: '0.20.1',
  record: null,
  recorded: null,
};

/** What drafts came to that are as good as they were trained to be, 15 a step. */
export const GOOD_DRAFTS: Acceptance = {
  rate: 0.113,
  length: 2.7,
  curve: [0.701, 0.452, 0.251, 0.128, 0.071, 0.041, 0.022, 0.013, 0.009, 0.006, 0.003, 0.002, 0.001, 0.001, 0.0004],
  drafts: 312,
  of: 'prompts',
};

/** The same of a drafter with a wrong config. */
export const LOST_DRAFTS: Acceptance = {
  rate: 0.012,
  length: 1.18,
  curve: [0.158, 0.019, 0.003, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  drafts: 688,
  of: 'prompts',
};

const KEPT = { run: 'kpro5-2', at: T0 - 86_400_000, argv: REQUEST.argv };
export const RECORD: KeptRecord = {
  speed: { ...KEPT, value: { by: 'forwarding', tokensPerSecond: 73.5, firstTokenMs: 79 } },
  acceptance: { ...KEPT, value: { ...GOOD_DRAFTS, length: 2.74 } },
};

const SPEED: Speed = {
  by: 'forwarding',
  tokensPerSecond: 71.9,
  firstTokenMs: 84,
  tokens: 768,
  disturbedBy: null,
};

function passed(id: VerifyId, found: string): Finding {
  return { id, as: 'passed', found, expected: null, advice: null, causes: [], shape: null };
}

const PASSED = [
  passed('reached', '/health answers.'),
  passed('model', '/v1/models names Qwen3-8B.'),
  passed('plain', 'It completed a prompt: 16 tokens.'),
  passed('chat', 'It answered a chat: 16 tokens.'),
];

export const HEALTHY: Verification = {
  ...WELL,
  findings: [
    ...PASSED,
    passed('acceptance', 'Mean acceptance length 2.70.'),
    passed('speed', '71.9 tokens/s.'),
    passed('first_token', '84 ms.'),
    passed('configuration', 'It runs with what was asked.'),
  ],
  speed: SPEED,
  acceptance: GOOD_DRAFTS,
  record: RECORD,
};

export const WARNED: Verification = {
  ...HEALTHY,
  outcome: 'warnings',
  findings: [
    ...PASSED,
    {
      id: 'acceptance',
      as: 'warned',
      found: 'Mean acceptance length 1.96: after the 2nd position next to nothing is accepted.',
      expected: 'about 2.74, as kpro5-2 reached',
      advice:
        "Compare `layer_types` and `sliding_window` in the drafter's config.json with those that it was trained with.",
      causes: [
        'Its sliding-window layers run as full attention: vLLM before 0.25 drops `sliding_window` without a word.',
        'The drafter was trained with another window.',
      ],
      shape: 'falls_early',
    },
    {
      id: 'speed',
      as: 'not_judged',
      found: 'Others compute on its GPUs: pid 4711 (python, user bob) on GPU 1.',
      expected: null,
      advice: null,
      causes: [],
      shape: null,
    },
    {
      id: 'configuration',
      as: 'warned',
      found: '`max_model_len` is 16384.',
      expected: '32768, as its command asks',
      advice: 'Look for what lowered it: `/vllm logs kpro5-3`.',
      causes: [],
      shape: 'max_model_len',
    },
  ],
  speed: { ...SPEED, tokensPerSecond: 48.3, disturbedBy: 'pid 4711 (python, user bob) computes on GPU 1' },
  acceptance: { ...GOOD_DRAFTS, rate: 0.064, length: 1.96, curve: [0.69, 0.24, 0.02, 0.01, 0] },
};

export const UNUSABLE: Verification = {
  ...HEALTHY,
  outcome: 'unusable',
  findings: [
    ...PASSED,
    {
      id: 'acceptance',
      as: 'failed',
      found: 'Mean acceptance length 1.18, acceptance rate 1.2 %: the drafts are worth nothing.',
      expected: 'about 2.74, as kpro5-2 reached',
      advice: "Compare the drafter's config.json with the one that it was trained with, then restart.",
      causes: [
        'The target layers are read one off: vLLM before 0.22 takes `target_layer_ids` literally.',
        "The drafter's config.json holds other `target_layer_ids` than it was trained with.",
        'It is the drafter of another model.',
      ],
      shape: 'low_from_start',
    },
    passed('configuration', 'It runs with what was asked.'),
  ],
  speed: { ...SPEED, tokensPerSecond: 31.4 },
  acceptance: LOST_DRAFTS,
};

/** What a server without requests has to do. */
export const IDLE: Load = {
  ...{ at: T0, overMs: 300_000, running: 0, waiting: 0, promptRate: 0, generationRate: 0, kv: 0, finishedRate: 0 },
  ...{ acceptance: null, answers: null },
};

/** A ready server in its third hour, with nothing wrong. */
export const LIVELY: Vitals = {
  ...NO_VITALS,
  load: {
    at: T0 + 10_000_000,
    overMs: 300_000,
    running: 3,
    waiting: 0,
    promptRate: 1240,
    generationRate: 812.4,
    kv: 0.41,
    finishedRate: 14,
    acceptance: { ...GOOD_DRAFTS, of: 'traffic' },
    answers: { ok: 70, client: 2, server: 0 },
  },
};

export const HANG: Hang = {
  what: 'engine',
  forMs: 120_000,
  running: 4,
  waiting: 2,
  health: 'ok',
  generatedTokens: 12_345,
  cores: 2,
  gpuUse: 100,
  saysThatItWaits: true,
};

export const DISK: Disk = {
  what: 'the log',
  mount: '/',
  free: 3.2 * 1024 ** 3,
  total: 100 * 1024 ** 3,
  fullInMs: 7_000_000,
};

export const ERRORS: ErrorRate = {
  ...{ count: 31, of: 400, overMs: 300_000, from: 'answers' },
  last: 'RuntimeError: shared memory is gone',
};

export const FALL: Fall = {
  before: { ...GOOD_DRAFTS, of: 'traffic' },
  after: { ...LOST_DRAFTS, of: 'traffic' },
  floor: 2,
};

export const DEATH: EngineDeath = { at: T0 + 10_000_000, how: 'log', cause: OOM };

/** A trouble that was seen two days ago, and noted the day after. */
export const BEFORE: Before = {
  earlier: {
    ...{ name: 'kpro5-1', host: 'kpro5', at: T0 - 2 * 86_400_000, thread: { channel: 'C0OPS', ts: '1.1' } },
    link: 'https://example.slack.com/archives/C0OPS/p1',
  },
  note: { text: 'Copy the good `config.json` over, then restart.', by: 'U0BOB', byName: 'Bob', at: T0 - 86_400_000 },
};

/** A run that was asked for at T0, started 2 s later, and is in the given state. */
export function sampleRun(changes: Partial<Run>, request: Partial<ServeRequest> = {}): Run {
  return {
    request: { ...REQUEST, ...request },
    target: null,
    training: null,
    phase: 'loading',
    visits: [{ phase: 'queued', at: T0 }],
    waiting: null,
    turnAt: null,
    checks: null,
    placement: null,
    started: STARTED,
    reading: emptyReading('serve'),
    progress: null,
    tree: [],
    pulse: 'moving',
    readiness: null,
    verification: null,
    vitals: null,
    failure: null,
    attempted: true,
    stopBy: null,
    confirmed: null,
    signalledAt: null,
    stop: null,
    lost: null,
    heard: T0 + 60_000,
    seenAt: T0 + 60_000,
    gapAt: null,
    work: NO_WORK,
    worthless: [],
    notices: [],
    restarts: 0,
    adoptedAt: null,
    ...changes,
  };
}

/** A training that was asked for at T0, started 2 s later, and is in the given state. */
export function sampleTraining(changes: Partial<Run>, request: Partial<TrainRequest> = {}): Run {
  const { address: _address, kind: _kind, ...asked } = REQUEST;
  return {
    ...sampleRun({}),
    request: {
      ...asked,
      kind: 'train',
      name: 'trainer-1',
      host: 'trainer',
      recipe: 'drafter',
      argv: ['bash', '/workspace/dflash/train.sh'],
      gpus: ['0', '1', '2', '3'],
      address: null,
      targetLog: '/workspace/dflash/logs/vllm.log',
      found: null,
      ...request,
    },
    reading: emptyReading('train'),
    phase: 'training',
    ...changes,
  };
}

/** Visits at seconds after T0, in the order given. */
export function visits(seconds: Partial<Record<Run['phase'], number>>): PhaseVisit[] {
  const all: Run['phase'][] = ['queued', 'checking', 'launched', 'configuring', 'connecting', 'loading', 'compiling'];
  const rest: Run['phase'][] = ['kv_cache', 'capturing', 'verifying', 'ready', 'failed', 'stopped', 'lost'];
  return [...all, ...rest].flatMap((phase) => {
    const second = seconds[phase];
    return second === undefined ? [] : [{ phase, at: T0 + second * 1000 }];
  });
}

export function event(body: RunEventBody, second: number): RunEvent {
  return { seq: 1, at: T0 + second * 1000, seen: T0 + second * 1000, ...body };
}

export const VIEW = {
  requesterName: 'Alice',
  stopperName: 'Bob',
  hostLine: 'ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log',
};
