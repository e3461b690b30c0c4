import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/pulse/evidence.ts';
import type { PaceRecord } from '../../src/pulse/pace.ts';
import { parseRas } from '../../src/pulse/ras.ts';
import { renderCard } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import { trimStack } from '../../src/report/stack.ts';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { log, replay, type Scene } from '../pulse/replay.ts';
import { evidence, hungRanks, look, RAS_TEXT, worker } from '../pulse/samples.ts';
import { plainMessage } from '../support/plain.ts';
import { VIEW } from './sample-run.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GIB = 1024 ** 3;
const RAS = parseRas(RAS_TEXT, [1182, 1183]);

/** What the thread shows of a scene, and the first two lines of its card. */
function thread(scene: Scene, ...more: readonly Observation[]): string {
  const { run, happened } = replay(scene);
  const step = stepAll(run, more);
  const replies = [...happened, ...step.happened].flatMap((event) => {
    const reply = renderReply({ seq: 1, ...event }, step.run, VIEW);
    return reply === null ? [] : [`${reply.broadcast === true ? '(channel) ' : ''}${plainMessage(reply)}`];
  });
  const card = renderCard(step.run, VIEW);
  return [...replies, `CARD ${plainMessage(card).split('\n').slice(0, 2).join('\n')}`].join('\n---\n');
}

function idle(at: number): Evidence {
  const gpus = [{ uuid: 'GPU-0', index: '0', usedMib: 9000, utilization: 0 }];
  return evidence(at, [worker(1182), worker(1183)], look(at, { gpus }));
}

const HUNG: Scene = { phase: 'training', kind: 'train', forMs: 5 * MINUTE + SECOND, seen: (at) => hungRanks(at, RAS) };

describe('the thread', () => {
  test('of a silent load says how it is seen to work, and that there is nothing to do', () => {
    const seen = (at: number): Evidence => {
      const gpus = [{ uuid: 'GPU-0', index: '0', usedMib: 21_504 + at / 5, utilization: 0 }];
      return evidence(at, [worker(1183, { readBytes: at * 1_900_000 })], look(at, { gpus }));
    };
    expect(thread({ phase: 'loading', forMs: 70 * SECOND, seen })).toMatchInlineSnapshot(`
      "No log line for 1 min while loading weights, but it works: reading 1.9 GB/s, GPU memory 30.8 → 31.7 GiB. Nothing to do.
      ---
      CARD ⏳ Loading weights, quiet (reading 1.9 GB/s, GPU memory 33.7 → 34.7 GiB): dflash on kpro5 (kpro5-3)
      Step 2, 2 min 10 s since the command"
    `);
  });

  test('of a download that takes hours says so, and what may help', () => {
    const seen = (at: number): Evidence => {
      const folders = [
        { role: 'download', path: 'Qwen/Qwen3-8B', bytes: 12.3e9 + at * 200, total: 55.6e9, isPartial: true },
      ] as const;
      return { ...idle(at), look: look(at, { folders }) };
    };
    expect(thread({ phase: 'downloading', forMs: 70 * SECOND, seen })).toContain(
      'but it works: downloading 12.3 of 55.6 GB, 200 kB/s, about 2 d 12 h left. At this speed that takes hours: with HF_TOKEN set it may be faster.',
    );
  });

  test('of a hung rank names the rank that is behind, and not the one that spins', () => {
    expect(thread(HUNG)).toMatchInlineSnapshot(`
      "(channel) trainer-1 (drafter): stuck for 5 min in training: no log line, nothing read or written, GPU memory unchanged, 1.0 CPU cores, GPU at 100 %.
      Rank 1 (pid 1183, GPU 1) is behind: 90 AllReduce operations launched, the others up to 93. The ranks that are ahead wait for it: their 100 % of CPU and GPU is no work, and whatever error follows will be theirs. Look at this rank first: its data, its GPU (dmesg -T | grep -i xid), its stack.
      /dflash logs trainer-1 shows its last lines, /dflash stop trainer-1 ends it. Vigil goes on looking, and says when it moves.
      ---
      CARD 🚨 Stuck for 5 min 1 s (training step 3): drafter on trainer (trainer-1)
      step 3, loss 1, 10 s a step"
    `);
  });

  test('of a rank on another host names that host, whose process this one can’t show', () => {
    const ras = parseRas(RAS_TEXT.replaceAll(/(process 1183 on node) \S+/g, '$1 192.0.2.3'), [1182]);
    const shown = thread({ ...HUNG, seen: (at) => hungRanks(at, ras) });
    expect(shown).toContain('Rank 1 (pid 1183 on 192.0.2.3, GPU 1) is behind');
  });

  test('of ranks that only spin calls that the sign of a rank that waits', () => {
    const seen = (at: number) => hungRanks(at, null);
    expect(thread({ phase: 'connecting', forMs: 4 * MINUTE, seen })).toMatchInlineSnapshot(`
      "No log line for 1 min while connecting the GPUs: busy (1.0 CPU cores, GPU at 100 %). That may be work, or waiting. Nothing to do yet: it becomes an alarm once it has gone on for 3 min.
      ---
      kpro5-3 (dflash): busy for 3 min in connecting, 1.0 CPU cores, GPU at 100 %, nothing read, written or loaded: the sign of a rank that waits.
      Usual reasons in connecting:
      • GPU peer-to-peer copies that the host cannot do (IOMMU, ACS, a virtual machine): NCCL or the all-reduce check waits for ever → try once with NCCL_P2P_DISABLE=1 and --disable-custom-all-reduce; then turn off IOMMU and ACS in the BIOS.
      • NCCL or Gloo took an interface that leads nowhere (docker0, a VPN) → set NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME, and VLLM_HOST_IP; NCCL_DEBUG=INFO tells which was taken.
      • /dev/shm is too small (a container without --shm-size) → see df -h /dev/shm; give it some GB.
      • A rank that never came: it died, or its GPU hangs → look for a traceback of another rank above in the log, and for Xid in dmesg -T.
      /vllm logs kpro5-3 shows its last lines, /vllm stop kpro5-3 ends it. Vigil goes on looking, and says when it moves.
      ---
      CARD ⚠️ Busy for 4 min, perhaps waiting (connecting the GPUs): dflash on kpro5 (kpro5-3)
      Step 2, 5 min since the command"
    `);
  });

  test('of a download that stalls says what came, and why such a thing happens', () => {
    const seen = (at: number): Evidence => {
      const bytes = 12.3e9 + Math.min(at, 30_000) * 350_000;
      const folders = [{ role: 'download', path: 'Qwen/Qwen3-8B', bytes, total: 55.6e9, isPartial: true }] as const;
      return { ...idle(at), look: look(at, { folders }) };
    };
    expect(thread({ phase: 'downloading', forMs: 3 * MINUTE, seen })).toMatchInlineSnapshot(`
      "kpro5-3 (dflash): stuck for 30 s in downloading: no log line, the download stands at 22.8 of 55.6 GB, nothing read or written, 0.0 CPU cores.
      Usual reasons in downloading:
      • The hub holds back who comes without a token, or the network drops the transfer → set HF_TOKEN, stop, and fetch the model first with hf download MODEL; it goes on where it stopped.
      • Another process holds the download’s lock → look who has a file below the hub cache’s .locks open (fuser), and let it finish or end it.
      • A full disk → see df -h for the folder that it writes to.
      /vllm logs kpro5-3 shows its last lines, /vllm stop kpro5-3 ends it. Vigil goes on looking, and says when it moves.
      ---
      CARD 🚨 Stuck for 2 min 30 s (downloading weights): dflash on kpro5 (kpro5-3)
      ▰▰▰▰▱▱▱▱▱▱ 41 %"
    `);
  });

  test('of a download that stood before anybody looked says where it stands, though the log calls it loading', () => {
    const folders = [{ role: 'download', path: 'Qwen/Qwen3-8B', bytes: 3.2e9, total: null, isPartial: true }] as const;
    const seen = (at: number): Evidence => ({ ...idle(at), look: look(at, { folders }) });
    const shown = thread({ phase: 'loading', forMs: 3 * MINUTE, seen });
    expect(shown).toContain('stuck for 1 min in loading: no log line, the download stands at 3.2 GB, nothing read');
    expect(shown).toContain('Usual reasons in downloading:');
  });

  test('of CPU alone in use doesn’t speak of a rank that waits', () => {
    const seen = (at: number) => ({ ...idle(at), tree: [worker(1182, { cpuTicks: at / 2 }), worker(1183)] });
    const shown = thread({ phase: 'compiling', forMs: 31 * MINUTE, seen });
    expect(shown).toContain(
      'nothing read, written or loaded: only CPU is in use, by a slow compiler or by what waits.',
    );
  });

  test('of a run that stands still again doesn’t give all the reasons again', () => {
    const seen = (at: number) => evidence(at, [worker(1183, { readBytes: Math.floor(at / (6 * MINUTE)) * GIB })]);
    const shown = thread({ phase: 'loading', forMs: 9 * MINUTE, seen });
    expect(shown.match(/stuck for/g)).toHaveLength(2);
    expect(shown.match(/Usual reasons/g)).toHaveLength(1);
    expect(shown).toContain('It has stood still here before, and went on: the usual reasons stand further up.');
  });

  test('of a run that hangs after its download is whole doesn’t speak of the download', () => {
    const seen = (at: number): Evidence => {
      const bytes = Math.min(50e9 + at * 350_000, 55.7e9);
      const folders = [{ role: 'download', path: 'Qwen/Qwen3-8B', bytes, total: 55.6e9, isPartial: true }] as const;
      return { ...idle(at), look: look(at, { folders }) };
    };
    const later = [log(40 * SECOND), log(45 * SECOND)];
    const shown = thread({ phase: 'loading', budgets: { loading: 10 }, forMs: 3 * MINUTE, seen, later });
    expect(shown).toContain('stuck for');
    expect(shown).not.toContain('the download stands');
  });

  test('of a run that moves again says so, once', () => {
    const moved = thread({ phase: 'loading', forMs: 2 * MINUTE, seen: idle }, log(2.5 * MINUTE));
    expect(moved).toContain('The log moves again, after 2 min 30 s.\n---\nCARD ⏳ Loading weights');
  });

  test('where nothing but silence can be seen says only that', () => {
    expect(thread({ phase: 'loading', forMs: 6 * MINUTE })).toMatchInlineSnapshot(`
      "No new log line for 5 min, still loading weights. The process is alive; what it does could not be seen on the host. /vllm logs kpro5-3 shows its last lines.
      ---
      CARD ⏳ Loading weights, silent for 6 min: dflash on kpro5 (kpro5-3)
      Step 2, 7 min since the command"
    `);
  });
});

test('the failure that follows a hang says which rank was behind, whatever the log blames', () => {
  const exit = { code: 1, signal: null, at: 11 * MINUTE };
  const ended = { kind: 'exited', exit, tail: ['[rank0]: watchdog'], at: 11 * MINUTE, seen: 11 * MINUTE } as const;
  const shown = thread(HUNG, log(10 * MINUTE), ended);
  expect(shown).toContain(
    'When it stood still, NCCL showed rank 1 behind the others: 90 of 93 AllReduce operations (pid 1183, GPU 1). Look at that rank first, whatever rank the log blames.',
  );
});

describe('the card', () => {
  const pace: readonly PaceRecord[] = [60, 80, 90, 80].map((seconds, index) => ({
    ...{ run: `run-${index}`, at: 0 },
    phases: [
      { phase: 'loading', ms: seconds * SECOND, silentMs: 7000 },
      { phase: 'compiling', ms: 60 * SECOND, silentMs: 9000 },
    ],
  }));
  const card = (scene: Scene) => plainMessage(renderCard(replay(scene).run, VIEW));

  test('says how long it will take, going by earlier starts', () => {
    expect(card({ phase: 'loading', pace, forMs: 20 * SECOND })).toContain(
      'About 2 min left, ready at about 1970-01-01 00:02 UTC, going by 4 starts',
    );
  });

  test('says that it takes longer than usual once it does', () => {
    const seen = (at: number) => evidence(at, [worker(1, { readBytes: at * GIB })], look(at));
    expect(card({ phase: 'loading', pace, forMs: 90 * SECOND, seen })).toContain(
      'Loading weights takes longer than usual (1 min 20 s in 4 starts)',
    );
  });

  test('shows a download while it comes, before its log is silent for long', () => {
    const folders = (at: number) => [
      { role: 'download', path: 'm', bytes: 12.3e9 + at * 350_000, total: 55.6e9, isPartial: true } as const,
    ];
    const seen = (at: number) => ({ ...idle(at), look: look(at, { folders: folders(at) }) });
    expect(card({ phase: 'downloading', forMs: 20 * SECOND, seen }).split('\n')[0]).toBe(
      '⏳ Downloading weights (19.3 of 55.6 GB, 350 MB/s, about 1 min 40 s left): dflash on kpro5 (kpro5-3)',
    );
  });
});

describe('stacks', () => {
  const PY_SPY = `Process 1183: python3 train.py
Python v3.12.3 (/usr/bin/python3.12)

Thread 1200 (idle): "QueueFeederThread"
    wait (threading.py:359)
    _bootstrap (threading.py:1030)
Thread 1183 (idle): "MainThread"
    __next__ (torch/utils/data/dataloader.py:1480)
    train (train.py:210)
    <module> (train.py:410)
    _run_code (<frozen runpy>:88)
Thread 1201 (active): "pin memory"
    copy (torch/cuda/stream.py:3)
`;

  test('show the main thread first, without the frames that every process has', () => {
    expect(trimStack({ pid: 1183, start: 1, by: 'py-spy', text: PY_SPY })).toMatchInlineSnapshot(`
      "Thread 1183 (idle): "MainThread"
          __next__ (torch/utils/data/dataloader.py:1480)
          train (train.py:210)
          <module> (train.py:410)
      Thread 1201 (active): "pin memory"
          copy (torch/cuda/stream.py:3)"
    `);
  });

  test('say whose they are and why they were taken', () => {
    const stacks = [{ pid: 1183, start: 11_830, by: 'py-spy', text: PY_SPY }] as const;
    const shown = thread(HUNG, { kind: 'stacks', stacks, at: 6 * MINUTE, seen: 6 * MINUTE });
    expect(shown).toContain('Stacks of rank 1 (pid 1183), which the others wait for');
    expect(shown).toContain('    Thread 1183 (idle): "MainThread"\n');
  });

  test('of processes that stand in the same place are shown once', () => {
    const text = 'state S do_epoll_wait\n';
    const stacks = [
      { pid: 1183, start: 11_830, by: 'py-spy', text: PY_SPY },
      { pid: 1182, start: 11_820, by: 'proc', text },
      { pid: 1190, start: 11_900, by: 'proc', text },
    ] as const;
    const shown = thread(HUNG, { kind: 'stacks', stacks, at: 6 * MINUTE, seen: 6 * MINUTE });
    expect(shown).toContain('Processes 1182 and 1190, by /proc alone');
    expect(shown.match(/do_epoll_wait/g)).toHaveLength(1);
  });

  test('of /proc are shown as they are, and bounded', () => {
    const text = 'state S, wchan hrtimer_nanosleep\n';
    expect(trimStack({ pid: 1, start: 1, by: 'proc', text })).toBe(text);
    expect(trimStack({ pid: 1, start: 1, by: 'proc', text: text.repeat(200) }).length).toBeLessThan(1200);
    expect(trimStack({ pid: 1, start: 1, by: 'py-spy', text: 'Error: no Python here' })).toBe('Error: no Python here');
  });
});

test.each([
  [
    { kind: 'silence', silentMs: 300_000, phase: 'loading' },
    'kpro5-3 (dflash): No new log line for 5 min, still loading weights. The process is alive. `/vllm logs kpro5-3` shows its last lines.',
  ],
  [{ kind: 'moving', silentMs: 60_000 }, 'kpro5-3 (dflash): The log moves again, after 1 min.'],
] as const)('an event of a Vigil without a pulse is read and told as it was: %j', (body, expected) => {
  const { run } = replay({ phase: 'loading', forMs: SECOND });
  expect(renderReply({ seq: 1, at: 0, seen: 0, ...body }, run, VIEW)?.text).toBe(expected);
});
