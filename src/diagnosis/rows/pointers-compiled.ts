/** What compiled code says when it takes its process down after an error that something else explains. The more exact ones come first. */

import { PAGES } from '../pages.ts';
import type { FollowUpRow } from '../row.ts';

const POINTER = { role: 'pointer', retry: 'may help', link: PAGES.troubleshooting } as const;

export const COMPILED_POINTER_ROWS: readonly FollowUpRow[] = [
  {
    ...POINTER,
    id: 'watchdog-ended-process',
    category: 'unknown',
    title: "NCCL's watchdog ended the process",
    why: 'The thread that watches over exchanges between GPUs saw an error and took the process down.',
    remedy: () =>
      'Look at the other ranks: one failed before. Run it once with NCCL_DEBUG=INFO and TORCH_NCCL_TRACE_BUFFER_SIZE=2000.',
    pattern: /Process group watchdog thread terminated/i,
    samples: ['[PG ID 2 PG GUID 3 Rank 1] Process group watchdog thread terminated with exception: x'],
    link: PAGES.ncclVariables,
    onceReady: { category: 'engine_dead' },
  },
  {
    ...POINTER,
    id: 'cpp-terminated',
    category: 'unknown',
    title: 'A process ended in C++',
    why: 'An error of compiled code was handled by nobody; the `what():` line below says which.',
    remedy: () =>
      'Look at the `what():` line and the stack below it, and at `dmesg -T` on the host; then launch again with PYTHONFAULTHANDLER=1.',
    pattern: /^terminate called |^libc\+\+abi: terminating/,
    samples: [
      "terminate called after throwing an instance of 'std::runtime_error'",
      'libc++abi: terminating due to uncaught exception of type std::runtime_error',
    ],
    onceReady: { category: 'engine_dead' },
  },
  {
    ...POINTER,
    id: 'process-aborted',
    category: 'unknown',
    title: 'A process ended itself outside of Python',
    why: 'A library called abort, which it does after an error of its own; this line only tells that it did.',
    remedy: () =>
      'Read the lines above it (`/vllm logs`, `/dflash logs`) for `what():` or an assertion; launch again with PYTHONFAULTHANDLER=1, and look at `dmesg -T` on the host.',
    pattern:
      /\bAborted(?:$|[ :(])|Signal: Aborted|sh: abort\b|SIGABRT|status=6\/|(?:exit(?:ed with)? code:?|exitcode:?) (?:-6|134)\b|^Fatal Python error: Aborted/,
    shape: 'line',
    samples: [
      'Aborted (core dumped)',
      'zsh: abort (core dumped)  vllm serve /models/m',
      'vllm.service: Main process exited, code=dumped, status=6/ABRT',
      'vllm-1 exited with code 134',
      'Fatal Python error: Aborted',
    ],
    onceReady: { category: 'engine_dead' },
    inTarget: { category: 'engine_dead' },
  },
];
