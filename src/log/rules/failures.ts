/** Failures that come without a Python traceback: argparse, shells, compilers, C++ and processes that say that another one died. */

import type { Spoken } from '../speaker.ts';

export interface FailureRule {
  readonly sample: string;
  /** A cheap look before the pattern. */
  readonly includes: string;
  readonly pattern: RegExp;
  /** Only in lines of these shapes; all where absent. */
  readonly shapes?: readonly Spoken['shape'][];
}

export const FAILURE_RULES: readonly FailureRule[] = [
  {
    sample:
      'vllm serve: error: argument --speculative-config/-sc: Value {method: cannot be converted to <function loads at 0x7c>.',
    includes: ': error: ',
    pattern: /^(?:vllm|python3? -m [\w.]+|[\w.-]+\.py)(?: [\w-]+)*: error: ./,
    shapes: ['plain'],
  },
  {
    sample: "[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
    includes: 'while attempting to bind on address',
    pattern: /^\[Errno \d+\] error while attempting to bind/,
  },
  {
    sample: 'Worker proc VllmWorker-1 died unexpectedly, shutting down executor.',
    includes: 'died unexpectedly',
    pattern: /^(?:Worker proc|Engine core proc|Engine core process|Worker|Process) ?\S* .*died unexpectedly/,
  },
  {
    sample: '[shutdown] MPClient: engine core exited unexpectedly',
    includes: 'exited unexpectedly',
    pattern: /engine core exited unexpectedly/,
  },
  {
    sample: 'Worker VllmWorkerProcess pid 418 died, exit code: -9',
    includes: 'died',
    pattern:
      /(?:^Worker \S+ pid \d+ died, exit code: -(?:9|11|7|6)\b)|(?:^Process \S+ \(PID: \d+\) died with exit code -?[1-9])/,
  },
  {
    sample:
      '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE) ran for 600002 milliseconds before timing out.',
    includes: 'Watchdog caught collective operation timeout',
    pattern: /Watchdog caught collective operation timeout/,
    shapes: ['torch', 'plain'],
  },
  {
    sample:
      '[PG ID 2 PG GUID 3 Rank 1] Process group watchdog thread terminated with exception: CUDA error: an illegal memory access',
    includes: 'Process group watchdog thread terminated',
    pattern: /Process group watchdog thread terminated with exception/,
    shapes: ['torch'],
  },
  {
    sample: "terminate called after throwing an instance of 'std::bad_alloc'",
    includes: 'terminate called after throwing',
    pattern: /^terminate called after throwing an instance of/,
    shapes: ['plain'],
  },
  {
    sample: '  what():  CUDA error: an illegal memory access was encountered',
    includes: 'what():',
    pattern: /^ *what\(\): ./,
    shapes: ['plain'],
  },
  {
    sample: 'Fatal Python error: Segmentation fault',
    includes: 'Fatal Python error',
    pattern: /^Fatal Python error: /,
    shapes: ['plain'],
  },
  {
    sample: '!!!!!!! Segfault encountered !!!!!!!',
    includes: 'egfault encountered',
    pattern: /^!+ Segfault encountered/,
    shapes: ['plain'],
  },
  {
    sample: './serve.sh: line 12:  4411 Killed                  vllm serve /models/m',
    includes: 'Killed',
    pattern: /^(?:Killed$|\S+: line \d+: +\d+ Killed\b)/,
    shapes: ['plain'],
  },
  {
    sample:
      'slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0. Some of the step tasks have been OOM Killed.',
    includes: 'oom',
    pattern: /^slurmstepd: error: Detected \d+ oom[_-]kill event/,
    shapes: ['plain'],
  },
  {
    sample: '["/venv/bin/python"] exits with return code = -9',
    includes: 'exits with return code',
    pattern: /\] exits with return code = -(?!15\b|2\b)\d/,
  },
  {
    sample: 'Segmentation fault (core dumped)',
    includes: 'fault',
    pattern: /^(?:\S+: line \d+: +\d+ )?Segmentation fault\b/,
    shapes: ['plain'],
  },
  {
    sample: 'Bus error (core dumped)',
    includes: 'Bus error',
    pattern: /^(?:\S+: line \d+: +\d+ )?Bus error\b/,
    shapes: ['plain'],
  },
  {
    sample: 'bash: line 1: vllm: command not found',
    includes: 'not found',
    pattern:
      /^\S+: (?:(?:line )?\d+: )?(?:exec: )?(?:line \d+: )?\S+: (?:command |cannot execute: required file )?not found$/,
    shapes: ['plain'],
  },
  {
    sample: 'nohup: failed to run command ‘vllm’: No such file or directory',
    includes: 'failed to run command',
    pattern: /^\S+: failed to run command/,
    shapes: ['plain'],
  },
  {
    sample: '/bin/bash: line 1: exec: /root/serve.sh: cannot execute: Permission denied',
    includes: ': Permission denied',
    pattern:
      /^(?:\S*\/)?(?:[\w.-]*sh|env|setsid): (?:\S+: |line \d+: |failed to execute )*\S+: (?:cannot execute: )?Permission denied$/,
    shapes: ['plain'],
  },
  {
    sample: '/bin/bash: line 1: /opt/vllm/bin/activate: No such file or directory',
    includes: ': No such file',
    pattern: /^(?:\S*\/)?(?:[\w.-]*sh|env|setsid): .*\S: No such file(?: or directory)?$/,
    shapes: ['plain'],
  },
  {
    sample: "python: can't open file '/root/serve.py': [Errno 2] No such file or directory",
    includes: "can't open file",
    pattern: /^\S*python[\d.]*: can't open file/,
    shapes: ['plain'],
  },
  {
    sample: '/usr/bin/python3: No module named vllm',
    includes: ': No module named ',
    pattern: /^\S*python[\d.]*: No module named \S/,
    shapes: ['plain'],
  },
  {
    sample: '/tmp/main.c:6:10: fatal error: Python.h: No such file or directory',
    includes: 'fatal ',
    pattern: /(?:^\S+:\d+:\d+: fatal error: )|(?:^(?:nvcc|ptxas) fatal +: )/,
    shapes: ['plain'],
  },
];

/** True where the line itself is a failure. */
export function isFailure(said: Spoken): boolean {
  const { message, shape } = said;
  if (shape === 'record' && said.level === 'WARNING') return false;
  if (said.level === 'INFO' || said.level === 'DEBUG')
    return message.startsWith('[shutdown]') && message.includes('exited unexpectedly');
  return FAILURE_RULES.some(
    (rule) =>
      message.includes(rule.includes) &&
      (rule.shapes === undefined || rule.shapes.includes(shape)) &&
      rule.pattern.test(message),
  );
}
