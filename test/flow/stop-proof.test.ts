import { describe, expect, test } from 'vitest';
import { proofOf, type Seen } from '../../src/flow/stop-proof.ts';
import type { GpuUse } from '../../src/host/gpu.ts';
import type { Listener } from '../../src/host/process.ts';
import type { Leftover, Remaining } from '../../src/host/stop.ts';
import { renderCard } from '../../src/report/card.ts';
import type { Run } from '../../src/run/run.ts';
import { newRun } from '../../src/run/step.ts';
import { plainMessage } from '../support/plain.ts';

const REQUEST = {
  kind: 'serve',
  id: 'vigil-kpro5-1a2b',
  name: 'kpro5-3',
  host: 'kpro5',
  recipe: 'dflash',
  argv: ['vllm', 'serve'],
  log: null,
  gpus: ['0', '1'],
  stopGrace: 60,
  by: 'U0ALICE',
  channel: 'C0OPS',
  at: 1,
  address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
  found: null,
} as const;
const RUN: Run = newRun(REQUEST);
const TRAINING: Run = newRun({ ...REQUEST, kind: 'train', targetLog: null });
const TREE = [100, 101, 102].map((pid) => ({ pid, start: 7 }));
const LISTENER = { kind: 'known', pid: 300, command: 'nginx -g daemon', run: null, user: 'bob', since: 5 } as const;

function gpu(index: string, more: Partial<GpuUse> = {}): GpuUse {
  const memory = { totalMib: 49_140, usedMib: 3, freeMib: 48_000, utilization: 0 };
  return { index, uuid: `GPU-${index}`, name: 'RTX A6000', ...memory, isMig: false, migs: [], processes: [], ...more };
}

function computing(pid: number): GpuUse['processes'][number] {
  return { pid, command: 'python', usedMib: 900, user: null, since: null, run: null };
}

type Both = Remaining & Leftover;

function remaining(pid: number, more: Partial<Both> = {}): Both {
  const known = { start: 7, parent: 1, state: 'S', isOurs: true, user: 'vigil', command: `python worker${pid}.py` };
  return { pid, ...known, ...more };
}

const GONE: Seen = {
  run: RUN,
  started: {
    ...{ main: { pid: 100, start: 7 }, session: 99, bootId: 'b', init: 1, at: 1, warnings: [] },
    ...{ log: '/root/vllm-serve.log', movedLog: null, preludeShell: null },
  },
  way: { kind: 'asked' },
  look: {
    ...{ running: [], hidden: [], found: [], exit: { code: 0, signal: null, at: 9 }, hasLauncher: false },
    listener: { kind: 'closed' },
  },
  before: null,
  tree: TREE,
  left: [],
  swept: { pids: [], isQuiet: true },
  beside: [],
  gpu: { gpus: [gpu('0'), gpu('1'), gpu('2', { usedMib: 40_000 })], doubt: null },
  writers: [],
};

type Change = Partial<Omit<Seen, 'look'>> & { readonly look?: Partial<Seen['look']> };

/** What a person reads of it on the card, below whether it is proved and whether anything is left. */
function told(change: Change): string {
  const seen = { ...GONE, ...change, look: { ...GONE.look, ...change.look } };
  const proof = proofOf(seen);
  const view = { requesterName: 'alice', stopperName: null, hostLine: null };
  const card = plainMessage(renderCard({ ...seen.run, phase: 'stopped', stop: proof }, view));
  const verdict = `${proof.proven ? 'proved' : 'not proved'}, ${proof.isGone ? 'nothing left' : 'something left'}`;
  return [verdict, ...card.split('\n').filter((line) => line.startsWith('•'))].join('\n');
}

function left(processes: readonly Both[], change: Change = {}): string {
  const look = { running: processes, ...change.look };
  return told({ way: { kind: 'killed', pids: [100] }, left: processes, ...change, look });
}

function listening(now: Listener, before: Listener | null = null): string {
  return told({ look: { listener: now }, before });
}

describe('what is gone', () => {
  test('is told in a few facts', () => {
    expect(told({})).toMatchInlineSnapshot(`
      "proved, nothing left
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });

  test('is told with the force that it took', () => {
    const change = {
      run: TRAINING,
      tree: TREE.slice(0, 1),
      way: { kind: 'killed', pids: [100] },
    } as const;
    expect(told({ ...change, look: { exit: { code: null, signal: 9, at: 9 } } })).toMatchInlineSnapshot(`
      "proved, nothing left
      • The process is gone.
      • TERM was not enough within 60 s: pid 100 was ended by KILL. A checkpoint that was being saved may be cut off.
      • Ended by signal 9 (KILL).
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });

  test('is told from what a stop did', () => {
    expect(told({ way: { kind: 'before' }, look: { exit: { code: 1, signal: null, at: 9 } } })).toMatchInlineSnapshot(`
      "proved, nothing left
      • All 3 processes are gone. They had ended before anything was signalled.
      • Exit code 1.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
    const why = 'The host has restarted since the launch (another boot id).';
    expect(told({ way: { kind: 'restart', why }, tree: [], look: { exit: null } })).toMatchInlineSnapshot(`
      "proved, nothing left
      • The host has restarted since the launch (another boot id). Its processes ended with that, and nothing was signalled.
      • There is no exit record: the restart came first.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });

  test('may lack an exit record, for a reason', () => {
    expect(told({ look: { exit: null } })).toMatchInlineSnapshot(`
      "proved, nothing left
      • All 3 processes are gone.
      • There is no exit record, since its launcher is gone too: how it ended is not known.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
    expect(told({ look: { exit: null, hasLauncher: true } })).toMatchInlineSnapshot(`
      "proved, nothing left
      • All 3 processes are gone.
      • There is no exit record yet: its launcher (pid 99) still waits for the end.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });
});

describe('processes that are left', () => {
  test('of another user are for that user to end', () => {
    const one = remaining(101, { isOurs: false, user: 'root' });
    expect(left([one], { way: { kind: 'asked' } })).toMatchInlineSnapshot(`
      "not proved, something left
      • Still running: pid 101 (python worker101.py, user root). It belongs to another user than the one that Vigil logs in as, who may not end it. On the host: sudo kill 101; what is left after a minute: sudo kill -9 101.
      • Exit code 0.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });

  test('and caught in the kernel are beyond any signal', () => {
    const one = remaining(101, { state: 'D', command: 'VLLM::Worker_TP0' });
    const gpus = [gpu('0', { processes: [computing(101)] }), gpu('1')];
    expect(left([one], { gpu: { gpus, doubt: null } })).toMatchInlineSnapshot(`
      "not proved, something left
      • Still there: pid 101 (VLLM::Worker_TP0, user vigil), caught in the kernel by a driver or a file system, where KILL reaches it only when it is let go. dmesg -T | tail -50 on the host tells more (NVRM, Xid, nfs). If it stays, only a reboot ends it.
      • Still on a GPU: pid 101.
      • Exit code 0.
      • Port 8000 is closed."
    `);
    expect(left([remaining(101, { state: 'Z', command: 'python' })])).toMatchInlineSnapshot(`
      "not proved, something left
      • Still there: pid 101 (python, user vigil), caught in the kernel by a driver or a file system, where KILL reaches it only when it is let go. dmesg -T | tail -50 on the host tells more (NVRM, Xid, nfs). If it stays, only a reboot ends it.
      • Exit code 0.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });

  test('are named in short where they are many, with all their numbers to copy', () => {
    const command = 'python `x` --api-key sk-vigiltest-0123456789abcdef';
    const many = Array.from({ length: 6 }, (_, index) => remaining(101 + index, { command }));
    expect(left(many, { look: { listener: { ...LISTENER, pid: 101 } } })).toMatchInlineSnapshot(`
      "not proved, something left
      • Still running in spite of TERM and KILL: pid 101 (python ˋxˋ --api-key [masked], user vigil), pid 102 (python ˋxˋ --api-key [masked], user vigil), pid 103 (python ˋxˋ --api-key [masked], user vigil) and 3 more. On the host: kill -9 101 102 103 104 105 106.
      • Port 8000 is still open: pid 101 of this run has it.
      • Exit code 0.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });

  test('may start themselves anew, or be hidden by the host', () => {
    const found = [{ pid: 777, start: 9 }];
    expect(told({ way: { kind: 'killed', pids: [100] }, look: { found } })).toMatchInlineSnapshot(`
      "not proved, something left
      • It starts new processes faster than they can be ended: pid 777 was the last one seen. On the host grep -la VIGIL_RUN=vigil-kpro5-1a2b /proc/[0-9]*/environ lists them; what starts them has to be ended first.
      • Exit code 0.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
    expect(told({ swept: { pids: [7, 8], isQuiet: false } })).toContain(
      'none was seen at the last look, which proves nothing',
    );
    expect(told({ look: { hidden: TREE.slice(0, 2) } })).toMatchInlineSnapshot(`
      "not proved, something left
      • Whether pid 100 and 101 still run can't be proved here: this host hides the processes of other users (hidepid), and such have these numbers. As root on the host: ps -fp 100,101; what is of this run: kill 100 101.
      • Exit code 0.
      • Port 8000 is closed.
      • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
    `);
  });
});

test('a port that is still open is told with who has it', () => {
  expect(listening(LISTENER)).toMatchInlineSnapshot(`
    "proved, nothing left
    • All 3 processes are gone.
    • Exit code 0.
    • Port 8000 is free of it: another process has it now, pid 300 (nginx -g daemon, user bob).
    • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
  `);
  expect(listening(LISTENER, LISTENER)).toMatchInlineSnapshot(`
    "not proved, something left
    • Port 8000 is still open: pid 300 (nginx -g daemon, user bob) has it, as before the stop, and is not known to belong to this run. If it does: kill 300 on the host.
    • All 3 processes are gone.
    • Exit code 0.
    • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
  `);
  expect(listening({ kind: 'unknown' })).toMatchInlineSnapshot(`
    "not proved, something left
    • Port 8000 is still open, and by whom can't be proved here: this user may not see it. As root on the host: ss -ltnp 'sport = :8000'.
    • All 3 processes are gone.
    • Exit code 0.
    • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
  `);
});

test('a stranger that writes its log may be a part of it', () => {
  const writer = { pid: 400, start: 8, parent: 1, group: 400, name: 'python', since: null, run: null } as const;
  const stranger = { ...writer, by: 'open', command: 'python -c from multiprocessing', user: 'root' } as const;
  expect(told({ writers: [stranger] })).toMatchInlineSnapshot(`
    "not proved, something left
    • Its log is still written by pid 400 (python -c from multiprocessing, user root), without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: kill 400 on the host.
    • All 3 processes are gone.
    • Exit code 0.
    • Port 8000 is closed.
    • No GPU is held by it (GPU 0, 1: 6 MiB in use)."
  `);
});

describe('GPUs', () => {
  test('that cannot be asked leave the stop unproved, with the reason', () => {
    expect(told({ gpu: { gpus: null, doubt: 'missing' } })).toMatchInlineSnapshot(`
      "not proved, nothing left
      • Whether its GPUs are free can't be proved here: nvidia-smi was not found on this host (not on the PATH, nor in /usr/local/nvidia/bin, /usr/lib/wsl/lib and /usr/local/cuda/bin). Where it stands elsewhere, put it on the PATH of the login that Vigil uses.
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed."
    `);
    expect(told({ gpu: { gpus: null, doubt: 'silent' } })).toMatchInlineSnapshot(`
      "not proved, nothing left
      • Whether its GPUs are free can't be proved here: nvidia-smi failed, or did not answer within 10 s. nvidia-smi on the host shows why, dmesg -T | grep -i xid whether a GPU has fallen off the bus.
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed."
    `);
    expect(told({ gpu: { gpus: null, doubt: 'hanging' } })).toMatchInlineSnapshot(`
      "not proved, nothing left
      • Whether its GPUs are free can't be proved here: an earlier nvidia-smi still hangs in the driver, so that it is not asked again. dmesg -T | grep -i xid on the host tells why.
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed."
    `);
    expect(told({ gpu: { gpus: [gpu('0')], doubt: 'hidden' } })).toMatchInlineSnapshot(`
      "not proved, nothing left
      • Whether its GPUs are free can't be proved here: GPU memory is in use by processes that nvidia-smi does not name here, as in a container. nvidia-smi on the machine around it names them.
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed."
    `);
  });

  test('need no proof for a run that has none', () => {
    const run = newRun({ ...REQUEST, gpus: [] });
    expect(told({ run, gpu: { gpus: null, doubt: 'missing' } })).toMatchInlineSnapshot(`
      "proved, nothing left
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed."
    `);
  });

  test('may be kept by a process that is gone', () => {
    const gpus = [gpu('0', { processes: [computing(101)] }), gpu('1')];
    expect(told({ gpu: { gpus, doubt: null } })).toMatchInlineSnapshot(`
      "not proved, something left
      • nvidia-smi still names pid 101 on GPU 0, though that process is gone: the driver has not let go of its memory. If nvidia-smi on the host shows it for longer than a minute, sudo fuser -v /dev/nvidia* tells who keeps it; else a reset of that GPU or a reboot frees it.
      • All 3 processes are gone.
      • Exit code 0.
      • Port 8000 is closed."
    `);
  });
});
