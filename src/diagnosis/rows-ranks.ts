/** A training's causes in its ranks and their machine: memory, links, disks, crashes. Order is priority; the most telling first. */

import type { TrainingRow } from './row.ts';

const LESS_MEMORY =
  'Lower --max-anchors or --total-seq-len (or the batch size of other trainers), shard the model with --fsdp-shard, and keep target and trainer on different GPUs; memory differs from step to step, since packing does.';

export const RANK_ROWS: readonly TrainingRow[] = [
  {
    category: 'cuda_oom',
    title: 'A rank ran out of GPU memory',
    pattern:
      /out of memory\. Tried to allocate (?<wanted>[\d.]+ [KMG]iB)\. GPU (?<gpu>\d+) has a total capac\w+ of (?<total>[\d.]+ GiB) of which (?<free>[\d.]+ \w+) is free/i,
    sample:
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 2 has a total capacity of 79.18 GiB of which 1.12 GiB is free.',
    remedy: ({ wanted, gpu, total, free }) =>
      `${LESS_MEMORY} ${wanted} were wanted on GPU ${gpu}, of whose ${total} only ${free} were free.`,
  },
  {
    category: 'cuda_oom',
    title: 'A rank ran out of GPU memory',
    pattern:
      /(?:CUDA|HIP|GPU)[^\n]*out of memory|OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation/i,
    sample: 'RuntimeError: CUDA error: out of memory',
    remedy: () => LESS_MEMORY,
  },
  {
    category: 'nccl_timeout',
    title: 'A rank waited in vain for the others',
    pattern:
      /\bRank (?<rank>\d+)\] Watchdog caught collective operation timeout: .*?OpType=(?<op>\w+).*?Timeout\(ms\)=(?<ms>\d+)|Watchdog caught collective operation timeout|Heartbeat monitor timed out/,
    sample:
      '[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=168, OpType=ALLREDUCE, NumelIn=3, NumelOut=3, Timeout(ms)=45000) ran for 45020 milliseconds before timing out.',
    remedy: ({ rank, op, ms }) =>
      `Look for the rank that did not take part, not for the one that reports it: the lowest "last enqueued work" in these lines names it. Waits for the target at the end of validation do it too: then speed up the target or lower --request-timeout.${rank === undefined ? '' : ` Rank ${rank} waited ${Number(ms) / 1000} s in ${op}.`}`,
  },
  {
    category: 'host_oom_killed',
    title: 'The kernel or a container limit killed a process of the training',
    pattern:
      /\(exitcode: -9\)|Signal 9 \(SIGKILL\)|DataLoader worker \(pid (?<pid>\d+)\) is killed by signal: Killed|exited unexpectedly|oom[_-]kill event|return code = -9$/,
    sample: 'failed (exitcode: -9) local_rank: 2 (pid: 31042) of binary: /venv/bin/python',
    remedy: () =>
      'Lower --num-workers and --prefetch-factor (per rank; each worker is a process), and look at `dmesg -T | grep -i oom` and the container limit: a killed process leaves no traceback. A person may have killed it as well.',
  },
  {
    category: 'shared_memory',
    title: 'Shared memory (/dev/shm) is too small',
    pattern: /\(exitcode: -7\)|Bus error|out of shared memory|shared memory segment/i,
    sample: 'failed (exitcode: -7) local_rank: 0 (pid: 31042) of binary: /venv/bin/python',
    remedy: () =>
      'Enlarge /dev/shm (`--shm-size=16g` or `--ipc=host` for a container), or lower --num-workers: data workers hand over their batches there, and the hidden states may lie there too.',
  },
  {
    category: 'disk_full',
    title: 'The disk is full',
    pattern:
      /No space left on device|Errno 28|os error 28|PytorchStreamWriter failed|unexpected pos \d+|Disk quota exceeded|[Hh]idden-states write failed/,
    sample: 'RuntimeError: PytorchStreamWriter failed writing file data/12: file write failed',
    remedy: () =>
      'Free space (`df -h`): each epoch keeps a whole checkpoint with its optimizer, and hidden states are large. Remove the newest checkpoint before resuming, since it was written in part only, or run with --save-best.',
  },
  {
    category: 'corrupt_weights',
    title: 'The newest checkpoint is broken',
    pattern:
      /SafetensorError|MetadataIncompleteBuffer|HeaderTooLarge|HeaderTooSmall|InvalidHeader|PytorchStreamReader failed|UnpicklingError|No such file or directory: '(?<file>[^']*(?:optimizer_state_dict|scheduler_state_dict|training_state|model)[\w.]*)'/i,
    inTraceback: /checkpoint|resume/i,
    sample: "FileNotFoundError: [Errno 2] No such file or directory: 'out/checkpoints/3/optimizer_state_dict.pt'",
    remedy: ({ file }) =>
      `Remove or rename the highest-numbered folder of the save path and start again: it resumes from the one before. The former run died while it saved${file === undefined ? '' : `, \`${file}\` is missing`}.`,
  },
  {
    category: 'unknown',
    title: 'A rank crashed outside of Python',
    pattern: /\(exitcode: -(?:4|6|8|11)\)|return code = -(?:4|6|8|11)$/,
    sample: 'failed (exitcode: -11) local_rank: 0 (pid: 31042) of binary: /venv/bin/python',
    remedy: () =>
      'Run it once with PYTHONFAULTHANDLER=1, which prints where it was, and look at `dmesg -T` for Xid lines: a library crashed (-11) or aborted (-6) without a traceback.',
  },
];
