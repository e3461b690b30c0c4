/** What C++, the C library, CUDA and compilers print when they end a process or a build: no exception of Python's stands there. */

import { type FailureRule, plain } from './failure-rule.ts';

export const NATIVE_FAILURES: readonly FailureRule[] = [
  {
    sample:
      '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE) ran for 600002 milliseconds before timing out.',
    pattern: /Watchdog caught collective operation timeout/,
    shapes: ['torch', 'plain'],
  },
  {
    sample:
      '[PG ID 2 PG GUID 3 Rank 1] Process group watchdog thread terminated with exception: CUDA error: an illegal memory access',
    pattern: /(?:Process group|NCCL) watchdog thread terminated with exception/,
    shapes: ['torch'],
  },
  {
    sample:
      '[Rank 9] Collective WorkNCCL(SeqNum=1811, OpType=ALLREDUCE, NumelIn=25600000) raised the following async exception: NCCL error: remote process exited or there was a network error',
    pattern:
      /^\[[^\]]{0,80}Rank \d+\] Collective WorkNCCL\([^)]{0,400}\)+.{0,200} raised the following async exception: /,
    shapes: ['torch', 'plain'],
  },
  {
    sample:
      "[PG ID 0 PG GUID 0(default_pg) Rank 0] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.",
    pattern: /ProcessGroup\w{1,20}'s watchdog got stuck for \d+ seconds/,
    shapes: ['torch'],
  },
  plain(
    "terminate called after throwing an instance of 'std::bad_alloc'",
    /^terminate called (?:after throwing an instance of|without an active exception|recursively)/,
  ),
  plain('libc++abi: terminating due to uncaught exception of type std::bad_alloc', /^libc\+\+abi: terminating/),
  plain('  what():  CUDA error: an illegal memory access was encountered', /^ *what\(\): ./),
  plain('Fatal Python error: Segmentation fault', /^Fatal Python error: /),
  plain('!!!!!!! Segfault encountered !!!!!!!', /^!+ Segfault encountered/),
  plain(
    '*** SIGSEGV received at time=1732998153 on cpu 3 ***',
    /^(?:\[.{1,120}\] )?\*\*\* SIG(?:SEGV|ABRT|BUS|ILL|FPE) received at time=/,
  ),
  plain(
    '[gpu1:4411 :0:4411] Caught signal 11 (Segmentation fault: address not mapped to object at address (nil))',
    /^\[[^\]]{1,120}\] Caught signal (?:11|7|6|4|8) \(/,
  ),
  plain(
    '[gpu1:04411] Signal: Segmentation fault (11)',
    /^\[[^\]]{1,120}\] Signal: (?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception) \(/,
  ),
  plain('free(): invalid pointer', /^free\(\): \w/),
  plain('munmap_chunk(): invalid pointer', /^munmap_chunk\(\): \w/),
  plain('malloc(): unaligned tcache chunk detected', /^(?:malloc|realloc)\(\): \w/),
  plain('double free or corruption (!prev)', /^double free or corruption\b/),
  plain('corrupted size vs. prev_size', /^corrupted (?:size vs\. prev_size|double-linked list|unsorted chunks)/),
  plain('*** stack smashing detected ***: terminated', /^\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*/),
  plain("*** Error in `python': double free or corruption (fasttop): 0x00007f12 ***", /^\*\*\* Error in `/),
  plain('Inconsistency detected by ld.so: dl-open.c: 600: Assertion failed!', /^Inconsistency detected by ld\.so: /),
  plain(
    "python3: /source/mlir/lib/Analysis/SliceAnalysis.cpp:109: void getBackwardSliceImpl(): Assertion `false' failed.",
    /^[^\s:]+: [^\s:]+:\d+: [^`]{0,2000}: Assertion `[^`]{1,2000}' failed\.$/,
  ),
  {
    sample: 'Watchdog timeout (self.watchdog_timeout=300)',
    pattern: /^(?:\w{1,20} )?[Ww]atchdog timeout \(self\.watchdog_timeout=/,
  },
  plain(
    "Failed: Cuda error /workspace/csrc/custom_all_reduce.cuh:164 'invalid argument'",
    /^Failed: Cuda error \S{1,400}:\d+ '/,
  ),
  plain(
    'gpu1:157:157 [2] misc/shmutils.cc:87 NCCL WARN Error: failed to extend /dev/shm/nccl-q0Zt3B to 33030532 bytes, error: No space left on device (28)',
    /^\S{1,100}:\d+:\d+ (?:\[\d+\] )?(?:\S{1,100}:\d+ )?NCCL WARN (?:Error: failed to extend|Error while creating shared memory segment) /,
  ),
  plain(
    'CUDA error (/src/flash_attn/flash_fwd_launch_template.h:160): invalid argument',
    /^CUDA error \([^)]{1,400}:\d+\): /,
  ),
  plain(
    '/tmp/main.c:6:10: fatal error: Python.h: No such file or directory',
    /^(?:[^\s:]+:\d+:\d+|\S*(?:gcc|g\+\+|cc|cc1plus|clang|clang\+\+)(?:-\d+)?): fatal error: /,
  ),
  plain("/src/ops.cpp:12:3: error: 'foo' was not declared in this scope", /^[^\s:]+:\d+:\d+: error: /),
  plain('loc("/src/kernel.py":12:3): error: operand type mismatch', /^loc\(.{1,400}\): error: /),
  plain('/src/kernel.cu(12): error: identifier "foo" is undefined', /^[^\s(]+\(\d+\): error(?: #\S{1,40})?: /),
  plain(
    '/src/kernel.cu(3): catastrophic error: cannot open source file "cuda_runtime.h"',
    /^[^\s(]+\(\d+\): catastrophic error: /,
  ),
  plain(
    "ptxas fatal   : Value 'sm_120a' is not defined for option 'gpu-name'",
    /^ptxas (?:fatal|error|\S+, line \d+; (?:error|fatal)) +: /,
  ),
  plain("nvcc fatal   : Unsupported gpu architecture 'compute_120a'", /^nvcc fatal +: /),
  plain('/usr/bin/ld: cannot find -lcuda: No such file or directory', /^(?:\S*\/)?ld(?:\.\w+)?: cannot find /),
  plain('LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.mma', /^LLVM ERROR: /),
  plain('CMake Error at CMakeLists.txt:14 (find_package):', /^CMake Error\b/),
];
