/** Causes in compiled code that took its process down: only what the C library, the shell or systemd said of it is left. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow, Words } from '../row.ts';

const DEAD: Partial<Words> = { category: 'engine_dead' };
const ASIDE = 'wheels of different sets (torch, flash-attn, NCCL) are the usual reason';

export const CRASH_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'segfault',
    category: 'unknown',
    title: 'A process crashed in compiled code',
    why: 'A library of C, C++ or CUDA broke; Python could not say more.',
    pattern:
      /Segmentation fault|Segfault encountered|SIGSEGV|SIGFPE|Floating point exception|status=(?:11\/SEGV|8\/FPE|SEGV)|(?:exit(?:ed with)? code:?|exitcode:?|exits with return code =) (?:-11|-8|139|136)\b/i,
    samples: [
      '!!!!!!! Segfault encountered !!!!!!!',
      'Segmentation fault (core dumped)',
      'Fatal Python error: Segmentation fault',
      'vllm.service: Main process exited, code=dumped, status=11/SEGV',
      'vllm-1 exited with code 139',
      'Floating point exception (core dumped)',
    ],
    remedy: () =>
      `Launch again with PYTHONFAULTHANDLER=1 in the environment, which prints where it was, and look at \`dmesg -T\`; ${ASIDE}.`,
    link: PAGES.troubleshooting,
    retry: 'may help',
    hides: ['nccl-remote-error'],
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'heap-corrupted',
    category: 'unknown',
    title: "A library wrote over memory that wasn't its own",
    why: 'The C library found its books of memory broken and ended the process: a bug in compiled code, mostly where two builds are mixed.',
    pattern:
      /^(?:free|munmap_chunk|malloc|realloc)\(\): \w|double free or corruption|corrupted (?:size|double-linked|unsorted)|(?:stack smashing|buffer overflow) detected|^\*\*\* Error in `/,
    samples: [
      'double free or corruption (!prev)',
      'free(): invalid pointer',
      'malloc(): unaligned tcache chunk detected',
      'corrupted size vs. prev_size',
      '*** stack smashing detected ***: terminated',
    ],
    remedy: () =>
      `Make a fresh environment (\`pip install vllm\` alone): ${ASIDE}. Then launch again with PYTHONFAULTHANDLER=1, which prints where it was.`,
    link: PAGES.troubleshooting,
    retry: 'may help',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'illegal-instruction',
    category: 'unknown',
    title: 'The CPU lacks an instruction that a library uses',
    why: 'A library was built for a newer processor (AVX2 or AVX-512), or a virtual machine hides what its own can do.',
    pattern: /Illegal instruction|SIGILL|status=4\/|exit(?:ed with)? code:? (?:-4|132)\b/,
    samples: ['Illegal instruction (core dumped)', 'vllm-1 exited with code 132'],
    remedy: () =>
      'Look at `lscpu` for avx2 and avx512f; of a virtual machine pass the CPU through (type `host`). Else use a build for this processor.',
    link: null,
    retry: 'no',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'kernel-compiler-crashed',
    category: 'unknown',
    title: "Triton's compiler broke down",
    why: 'It met code or a GPU that it can not translate for: a bug of its version, or a GPU too old or too new for it.',
    pattern: /^LLVM ERROR: |\b(?:mlir|triton)\b.{0,400}Assertion `|^loc\(.{1,400}\): error: /i,
    samples: [
      'LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.mma',
      "python3: /source/mlir/lib/Analysis/SliceAnalysis.cpp:109: void getBackwardSliceImpl(): Assertion `false' failed.",
    ],
    remedy: () =>
      'Choose another --attention-backend, or another version of vLLM with its own triton; on a GPU older than Ampere try --dtype half and --enforce-eager.',
    link: PAGES.attention,
    retry: 'no',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
  {
    id: 'check-in-compiled-code',
    category: 'unknown',
    title: 'Compiled code stopped at a check of its own',
    why: 'A library of C or C++ met a state that it holds impossible, and ended the process.',
    pattern: /: Assertion `|Inconsistency detected by ld\.so/,
    samples: [
      "python3: /src/zmq/mailbox.cpp:72: int zmq::mailbox_t::recv(): Assertion `ok' failed.",
      'Inconsistency detected by ld.so: dl-open.c: 600: Assertion failed!',
    ],
    remedy: () => `Launch again; if it comes back, make a fresh environment (\`pip install vllm\` alone): ${ASIDE}.`,
    link: PAGES.troubleshooting,
    retry: 'may help',
    endsServer: true,
    onceReady: DEAD,
    inTarget: DEAD,
  },
];
