/** Runs as the core makes them, for tests of what people read. */

import type { Cause } from '../../src/diagnosis/cause.ts';
import { emptyReading } from '../../src/log/reading.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import type { ServeRequest, TrainRequest } from '../../src/run/request.ts';
import type { PhaseVisit, Run, RunEvent, RunEventBody } from '../../src/run/run.ts';

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
