/** Causes in /dev/shm: before NCCL's own rows, since NCCL only tells that it failed there. The most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const SHARED_MEMORY_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'shm-full',
    category: 'shared_memory',
    title: 'Shared memory (/dev/shm) is too small',
    why: 'NCCL and vLLM exchange data over /dev/shm; containers get 64 MB of it unless asked for more.',
    pattern:
      /(?:No space left on device|Errno 28\]|os error 28).{0,200}(?:\/dev\/shm|psm_)|\/dev\/shm.{0,200}(?:No space left|insufficient|too small|\(28\))|creating shared memory segment|shm_open|NCCL.{0,300}(?:No space left on device|posix_fallocate)|unable to (?:write to|mmap|allocate|open).{0,60}<\/?torch_.{0,60}: (?:No space|Cannot allocate|Resource temporarily)/is,
    samples: [
      "OSError: [Errno 28] No space left on device: '/dev/shm/nccl-Xy12'",
      'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:275, unhandled system error, NCCL version 2.21.5\nncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.\nLast error:\nError while creating shared memory segment /dev/shm/nccl-9dCYIk (size 9637888)',
      'RuntimeError: Error while creating shared memory segment /dev/shm/nccl-5yVs3K (size 9637888), error: No space left on device (28)',
    ],
    remedy: () =>
      'Enlarge /dev/shm: `--shm-size=16g` or `--ipc=host` for a container, `mount -o remount,size=16G /dev/shm` on a host. Old files there (`ls /dev/shm`) may be removed while nothing runs.',
    link: PAGES.docker,
    retry: 'no',
    hides: ['nccl-unhandled-system-error', 'nccl-error', 'bus-error'],
  },
  {
    id: 'bus-error',
    category: 'shared_memory',
    title: 'A process died of a bus error',
    why: 'That is what happens when /dev/shm is full at the moment at which a process writes to it.',
    pattern: /Bus error|SIGBUS/i,
    samples: ['Bus error (core dumped)', 'Fatal Python error: Bus error'],
    remedy: () =>
      'Enlarge /dev/shm: `--shm-size=16g` or `--ipc=host` for a container, `mount -o remount,size=16G /dev/shm` on a host.',
    link: PAGES.docker,
    retry: 'no',
    endsServer: true,
  },
  {
    id: 'shm-too-small',
    category: 'shared_memory',
    title: 'Shared memory (/dev/shm) can not be used',
    why: 'Processes of one server hand each other data over /dev/shm.',
    pattern:
      /(?:unable|failed|cannot|can't|could not) .{0,120}\/dev\/shm|shared memory.{0,80}(?:No space|insufficient|too small)/is,
    samples: ['RuntimeError: unable to open shared memory object </torch_77_1> in /dev/shm'],
    remedy: () =>
      'Look at `df -h /dev/shm`, and enlarge it: `--shm-size=16g` or `--ipc=host` for a container, `mount -o remount,size=16G /dev/shm` on a host.',
    link: PAGES.docker,
    retry: 'no',
  },
];
