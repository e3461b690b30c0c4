/** Evidence as hosts give it, for tests. Times are host time from 0 on, in ms. */

import type { ProcessLook } from '../../src/host/sample.ts';
import type { Evidence, Motion } from '../../src/pulse/evidence.ts';
import type { Look, RasView } from '../../src/pulse/look.ts';

const MIB = 1_048_576;

/** A worker with torch in it that does nothing. */
export function worker(pid: number, changes: Partial<ProcessLook> = {}): ProcessLook {
  return {
    ...{ pid, start: pid * 10, cpuTicks: 0, minorFaults: 0, majorFaults: 0, rssPages: 200_000 },
    ...{ readBytes: 0, writeBytes: 0, readChars: 0, ...changes },
  };
}

export function look(at: number, changes: Partial<Look> = {}): Look {
  return { at, gpus: null, folders: [], received: null, states: [], isSmiSilent: false, ras: null, ...changes };
}

export function evidence(at: number, tree: readonly ProcessLook[] | null, seen: Look | null = null): Evidence {
  return { at, tree, look: seen };
}

/** One comparison, with nothing that moved. */
export function still(at: number, changes: Partial<Motion> = {}): Motion {
  return {
    at,
    overMs: 10_000,
    moved: [],
    cores: 0,
    gpuUse: 0,
    behind: [],
    behindCores: null,
    isRunnable: false,
    isHalted: false,
    coming: null,
    troubles: [],
    suspects: [],
    ...changes,
  };
}

/** What was recorded of two ranks: rank 1 sleeps at step 30, rank 0 waits in an all-reduce and spins. Counters stand at `at` ms. */
export function hungRanks(at: number, ras: RasView | null): Evidence {
  const spinning = worker(1182, { cpuTicks: Math.round(0.999 * (at / 10)), minorFaults: 40_000, readBytes: 9 * MIB });
  const gpus = [
    { uuid: 'GPU-0', index: '0', usedMib: 3021, utilization: 100 },
    { uuid: 'GPU-1', index: '1', usedMib: 3021, utilization: 0 },
  ];
  const states = [
    { pid: 1182, start: 11_820, state: 'R', wchan: '', name: 'python3' },
    { pid: 1183, start: 11_830, state: 'S', wchan: 'hrtimer_nanosleep', name: 'python3' },
  ];
  return evidence(at, [spinning, worker(1183)], look(at, { gpus, states, ras, received: at }));
}

export const RAS_TEXT = `SERVER PROTOCOL 2
NCCL version 2.28.9 compiled with CUDA 13.0
CUDA runtime version 13000, driver version 13000

Job summary
===========

  Nodes  Processes         GPUs  Processes     GPUs
(total)   per node  per process    (total)  (total)
      1          2            1          2        2

Communicators... (0.000s)
=============

Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
    #  in group  per comm  per node  per comm  in group
    0         1         1         2         2         2   RUNNING  MISMATCH

Errors
======

Warnings
========

#0-0 (c5166918fae42a69) MISMATCH
  Communicator ranks have different Broadcast operation counts
  Rank 0 has launched up to operation 33 -- GPU 0 managed by process 1182 on node 192.0.2.2
  Rank 1 has launched up to operation 32 -- GPU 1 managed by process 1183 on node 192.0.2.2

  Communicator ranks have different AllReduce operation counts
  Rank 0 has launched up to operation 93 -- GPU 0 managed by process 1182 on node 192.0.2.2
  Rank 1 has launched up to operation 90 -- GPU 1 managed by process 1183 on node 192.0.2.2

`;
