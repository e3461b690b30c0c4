import { describe, expect, test } from 'vitest';
import type { Started } from '../../src/host/launch.ts';
import type { Pid } from '../../src/host/process.ts';
import type { Sample } from '../../src/host/sample.ts';
import type { LogEvent } from '../../src/log/events.ts';
import { SILENCE_MS } from '../../src/pulse/budgets.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { TrainRequest } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { newRun, stepAll } from '../../src/run/step.ts';

const T0 = Date.UTC(2026, 10, 30, 7, 0, 0);
const STARTED: Started = {
  main: { pid: 10, start: 1 },
  session: 9,
  bootId: 'b',
  init: 1,
  log: '/w/run.log',
  movedLog: null,
  preludeShell: null,
  warnings: [],
  at: T0,
};
const REQUEST: TrainRequest = {
  kind: 'train',
  id: 'vigil-trainer-1',
  name: 'trainer-1',
  host: 'trainer',
  recipe: 'drafter',
  argv: ['bash', 'train.sh'],
  log: '/w/run.log',
  gpus: ['0'],
  address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
  targetLog: '/w/vllm.log',
  stopGrace: 120,
  by: 'U0ALICE',
  channel: 'C0OPS',
  at: T0,
  found: null,
};
const SERVERS: readonly Pid[] = [
  { pid: 20, start: 2 },
  { pid: 21, start: 3 },
];

function at(ms: number): { at: number; seen: number } {
  return { at: T0 + ms, seen: T0 + ms };
}

function log(ms: number, events: readonly LogEvent[], more: { source?: 'target'; isOld?: boolean } = {}): Observation {
  const clock = { now: T0 + ms, zoneMinutes: 0 };
  return { kind: 'log', source: 'main', isOld: false, events, clock, ...more, ...at(ms) };
}

function phase(name: Extract<LogEvent, { kind: 'phase' }>['phase']): LogEvent {
  return { kind: 'phase', phase: name, line: 1, stamp: null };
}

function record(step: number, loss: number | string = 5.1): LogEvent {
  const values = { step, epoch: 0, loss, accuracy: 0.2, tokensPerSecond: 5000 };
  return { kind: 'record', record: values, line: 2, stamp: null };
}

function trouble(message: string, source?: 'record'): LogEvent {
  const plain = { line: 30, type: null, process: null, pid: null, message, traceback: null };
  const one = source === undefined ? plain : { ...plain, source };
  return { kind: 'trouble', trouble: one, line: 30, stamp: null };
}

function server(ms: number, running: readonly Pid[], answers: boolean | null, pids = SERVERS): Observation {
  return { kind: 'target', pids, running, isDeserted: false, answers, ...at(ms) };
}

function sample(ms: number): Observation {
  const base: Sample = {
    ...{ at: T0 + ms, bootId: 'b', init: 1, alive: true, exit: null },
    ...{ logSize: 0, tree: null },
  };
  return { kind: 'sample', sample: base, ...at(ms) };
}

/** Samples as they come, up to that time. */
function samples(from: number, to: number): Observation[] {
  return Array.from({ length: Math.ceil((to - from) / 20_000) }, (_, index) => sample(from + index * 20_000));
}

const USED = { cpuTicks: 1, minorFaults: 2, majorFaults: 3, rssPages: 4, readBytes: 5, writeBytes: null, readChars: 6 };

function exited(ms: number, code: number): Observation {
  return { kind: 'exited', exit: { code, signal: null, at: T0 + ms }, tail: [], ...at(ms) };
}

const LAUNCHED: Observation = { kind: 'launched', started: STARTED, ...at(0) };

function fed(...observations: Observation[]): { run: Run; told: string[] } {
  const { run, happened } = stepAll(newRun(REQUEST), [LAUNCHED, ...observations]);
  return { run, told: happened.slice(1).map((event) => event.kind) };
}

describe('a training', () => {
  test('has started at its first metric record, not when its log says so', () => {
    const said = fed(log(1000, [phase('preparing'), phase('training')]));
    expect(said.run.phase).toBe('preparing');
    const made = fed(log(1000, [phase('preparing'), phase('training')]), log(2000, [record(0)]));
    expect(made.run.phase).toBe('training');
    expect(made.told).toEqual(['phase', 'training']);
  });

  test('goes between training and saving without a word in the thread', () => {
    const saving = [record(0), phase('checkpointing')];
    const { run, told } = fed(log(1000, saving), log(2000, [record(1)]), log(3000, [phase('checkpointing')]));
    expect(run.phase).toBe('checkpointing');
    expect(run.visits.map((visit) => visit.phase).slice(-4)).toEqual([
      'training',
      'checkpointing',
      'training',
      'checkpointing',
    ]);
    expect(told).toEqual(['training']);
  });

  test('goes from phase to phase as its log does: data may be prepared before the target server starts', () => {
    const { run, told } = fed(log(1000, [phase('preparing'), phase('target_starting'), phase('target_ready')]));
    expect(run.visits.map((visit) => visit.phase).slice(2)).toEqual(['preparing', 'target_starting', 'target_ready']);
    expect(told).toEqual(['phase', 'phase', 'phase']);
    expect(fed(log(1000, [phase('preparing'), record(0), phase('target_ready')])).run.phase).toBe('training');
  });

  test('has finished when its log shows the end and its process is gone with 0', () => {
    const end: LogEvent[] = [phase('training'), record(7), phase('finished'), { kind: 'done', line: 9, stamp: null }];
    const { run, told } = fed(log(1000, end), exited(2000, 0));
    expect(run.phase).toBe('finished');
    expect(told).toEqual(['training', 'finished']);
  });

  test('has failed when its process is gone without the end, though with 0', () => {
    const { run } = fed(log(1000, [phase('training'), record(7)]), exited(2000, 0));
    expect(run.phase).toBe('failed');
  });

  test('is told once to be worthless when its loss is nan, while it goes on', () => {
    const nan = [record(5, 'nan'), trouble('train/loss=nan', 'record')];
    const { run, told } = fed(log(1000, [record(4)]), log(2000, nan), log(3000, nan));
    expect(run.phase).toBe('training');
    expect(told).toEqual(['training', 'trouble']);
  });

  test('may be as silent as its records are far apart, and says when it moves again', () => {
    const minute = 60_000;
    const slow = [0, 4, 8].map((minutes, step) => log(minutes * minute, [record(step)]));
    expect(fed(...slow, ...samples(8 * minute, 9 * minute + SILENCE_MS)).told).toEqual(['training']);
    const silent = samples(8 * minute, 29 * minute);
    expect(fed(...slow, ...silent).told).toEqual(['training', 'pulse']);
    const moving = fed(...slow, ...silent, log(30 * minute, [record(3)]));
    expect(moving.told).toEqual(['training', 'pulse', 'pulse']);
    expect(moving.run.work.alarm).toBeNull();
  });

  test('that was found tells no history, only what comes after it', () => {
    const history = log(1000, [phase('target_starting'), phase('preparing'), record(3)], { isOld: true });
    const { run, told } = fed(history, log(2000, [record(4), phase('checkpointing')]));
    expect(run.training?.last.record.step).toBe(4);
    expect(told).toEqual([]);
    expect(run.visits.map((visit) => visit.phase)).toEqual(['queued', 'training', 'checkpointing']);
  });
});

test('a training that was found before it made a step is told to have started when it does', () => {
  const history = log(1000, [phase('target_starting'), phase('preparing')], { isOld: true });
  expect(fed(history, log(2000, [record(0)])).told).toEqual(['training']);
});

test('a found training that was interrupted on its host has stopped; of one that Vigil launched that is a failure', () => {
  const interrupted: LogEvent = { kind: 'shutdown', line: 5, stamp: null };
  const seen = [log(1000, [phase('training'), record(7), interrupted])];
  const gone: Observation = { kind: 'exited', exit: null, tail: [], ...at(2000) };
  const process = { pid: 10, group: 10, user: 'root', command: 'bash train.sh', server: null };
  const found = { process, size: 0, trigger: null, answered: false };
  const byHand = newRun({ ...REQUEST, by: '', found });
  expect(stepAll(byHand, [LAUNCHED, ...seen, gone]).run.phase).toBe('stopped');
  expect(fed(...seen, exited(2000, 0)).run.phase).toBe('failed');
});

test('a stop keeps in mind every process that it has to prove gone, and gives its first signal once', () => {
  const tree = (ms: number, ...pids: Pid[]): Observation => {
    const looked = { at: T0 + ms, bootId: 'b', init: 1, alive: true, exit: null, logSize: 0 };
    return { kind: 'sample', sample: { ...looked, tree: pids.map((pid) => ({ ...pid, ...USED })) }, ...at(ms) };
  };
  const asked: Observation = { kind: 'stop_asked', by: 'U0ALICE', confirmed: null, ...at(2000) };
  const signalled = [2100, 9000].map((ms): Observation => ({ kind: 'stop_signalled', ...at(ms) }));
  const { run } = fed(tree(1000, ...SERVERS), asked, ...signalled, tree(3000, { pid: 10, start: 1 }));
  expect([...run.tree].sort((a, b) => a.pid - b.pid)).toEqual([{ pid: 10, start: 1 }, ...SERVERS]);
  expect(run.signalledAt).toBe(T0 + 2100);
});

describe('the target server of a training', () => {
  const coming = [
    log(1000, [phase('target_starting')]),
    log(2000, [phase('loading')], { source: 'target' }),
    server(3000, SERVERS, false),
  ];

  test('has its own phases told inside target_starting, and is ready when it answers', () => {
    const { run, told } = fed(...coming, server(4000, SERVERS, true), server(5000, SERVERS, true));
    expect(run.phase).toBe('target_ready');
    expect(told).toEqual(['phase', 'target_phase', 'phase']);
  });

  test('is told to be down, once, at the second look in a row that finds its processes gone', () => {
    expect(fed(...coming, server(4000, [], false)).run.target?.down).toBeNull();
    const looks = [4000, 5000, 6000].map((ms) => server(ms, [], false));
    const { run, told } = fed(...coming, ...looks);
    expect(run.target?.down).toMatchObject({ evidence: 'process', isAsked: false });
    expect(told).toEqual(['phase', 'target_phase', 'target_down']);
    expect(run.phase).toBe('target_starting');
  });

  test('is down when its port refuses twice in a row after it had answered, where no process can be seen', () => {
    const answering = [server(4000, [], true, []), server(5000, [], false, [])];
    expect(fed(...answering).told).toEqual(['phase']);
    const { told } = fed(...answering, server(6000, [], false, []));
    expect(told).toEqual(['phase', 'target_down']);
  });

  test('is down when nobody writes its log, though it died before anybody looked at it', () => {
    const unseen = [0, 1].map((look) => ({ ...server(3000 + look, [], false, []), isDeserted: true }) as Observation);
    const said = [log(1000, [phase('target_starting')]), log(2000, [phase('configuring')], { source: 'target' })];
    expect(fed(...said, ...unseen).told).toContain('target_down');
    expect(fed(...said.slice(0, 1), ...unseen).told).not.toContain('target_down');
  });

  test('carries the reason from its own log into the end of the training', () => {
    const dead = log(3500, [trouble('AssertionError: DP adjusted local rank 3 is out of bounds')], {
      source: 'target',
    });
    const { run } = fed(...coming, dead, server(4000, [], false), server(5000, [], false), exited(600_000, 1));
    expect(run.target?.down?.cause?.category).toBe('gpu_count_mismatch');
    expect(run.phase).toBe('failed');
  });

  test('is no alarm when the script ends it in good order, or when the training is over or being stopped', () => {
    const shutdown: LogEvent = { kind: 'shutdown', line: 3, stamp: null };
    const gone = [server(4000, [], false), server(5000, [], false)];
    const asked = fed(...coming, log(3500, [shutdown], { source: 'target' }), ...gone);
    expect(asked.told).not.toContain('target_down');
    expect(asked.run.target?.down?.isAsked).toBe(true);
    const stopped: LogEvent = { kind: 'fact', key: 'target_stopped', value: true, line: 3, stamp: null };
    expect(fed(...coming, log(3500, [stopped]), ...gone).told).not.toContain('target_down');
    const done = fed(...coming, log(3500, [{ kind: 'done', line: 9, stamp: null }]), ...gone);
    expect(done.told).not.toContain('target_down');
    const stopping: Observation = { kind: 'stop_asked', by: 'U0ALICE', confirmed: null, ...at(3600) };
    expect(fed(...coming, stopping, ...gone).told).not.toContain('target_down');
    const late = fed(...coming, server(4000, [], false), log(4500, [shutdown], { source: 'target' }), ...gone);
    expect(late.told).not.toContain('target_down');
  });

  test('is down when its first process is gone and the port refuses, though its workers linger', () => {
    const answering = [...coming, server(4000, SERVERS, true)];
    expect(fed(...answering, server(5000, SERVERS.slice(1), true)).run.target?.down).toBeNull();
    const refusing = [5000, 6000].map((ms) => server(ms, SERVERS.slice(1), false));
    expect(fed(...answering, ...refusing).run.target?.down?.evidence).toBe('process');
  });

  test('is not blamed by the log while it is watched: the next look says whether it died', () => {
    const zero = [record(9, 0), trouble('train/loss=0.00e+00, train/full_acc=0.00e+00, global_step=9')];
    const training = [...coming, server(4000, SERVERS, true), log(5000, [record(8)]), log(6000, zero)];
    expect(fed(...training).told).not.toContain('trouble');
    const gone = [server(7000, [], false), server(8000, [], false)];
    expect(fed(...training, ...gone).told.slice(-1)).toEqual(['target_down']);
    expect(fed(...training, server(7000, SERVERS, true)).told.slice(-1)).toEqual(['trouble']);
  });

  test('is not down while it answers, whoever writes its log', () => {
    const answering = [0, 1, 2].map(
      (look) => ({ ...server(4000 + look, [], true, []), isDeserted: true }) as Observation,
    );
    expect(fed(...coming, ...answering).told).not.toContain('target_down');
  });

  test('keeps no silence of the trainer from being told: our own questions stand in its log', () => {
    const asked = Array.from({ length: 40 }, (_, index) =>
      log(10_000 + index * 10_000, [phase('configuring')], { source: 'target' }),
    );
    const { told } = fed(...coming, log(5000, [record(1)]), ...asked, ...samples(10_000, 410_000));
    expect(told).toContain('pulse');
  });

  test('is told to be back when a new one runs', () => {
    const again: Pid[] = [{ pid: 40, start: 9 }];
    const gone = [server(4000, [], false), server(5000, [], false)];
    const { run, told } = fed(...coming, ...gone, server(9000, again, true, again));
    expect(told.slice(-1)).toEqual(['target_back']);
    expect(run.target?.down).toBeNull();
  });
});
