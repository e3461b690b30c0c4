/** Causes in how many GPUs were asked for, and which. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

const SIZES = '--tensor-parallel-size x --pipeline-parallel-size x --data-parallel-size';
const BROKEN_START = ['nccl-timeout', 'nccl-remote-error', 'store-timeout', 'engine-start-timeout'];

export const GPU_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'dp-rank-out-of-bounds',
    category: 'gpu_count_mismatch',
    title: 'More GPUs were asked for than are visible',
    why: 'Each data-parallel rank takes GPUs of its own, and a worker got the number of one that is not visible.',
    pattern: /(?:DP adjusted )?local[ _]rank (?<rank>\d{1,4}) is out of bounds(?: for (?<gpus>\d{1,4}) devices)?/i,
    samples: [
      'AssertionError: DP adjusted local rank 2 is out of bounds. ',
      'AssertionError: DP adjusted local rank 3 is out of bounds for 2 devices.',
      'AssertionError: local_rank 3 is out of bounds for assigned_physical_gpu_ids [0, 1]',
    ],
    remedy: ({ rank = '', gpus }) =>
      `Ask for fewer GPUs (${SIZES}) or list more in CUDA_VISIBLE_DEVICES: a worker needs GPU number ${rank} (counted from 0), which is not visible${gpus === undefined ? '' : `; ${gpus} are`}.`,
    link: PAGES.dataParallel,
    retry: 'no',
    hides: BROKEN_START,
  },
  {
    id: 'dp-devices-too-few',
    category: 'gpu_count_mismatch',
    title: 'CUDA_VISIBLE_DEVICES lists fewer GPUs than the data-parallel ranks need',
    why: 'Each data-parallel rank gets the next GPUs of the list, and the list ended.',
    pattern:
      /Error setting \w{1,40}: local range: \[(?<first>\d{1,4}), (?<end>\d{1,4})\) base value: ["'](?<list>[\w,:-]{0,200})/,
    samples: ['Exception: Error setting CUDA_VISIBLE_DEVICES: local range: [6, 8) base value: "0,1,2,3,4,5"'],
    remedy: ({ end = '', list = '' }) =>
      `List ${end} GPUs in CUDA_VISIBLE_DEVICES (it is ${list}), or lower --data-parallel-size-local or --tensor-parallel-size: ${SIZES} must fit.`,
    link: PAGES.dataParallel,
    retry: 'no',
    hides: BROKEN_START,
  },
  {
    id: 'world-size-above-gpus',
    category: 'gpu_count_mismatch',
    title: 'More GPUs were asked for than this node has',
    why: 'Tensor times pipeline parallel size is more than the GPUs that are visible.',
    pattern:
      /World size \((?<world>\d{1,5})\) is larger than the number of available GPUs \((?<gpus>\d{1,5})\)|local_world_size \((?<local>\d{1,5})\) exceeds assigned_physical_gpu_ids count \((?<ids>\d{1,5})\)/,
    samples: [
      "ValueError: World size (4) is larger than the number of available GPUs (2) in this node. If this is intentional and you are using:\n- ray, set '--distributed-executor-backend ray'.",
      'AssertionError: local_world_size (4) exceeds assigned_physical_gpu_ids count (2)',
    ],
    remedy: ({ world, gpus, local, ids }) =>
      `Lower --tensor-parallel-size or --pipeline-parallel-size, or widen CUDA_VISIBLE_DEVICES: ${world ?? local} GPUs are asked for and ${gpus ?? ids} are visible.`,
    link: PAGES.parallelism,
    retry: 'no',
    hides: BROKEN_START,
  },
  {
    id: 'ray-placement-above-gpus',
    category: 'gpu_count_mismatch',
    title: 'The Ray cluster has fewer GPUs than were asked for',
    why: 'Ray counts the GPUs of all nodes that joined: one may be missing, or not offer its GPUs.',
    pattern:
      /number of required \S{1,10} exceeds the total number of available \S{1,10} in the (?:cluster|placement group)|Cannot provide a placement group|Not enough resources to allocate \d{1,5} placement groups|Current node has no \S{1,10} available/,
    samples: [
      "ValueError: Not enough resources to allocate 4 placement groups, only created 3 placement groups. Available resources: {'n1': {'CPU': 62.0}}",
      'ValueError: The number of required GPUs exceeds the total number of available GPUs in the placement group. Required number of devices: 4. Total number of devices: 2.',
      'ValueError: Current node has no GPU available. current_node_resource={}. vLLM engine cannot start without GPU.',
    ],
    remedy: () =>
      'Look at `ray status` on the head node: every node must have joined with its GPUs. Else lower --tensor-parallel-size or --pipeline-parallel-size.',
    link: PAGES.distributed,
    retry: 'may help',
    hides: BROKEN_START,
  },
  {
    id: 'no-gpu-visible',
    category: 'gpu_count_mismatch',
    title: 'No GPU is visible to the process',
    why: 'CUDA works, but CUDA_VISIBLE_DEVICES (or the container) leaves it no device.',
    pattern: /No (?:CUDA|HIP) GPUs are available/,
    samples: ['RuntimeError: No CUDA GPUs are available'],
    remedy: () =>
      'Correct CUDA_VISIBLE_DEVICES in the recipe (numbers from 0, as `nvidia-smi -L` lists them); a container needs --gpus all.',
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'gpu-named-by-uuid',
    category: 'bad_argument',
    title: 'CUDA_VISIBLE_DEVICES names a GPU in a way that this version does not read',
    why: 'Older versions take numbers alone; a UUID (`GPU-…`, `MIG-…`) makes them fail.',
    pattern: /invalid literal for int\(\) with base 10: '(?<uuid>(?:MIG|GPU)-[^'\n]{1,100})'/,
    samples: ["ValueError: invalid literal for int() with base 10: 'MIG-0a7d1cf2-3a55-5f6a-9c1e-2f5d8b1c7e42'"],
    remedy: ({ uuid = '' }) =>
      `Give CUDA_VISIBLE_DEVICES numbers from 0 on (as \`nvidia-smi -L\` lists them), or upgrade vLLM; it is \`${uuid}\`.`,
    link: PAGES.troubleshooting,
    retry: 'no',
  },
  {
    id: 'invalid-device-ordinal',
    category: 'gpu_count_mismatch',
    title: 'A GPU number was used that is not visible',
    why: 'A process asked for a device beyond the visible ones.',
    pattern:
      /invalid device ordinal|tensor parallel size.{0,80}(?:exceeds|larger than|more than).{0,80}(?:available|GPU)/is,
    samples: [
      'RuntimeError: CUDA error: invalid device ordinal',
      'torch.AcceleratorError: CUDA error: invalid device ordinal',
    ],
    remedy: () =>
      `Compare ${SIZES} (of a training --nproc_per_node) with the GPUs that CUDA_VISIBLE_DEVICES (or the container) leaves visible.`,
    link: PAGES.parallelism,
    retry: 'no',
    hides: BROKEN_START,
  },
  {
    id: 'heads-not-divisible',
    category: 'bad_argument',
    title: "The attention heads can't be divided over the GPUs",
    why: 'Tensor parallelism gives each GPU the same number of heads.',
    pattern:
      /attention heads \((?<heads>\d{1,5})\) must be divisible by tensor parallel size \((?<size>\d{1,4})\)|(?:attention heads|num_heads|vocab size|hidden size)\b.{0,80}(?:must be|is not) divisible by/i,
    samples: [
      'ValueError: Total number of attention heads (20) must be divisible by tensor parallel size (8).',
      'AssertionError: num_heads 20 is not divisible by 8',
    ],
    remedy: ({ heads, size }) =>
      `Choose a --tensor-parallel-size that divides the number of attention heads of the model and of its drafter${heads === undefined ? '' : `: ${heads} heads can't be divided by ${size}`}.`,
    link: PAGES.parallelism,
    retry: 'no',
    hides: BROKEN_START,
  },
];
