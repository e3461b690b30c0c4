/** Nights in which nobody should be called, and those in which somebody must: what a pulse gets wrong most easily. */

import { describe, expect, test } from 'vitest';
import type { ProcessLook } from '../../src/host/sample.ts';
import type { Evidence } from '../../src/pulse/evidence.ts';
import type { RasView } from '../../src/pulse/look.ts';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { log, phaseLine, record, replay, type Scene, sample } from './replay.ts';
import { evidence, hungRanks, look, worker } from './samples.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MIB = 1_048_576;

/** Two workers, of which the second has used so much by then. */
const workers = (at: number, used: Partial<ProcessLook>): Evidence =>
  evidence(at, [worker(1182), worker(1183, used)], look(at));
const idle = (at: number): Evidence => workers(at, {});
const computing = (at: number): Evidence => workers(at, { cpuTicks: at / 10 });
/** 100 % of a GPU and of a core. */
const evaluating = (at: number): Evidence => {
  const gpus = [{ uuid: 'GPU-0', index: '0', usedMib: 3021, utilization: 100 }];
  return { ...computing(at), look: look(at, { gpus }) };
};

/** Samples without a gap between them. */
function watched(from: number, to: number): Observation[] {
  return Array.from({ length: (to - from) / (20 * SECOND) }, (_, index) => sample(from + (index + 1) * 20 * SECOND));
}

/** Ten minutes with a record every ten seconds. */
function steps(fromMinute: number): Observation[] {
  return Array.from({ length: 60 }, (_, index) => log((fromMinute + index / 6) * MINUTE, record(fromMinute + index)));
}

describe('nobody is called', () => {
  test.each<[string, Omit<Scene, 'seen' | 'forMs'> & { minutes: number; seen: (at: number) => Evidence }, string[]]>([
    [
      'for one look without use, in a compile that is busy before and after',
      {
        phase: 'compiling',
        everyMs: 15_000,
        minutes: 12,
        // A compiler that waits for another's lock for half of every two minutes.
        seen: (at) => workers(at, { cpuTicks: (at - (at % (2 * MINUTE) < MINUTE ? 0 : 20_000)) / 10 }),
      },
      ['busy'],
    ],
    [
      'as if it stood still, of a compile on a host that is so busy that it gets next to no CPU',
      {
        phase: 'compiling',
        minutes: 12,
        seen: (at) => {
          const states = [{ pid: 1183, start: 11_830, state: 'R', wchan: '', name: 'python' }];
          return { ...workers(at, { cpuTicks: at / 200 }), look: look(at, { states }) };
        },
      },
      ['busy'],
    ],
    [
      'for each validation of a training, once one has gone well',
      {
        phase: 'training',
        kind: 'train',
        minutes: 60,
        seen: evaluating,
        later: [...steps(10), ...steps(30), ...steps(50)],
      },
      ['busy', 'busy!', 'moving'],
    ],
    [
      'for rank 0 that evaluates while the others wait for it',
      {
        phase: 'training',
        kind: 'train',
        minutes: 7,
        seen: (at) => {
          const ras: RasView = {
            troubles: [],
            mismatches: [
              {
                ...{ communicator: 'c', operation: 'AllReduce', lowest: 90, highest: 91 },
                ranks: [
                  { rank: 0, count: 90, pid: 1183, gpu: '0' },
                  { rank: 1, count: 91, pid: 1182, gpu: '1' },
                ],
              },
            ],
          };
          const { tree, look: seen } = evaluating(at);
          return evidence(at, tree, { ...look(at), gpus: seen?.gpus ?? null, ras });
        },
      },
      ['busy'],
    ],
  ])('%s', (_name, { minutes, ...scene }, told) => {
    expect(replay({ ...scene, forMs: minutes * MINUTE }).told).toEqual(told);
  });

  test('before the second record of a trainer that writes one every ten minutes, where the first took as long', () => {
    const first = replay({ phase: 'preparing', kind: 'train', forMs: 10 * MINUTE, seen: evaluating }).run;
    const { run } = stepAll(first, [log(10 * MINUTE, record(1)), ...watched(10 * MINUTE, 10.1 * MINUTE)]);
    expect(run.phase).toBe('training');
    const { told } = replay({ from: run, phase: 'training', forMs: 20 * MINUTE, seen: evaluating });
    expect(told).toEqual(['busy']);
  });

  test('again and again for a network share that comes and goes: each time the wait is twice as long', () => {
    const seen = (at: number) => workers(at, { readBytes: Math.floor(at / (6 * MINUTE)) * 1000 * MIB });
    const { told } = replay({ phase: 'loading', forMs: 8 * 60 * MINUTE, seen });
    expect(told.filter((one) => one === 'stuck!').length).toBeLessThan(12);
  });

  test('by every checkpoint anew: that it saves in silence is told once a training', () => {
    const seen = (at: number) => workers(at, { writeBytes: (at / SECOND) * 80 * MIB });
    const later = [0, 20, 40].flatMap((minute) => [
      ...steps(minute),
      log((minute + 10.5) * MINUTE, phaseLine('checkpointing')),
    ]);
    expect(replay({ phase: 'training', kind: 'train', forMs: 60 * MINUTE, seen, later }).told).toEqual(['quiet']);
  });
});

describe('somebody is called', () => {
  test('of a run that hangs while the kernel takes its memory for others', () => {
    const seen = (at: number) => evidence(at, [worker(1182, { rssPages: 1_400_000 - at })], look(at));
    expect(replay({ phase: 'loading', forMs: 5 * MINUTE, seen }).told).toEqual(['stuck!']);
  });

  test('of a rank that is stopped while the others spin, as soon as the budget is over', () => {
    const states = [{ pid: 1183, start: 11_830, state: 'T', wchan: 'do_signal_stop', name: 'python' }];
    const seen = (at: number): Evidence => {
      const { tree, look: spinning } = hungRanks(at, null);
      return evidence(at, tree, look(at, { gpus: spinning?.gpus ?? null, states }));
    };
    expect(replay({ phase: 'compiling', forMs: 4 * MINUTE, seen }).told).toEqual(['stuck!']);
  });

  test('of ranks that wait where several groups differ: the rank that itself waits for nobody', () => {
    const mismatch = (communicator: string, behind: number, ahead: number, by: number) => ({
      ...{ communicator, operation: 'AllReduce', lowest: 90, highest: 90 + by },
      ranks: [
        { rank: 0, count: 90, pid: behind, gpu: '0' },
        { rank: 1, count: 90 + by, pid: ahead, gpu: '1' },
      ],
    });
    // 1182 waits for 1183 in one group; 1184, far ahead in the other, for 1182.
    const ras = { troubles: [], mismatches: [mismatch('tensor', 1183, 1182, 1), mismatch('data', 1182, 1184, 20)] };
    const { run } = replay({ phase: 'training', kind: 'train', forMs: 6 * MINUTE, seen: (at) => hungRanks(at, ras) });
    expect(run).toMatchObject({ pulse: 'stuck', work: { culprit: { pid: 1183 } } });
  });
});

describe('time that nobody watched', () => {
  const loading = replay({ phase: 'loading', forMs: 50 * SECOND, seen: idle }).run;
  const HOUR = 60 * MINUTE;

  test('is no silence to learn from', () => {
    const { run, happened } = stepAll(loading, [log(8 * HOUR)]);
    expect(run.work.silences).toContainEqual({ phase: 'loading', ms: 50 * SECOND });
    expect(happened).toEqual([]);
  });

  test('is no time without work either', () => {
    const seen = (at: number) => workers(at, { readBytes: at < 2 * HOUR ? at * 30_000 : 0, cpuTicks: at / 10 });
    const { run } = replay({ phase: 'compiling', forMs: 29 * MINUTE, seen });
    expect(run.pulse).toBe('quiet');
    const back = stepAll(run, [sample(3 * HOUR)]).run;
    expect(replay({ from: back, phase: 'compiling', forMs: 3 * HOUR + 5 * MINUTE, seen }).told).toEqual(['busy']);
  });

  test('and a clock that is set back does not silence the pulse until it has come there again', () => {
    const late = stepAll(loading, [sample(-2 * HOUR)]).run;
    const seen = (at: number) => idle(at);
    expect(replay({ from: late, phase: 'loading', forMs: -2 * HOUR + 3 * MINUTE, seen }).told).toEqual(['stuck!']);
  });
});
