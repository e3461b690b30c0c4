/** A GPU that ran out of memory because others hold it: told before all else, in servers and trainings alike. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';
import { DRAGGED_DOWN, memoryFacts, numbersOf } from './out-of-memory.ts';

export const GPU_SHARED_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'gpu-oom-shared',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory, and another process holds much of it',
    why: 'Somebody else is on the same GPU: a server that was not ended whole, the target server beside the trainer, or another user.',
    pattern:
      /out of memory\. Tried to allocate (?<wanted>[\d.]{1,12} [KMGT]iB)\. GPU (?<gpu>\d{1,3}) has a total capac\w{1,4} of (?<total>[\d.]{1,12} [KMGT]iB) of which (?<free>[\d.]{1,12} \w{1,5}) is free\. Process (?<pid>\d{1,9}) has (?<held>[\d.]{1,12} GiB) memory in use\..{0,200}?this process has/is,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 170.00 MiB. GPU 1 has a total capacity of 47.41 GiB of which 121.31 MiB is free. Process 3381 has 20.67 GiB memory in use. Including non-PyTorch memory, this process has 26.61 GiB memory in use.',
    ],
    remedy: ({ pid = '', held = '', gpu = '', ...found }) =>
      `See on the host what process ${pid} is (\`ps -fp ${pid}\`): it holds ${held} of GPU ${gpu}. End it if it is left over, or choose other GPUs in CUDA_VISIBLE_DEVICES.${numbersOf({ gpu, ...found })}`,
    link: PAGES.memory,
    retry: 'may help',
    hides: DRAGGED_DOWN,
    endsServer: true,
    facts: memoryFacts,
  },
];
