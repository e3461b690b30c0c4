/** What torchrun and torch's process groups print (torch/distributed/run.py, elastic/multiprocessing/api.py, ProcessGroupNCCL.cpp). */

import { fact } from './rule.ts';
import { sign, type TrainingRule } from './training-rule.ts';

export const TORCHRUN_RULES: readonly TrainingRule[] = [
  {
    sample: 'Setting OMP_NUM_THREADS environment variable for each process to be 1 in default',
    pattern: /^Setting OMP_NUM_THREADS environment variable for each process/,
    find: () => [sign('banner')],
  },
  {
    sample: '[default] starting workers for entrypoint: scripts/train.py',
    pattern: /^(?:\[\w+\] )?starting workers for entrypoint/,
    find: () => [sign('banner')],
  },
  {
    sample: 'Sending process 31042 closing signal SIGTERM',
    pattern: /^(?:Sending process \d+ closing signal|(?:\[\w+\] )?Rendezvous'ing worker group)/,
    find: () => [sign('elastic')],
  },
  {
    sample: 'failed (exitcode: -9) local_rank: 2 (pid: 31042) of binary: /venv/bin/python',
    pattern: /^failed \(exitcode: (-?\d+)\) local_rank: (\d+) \(pid: \d+\)/,
    find: ([, code = '', rank = '']) => [{ kind: 'failed rank', rank: Number(rank), exitCode: Number(code) }],
  },
  {
    sample: 'Received Signals.SIGTERM death signal, shutting down workers',
    pattern: /^Received (?:Signals\.)?(?:SIG\w+|\d+) death signal, shutting down workers/,
    find: () => [sign('interrupts')],
  },
  {
    sample: 'Root Cause (first observed failure):',
    pattern: /^Root Cause \(first observed failure\):/,
    find: () => [sign('root cause')],
  },
  {
    sample: '  rank      : 2 (local_rank: 2)',
    pattern: /^ {2}rank {6}: (\d+) \(local_rank: \d+\)/,
    find: ([, rank = '']) => [{ kind: 'failed rank', rank: Number(rank), exitCode: null }],
  },
  {
    sample: '  exitcode  : -9 (pid: 31042)',
    pattern: /^ {2}exitcode {2}: (-?\d+) +\(pid: \d+\)/,
    find: ([, code = '']) => [{ kind: 'failed rank', rank: null, exitCode: Number(code) }],
  },
  {
    sample: 'NCCL version 2.28.9+cuda13.0',
    pattern: /(?:^|[ ,])NCCL (?:INFO )?version (\d[\d.]*\d)/,
    find: ([, version = '']) => [fact('nccl', version)],
  },
  {
    sample:
      '[PG ID 0 PG GUID 0(default_pg) Rank 3] Heartbeat monitor timed out! Process will be terminated after dumping',
    pattern: /^\[.*\bRank \d+\] ?Heartbeat monitor timed out/,
    find: () => [sign('fails')],
  },
];
