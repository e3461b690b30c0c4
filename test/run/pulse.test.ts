import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/pulse/evidence.ts';
import { wantsLook, wantsStacks } from '../../src/pulse/wants.ts';
import { stateWords } from '../../src/report/words.ts';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { log, phaseLine, record, replay, type Scene, sample } from '../pulse/replay.ts';
import { evidence, look, still, worker } from '../pulse/samples.ts';
import { WELL } from '../report/sample-run.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MIB = 1_048_576;
const GIB = 1024 * MIB;

/** A worker of which a counter grows by so much a second. */
function growing(
  at: number,
  key: 'readBytes' | 'writeBytes' | 'cpuTicks' | 'minorFaults',
  perSecond: number,
): Evidence {
  return evidence(at, [worker(1182), worker(1183, { [key]: (perSecond * at) / SECOND })], look(at));
}

function reading(at: number, readBytes: number): Evidence {
  return evidence(at, [worker(1182), worker(1183, { readBytes })], look(at));
}

function download(at: number, bytes: number, total: number | null = 55 * GIB): Evidence {
  const folder = { role: 'download', path: 'Qwen/Qwen3-8B', bytes, total, isPartial: true } as const;
  return evidence(at, [worker(1182), worker(1183)], look(at, { folders: [folder] }));
}

/** A script that waits in a loop: a new `sleep` and `curl` each time. */
function waitingScript(at: number): Evidence {
  const [sleep, curl] = [worker(at, { cpuTicks: 1 }), worker(at + 1, { readBytes: 9 * MIB, minorFaults: 9000 })];
  return evidence(at, [worker(1182, { rssPages: 900, minorFaults: at / 4 }), sleep, curl], look(at));
}

interface Case extends Omit<Scene, 'forMs'> {
  readonly name: string;
  readonly minutes: number;
  readonly told: readonly string[];
  readonly words: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: 'a slow load from NFS',
    phase: 'loading',
    minutes: 20,
    seen: (at) => growing(at, 'readBytes', 30 * MIB),
    told: ['quiet'],
    words: /^Loading weights, quiet: reading 31 MB\/s$/,
  },
  {
    name: 'a load from the page cache by mmap, where no byte is read from a disk',
    phase: 'loading',
    minutes: 5,
    seen: (at) => growing(at, 'minorFaults', 16_000),
    told: ['quiet'],
    words: /quiet: mapping memory, 66 MB\/s$/,
  },
  {
    name: 'a load that stands still',
    phase: 'loading',
    minutes: 5,
    seen: (at) => evidence(at, [worker(1182), worker(1183)], look(at)),
    told: ['stuck!'],
    words: /^Stuck for 5 min: loading weights$/,
  },
  {
    name: 'a download',
    phase: 'downloading',
    minutes: 2,
    seen: (at) => download(at, 10 * GIB + at * 300_000),
    told: ['quiet'],
    words: /^Downloading weights, quiet: 46\.\d of 59\.1 GB, 300 MB\/s, about 40 s left$/,
  },
  {
    name: 'a download that stalls',
    phase: 'downloading',
    minutes: 5,
    seen: (at) => download(at, 10 * GIB + Math.min(at, 20_000) * 300_000),
    told: ['stuck!'],
    words: /^Stuck for 4 min 4\d s: downloading weights$/,
  },
  {
    name: 'a download that trickles',
    phase: 'downloading',
    minutes: 5,
    seen: (at) => download(at, at * 20, null),
    told: ['quiet'],
    words: /quiet: 6 MB so far, 20 kB\/s$/,
  },
  {
    name: 'a cold compile of a big model',
    phase: 'compiling',
    minutes: 15,
    seen: (at) => growing(at, 'cpuTicks', 780),
    told: ['busy'],
    words: /^Compiling, busy: 7\.8 CPU cores$/,
  },
  {
    name: 'ranks that connect and only spin',
    phase: 'connecting',
    minutes: 5,
    seen: (at) => growing(at, 'cpuTicks', 100),
    told: ['busy', 'busy!'],
    words: /^Busy for 5 min, perhaps waiting: connecting the GPUs$/,
  },
  {
    name: 'a train.sh that waits for its server',
    kind: 'train',
    phase: 'target_starting',
    minutes: 10,
    seen: waitingScript,
    told: ['stuck!'],
    words: /^Stuck for 10 min: starting the target server$/,
  },
  {
    name: 'a trainer whose data comes slowly',
    kind: 'train',
    phase: 'training',
    minutes: 10,
    seen: (at) => growing(at, 'readBytes', 4 * MIB),
    told: ['quiet'],
    words: /^Training step 3, quiet: reading 4 MB\/s$/,
  },
  {
    name: 'a trainer whose data does not come',
    kind: 'train',
    phase: 'training',
    minutes: 10,
    seen: (at) => evidence(at, [worker(1182), worker(1183)], look(at)),
    told: ['stuck!'],
    words: /^Stuck for 10 min: training step 3$/,
  },
  {
    name: 'a trainer that saves for long',
    kind: 'train',
    phase: 'checkpointing',
    minutes: 10,
    seen: (at) => growing(at, 'writeBytes', 80 * MIB),
    told: ['quiet'],
    words: /quiet: writing 84 MB\/s$/,
  },
];

describe('a log that falls silent', () => {
  test.each(CASES)('$name is told as $told', ({ minutes, told, words, ...scene }) => {
    const replayed = replay({ ...scene, forMs: minutes * MINUTE });
    expect(replayed.told).toEqual(told);
    expect(stateWords(replayed.run)).toMatch(words);
  });

  test('for less than its budget is no news', () => {
    const seen = (at: number) => evidence(at, [worker(1182)], look(at));
    expect(replay({ phase: 'loading', forMs: 59 * SECOND, seen }).run).toMatchObject({ pulse: 'moving' });
  });

  test('and is quiet first is stuck when work stops, counted from then', () => {
    const seen = (at: number) => reading(at, Math.min(at, 4 * MINUTE) * 30_000);
    const { told, happened } = replay({ phase: 'loading', forMs: 6 * MINUTE, seen });
    expect(told).toEqual(['quiet', 'stuck!']);
    expect(happened.at(-1)).toMatchObject({ pulse: 'stuck', silentMs: 270_000, stillMs: 30_000 });
  });

  test('and is stuck first moves again when work is seen; what flickers is not told each time', () => {
    const seen = (at: number) => reading(at, Math.floor(at / (2 * MINUTE)) * GIB);
    const { told } = replay({ phase: 'loading', forMs: 9 * MINUTE, seen });
    expect(told).toEqual(['stuck!', 'quiet', 'stuck!', 'quiet']);
  });

  test('asks for evidence at half its budget, a download sooner, and never once it is ready, stopped or unheard of', () => {
    const { run } = replay({ phase: 'loading', forMs: SECOND });
    expect([29, 30].map((second) => wantsLook(run, second * SECOND))).toEqual([false, true]);
    const coming = replay({ phase: 'downloading', forMs: SECOND }).run;
    expect([4, 5].map((second) => wantsLook(coming, second * SECOND))).toEqual([false, true]);
    const without: readonly Observation[] = [
      { kind: 'out_of_contact', why: 'no route', at: 2000, seen: 2000 },
      { kind: 'stop_asked', by: 'U0BOB', confirmed: null, at: 2000, seen: 2000 },
      { kind: 'exited', exit: null, tail: [], at: 2000, seen: 2000 },
      {
        kind: 'verified',
        readiness: { proof: 'socket', model: null, by: 'curl', completion: '' },
        verification: WELL,
        ...{ at: 2000, seen: 2000 },
      },
    ];
    for (const observation of without) expect(wantsLook(stepAll(run, [observation]).run, 9 * MINUTE)).toBe(false);
  });

  test('is known to be silent alone where nobody can look, after five minutes', () => {
    const { told, run } = replay({ phase: 'loading', forMs: 9 * MINUTE });
    expect(told).toEqual(['silent!']);
    expect(stateWords(run)).toBe('Loading weights, silent for 9 min');
  });

  test('is told with more once more can be seen', () => {
    const seen = (at: number) => evidence(at, at < 6 * MINUTE ? null : [worker(1182)], look(at));
    expect(replay({ phase: 'loading', forMs: 8 * MINUTE, seen }).told).toEqual(['silent!', 'stuck!']);
  });
});

describe('when looks fail', () => {
  const blind = (until: number) => (at: number) =>
    at < until ? growing(at, 'readBytes', GIB) : evidence(at, null, look(at));

  test('old evidence is not shown for ever', () => {
    const { told, run } = replay({ phase: 'loading', forMs: 9 * MINUTE, seen: blind(3 * MINUTE) });
    expect(told).toEqual(['quiet', 'silent!']);
    expect(stateWords(run)).toBe('Loading weights, silent for 9 min');
  });

  test('what was seen to stand still is not called silent instead', () => {
    const seen = (at: number) => evidence(at, at < 3 * MINUTE ? [worker(1182)] : null, look(at));
    const { told, run } = replay({ phase: 'loading', forMs: 9 * MINUTE, seen });
    expect([told, run.pulse]).toEqual([['stuck!'], 'stuck']);
  });
});

test('a download that came to a stand is told with how far it came', () => {
  const seen = (at: number) => download(at, 10 * GIB + Math.min(at, 20_000) * 300_000);
  const { happened } = replay({ phase: 'downloading', forMs: 3 * MINUTE, seen });
  expect(happened.at(-1)).toMatchObject({ pulse: 'stuck', arrived: { bytes: 10 * GIB + 6e9, total: 55 * GIB } });
});

test('what samples show of processes does not hide what a look showed of the download', () => {
  const { run } = replay({ phase: 'downloading', forMs: 70 * SECOND, seen: (at) => download(at, at * 300_000) });
  const moved = [{ what: 'written', amount: 9 * MIB, from: null, to: null, total: null }] as const;
  const between = still(72 * SECOND, { overMs: 2000, moved, gpuUse: null });
  const next = stepAll(run, [{ kind: 'motion', motion: between, at: 72 * SECOND, seen: 72 * SECOND }]).run;
  expect(stateWords(next)).toMatch(/quiet: 21\.0 of 59\.1 GB/);
  expect(next.work.movedAt).toBe(72 * SECOND);
});

describe('what a log line does', () => {
  const seen = (at: number) => evidence(at, [worker(1182), worker(1183)], look(at));
  const stuck = replay({ phase: 'loading', forMs: 3 * MINUTE, seen }).run;

  test('ends an alarm, and that is told', () => {
    const { run, happened } = stepAll(stuck, [log(3 * MINUTE + 20 * SECOND)]);
    expect(happened).toMatchObject([{ kind: 'pulse', pulse: 'moving', silentMs: 200 * SECOND, wasAlarm: true }]);
    expect(run).toMatchObject({ pulse: 'moving', work: { alarm: null, motion: null } });
  });

  test('is no news of a run that was only quiet', () => {
    const quiet = replay({ phase: 'loading', forMs: 3 * MINUTE, seen: (at) => growing(at, 'readBytes', GIB) }).run;
    expect(stepAll(quiet, [log(4 * MINUTE)]).happened).toEqual([]);
    expect(stepAll(quiet, [log(4 * MINUTE)]).run.pulse).toBe('moving');
  });

  test('of the next phase makes quiet news again, once', () => {
    const seen = (at: number) => growing(at, 'readBytes', GIB);
    const scene = { phase: 'loading', forMs: 20 * MINUTE, seen } as const;
    const lines = [log(3 * MINUTE), log(6 * MINUTE), log(9 * MINUTE, phaseLine('kv_cache'))];
    expect(replay({ ...scene, later: lines }).told).toEqual(['quiet', 'quiet']);
  });

  test('notes the longest silence of its phase', () => {
    const [first, next, last] = [20, 30, 50].map((second) => 3 * MINUTE + second * SECOND);
    const { run } = stepAll(stuck, [log(first ?? 0), log(next ?? 0, phaseLine('compiling')), log(last ?? 0)]);
    expect(run.work.silences).toEqual(
      expect.arrayContaining([
        { phase: 'loading', ms: 200 * SECOND },
        { phase: 'compiling', ms: 20 * SECOND },
      ]),
    );
  });
});

describe('out of contact', () => {
  const seen = (at: number) => evidence(at, [worker(1182), worker(1183)], look(at));
  const stuck = replay({ phase: 'loading', forMs: 3 * MINUTE, seen }).run;
  const away: Observation = { kind: 'out_of_contact', why: 'no route', at: 4 * MINUTE, seen: 4 * MINUTE };
  const back: Observation = { kind: 'back_in_contact', silentMs: 5000, at: 5 * MINUTE, seen: 5 * MINUTE };

  test('a run keeps what it was', () => {
    expect(stepAll(stuck, [away]).run.pulse).toBe('out_of_contact');
    expect(stepAll(stuck, [away, back]).run.pulse).toBe('stuck');
    expect(stepAll(stuck, [away, log(5 * MINUTE), back]).run.pulse).toBe('moving');
    expect(stepAll(stuck, [back]).happened).toEqual([]);
  });

  test('nothing is judged', () => {
    const motion = { kind: 'motion', motion: still(5 * MINUTE), at: 5 * MINUTE, seen: 5 * MINUTE } as const;
    expect(stepAll(stuck, [away, sample(5 * MINUTE), motion]).run.pulse).toBe('out_of_contact');
  });
});

describe('stacks', () => {
  const seen = (at: number) => evidence(at, [worker(1182), worker(1183)], look(at));
  const scene: Scene = { phase: 'loading', forMs: 3 * MINUTE, seen };
  const stacks = [{ pid: 1183, start: 11_830, by: 'py-spy', text: 'x'.repeat(9000) }] as const;
  const dump: Observation = { kind: 'stacks', stacks, at: 3 * MINUTE, seen: 3 * MINUTE };

  test('are asked for once an alarm, and never before one', () => {
    expect(wantsStacks(replay({ ...scene, forMs: 50 * SECOND }).run)).toEqual([]);
    const { run } = replay(scene);
    expect(wantsStacks(run).map(({ pid }) => pid)).toEqual([1182, 1183]);
    expect(wantsStacks(stepAll(run, [{ ...dump, stacks: [] }]).run)).toEqual([]);
  });

  test('are kept in bounds', () => {
    const { happened } = stepAll(replay(scene).run, [dump]);
    expect(happened).toMatchObject([{ kind: 'stacks', stacks: [{ pid: 1183, text: 'x'.repeat(4096) }] }]);
  });
});

test('the rank that hung is forgotten when the training goes on, and kept when it fails', () => {
  const mismatch = {
    ...{ communicator: 'c', operation: 'AllReduce', lowest: 90, highest: 93 },
    ranks: [{ rank: 1, count: 90, pid: 1183, gpu: '1' }],
  };
  const behind = (at: number): Observation => ({
    ...{ kind: 'motion', motion: still(at, { behind: [mismatch] }) },
    ...{ at, seen: at },
  });
  const { run } = replay({ phase: 'training', kind: 'train', forMs: 6 * MINUTE });
  const hung = stepAll(run, [behind(6 * MINUTE)]).run;
  expect(hung).toMatchObject({ pulse: 'stuck', work: { culprit: { rank: 1 } } });
  const later = { at: 8 * MINUTE, seen: 8 * MINUTE };
  const failed = stepAll(hung, [log(7 * MINUTE), { kind: 'exited', exit: null, tail: [], ...later }]).run;
  expect(failed).toMatchObject({ phase: 'failed', work: { culprit: { rank: 1 } } });
  expect(stepAll(hung, [log(7 * MINUTE, record(4))]).run.work.culprit).toBeNull();
});
