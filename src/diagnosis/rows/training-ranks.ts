/** A training's causes in its ranks and their machine: memory, links, disks, crashes. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';
import { KILLED } from './killed.ts';
import { DRAGGED_DOWN, memoryFacts, numbersOf, OOM_NUMBERS } from './out-of-memory.ts';

const LESS_MEMORY =
  'Lower --max-anchors or --total-seq-len (or the batch size of other trainers), shard the model with --fsdp-shard, and keep target and trainer on different GPUs; memory differs from step to step, since packing does.';

export const RANK_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'rank-killed',
    only: 'train',
    category: 'host_oom_killed',
    title: 'The kernel or a container limit killed a process of the training',
    why: 'A killed process leaves no traceback; main memory that ran out is the usual reason, but a person may have done it as well.',
    pattern: KILLED,
    samples: [
      'failed (exitcode: -9) local_rank: 2 (pid: 31042) of binary: /venv/bin/python',
      'slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0. Some of the step tasks have been OOM Killed.',
      '["/venv/bin/python"] exits with return code = -9',
    ],
    remedy: () =>
      'Lower --num-workers and --prefetch-factor (per rank; each worker is a process), and look at `dmesg -T | grep -i oom` and the container limit.',
    link: PAGES.elastic,
    retry: 'may help',
    hides: ['nccl-remote-error'],
  },
  {
    id: 'rank-oom',
    only: 'train',
    category: 'cuda_oom',
    title: 'A rank ran out of GPU memory',
    why: 'Weights, optimizer and the activations of one packed batch did not fit beside what else is on that GPU.',
    pattern: OOM_NUMBERS,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 2 has a total capacity of 79.18 GiB of which 1.12 GiB is free.',
    ],
    remedy: (found) => `${LESS_MEMORY}${numbersOf(found)}`,
    link: PAGES.cuda,
    retry: 'may help',
    hides: DRAGGED_DOWN,
    facts: memoryFacts,
  },
  {
    id: 'rank-oom-without-numbers',
    only: 'train',
    category: 'cuda_oom',
    title: 'A rank ran out of GPU memory',
    why: 'A library, not torch, asked the GPU for memory and got none.',
    pattern:
      /OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation|\b(?:CUDA|HIP|GPU) [^\n]{0,60}out of memory|CUDA_ERROR_OUT_OF_MEMORY/i,
    samples: ['RuntimeError: CUDA error: out of memory'],
    remedy: () => LESS_MEMORY,
    facts: memoryFacts,
    link: PAGES.cuda,
    retry: 'may help',
    hides: DRAGGED_DOWN,
  },
  {
    id: 'rank-nccl-timeout',
    only: 'train',
    category: 'nccl_timeout',
    title: 'A rank waited in vain for the others',
    why: 'One rank did not take part in an exchange: it hung, died, or still waited for the target server.',
    pattern:
      /\bRank (?<rank>\d{1,6})\] Watchdog caught collective operation timeout: .{0,200}?OpType=(?<op>\w{1,40}).{0,200}?Timeout\(ms\)=(?<ms>\d{1,12})|Watchdog caught collective operation timeout|Heartbeat monitor timed out|watchdog got stuck for \d{1,9} seconds/,
    samples: [
      '[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=168, OpType=ALLREDUCE, NumelIn=3, NumelOut=3, Timeout(ms)=45000) ran for 45020 milliseconds before timing out.',
    ],
    remedy: ({ rank, op, ms }) =>
      `Look for the rank that did not take part, not for the one that reports it: the lowest "last enqueued work" in these lines names it. Waits for the target at the end of validation do it too: then speed up the target or lower --request-timeout.${rank === undefined ? '' : ` Rank ${rank} waited ${Number(ms) / 1000} s in ${op}.`}`,
    link: PAGES.ncclVariables,
    retry: 'may help',
    hides: ['nccl-remote-error', 'rank-aborted'],
  },
  {
    id: 'data-worker-killed',
    only: 'train',
    category: 'host_oom_killed',
    title: 'A data worker was killed',
    why: 'Each data worker is a process with batches of its own; together they filled the main memory.',
    pattern:
      /DataLoader worker \(pid(?:\(s\))? (?<pids>[\d, ]{1,80})\) (?:is killed by signal: Killed|exited unexpectedly)/,
    samples: [
      'RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. ',
      'RuntimeError: DataLoader worker (pid(s) 4711, 4712) exited unexpectedly',
    ],
    remedy: ({ pids = '' }) =>
      `Lower --num-workers and --prefetch-factor (both count per rank), and look at \`dmesg -T | grep -i oom\` for pid ${pids}.`,
    link: PAGES.data,
    retry: 'may help',
    hides: ['rank-aborted'],
  },
  {
    id: 'rank-shared-memory',
    only: 'train',
    category: 'shared_memory',
    title: 'Shared memory (/dev/shm) is too small',
    why: 'Data workers hand over their batches in /dev/shm, and the hidden states may lie there too.',
    pattern:
      /\(exitcode: -7\)|Bus error|out of shared memory|shared memory segment|(?:No space left on device|Errno 28\]|os error 28)[^'\n]{0,60}'\/dev\/shm[^'\n]{0,200}'(?! ->)|\/dev\/shm.{0,200}No space left|unable to (?:write to|mmap|allocate|open).{0,60}<\/?torch_.{0,60}: (?:No space|Cannot allocate|Resource temporarily)/is,
    samples: [
      'failed (exitcode: -7) local_rank: 0 (pid: 31042) of binary: /venv/bin/python',
      "RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.",
      'RuntimeError: unable to write to file </torch_1234_5>: No space left on device (28)',
    ],
    remedy: () =>
      'Enlarge /dev/shm (`--shm-size=16g` or `--ipc=host` for a container), or lower --num-workers; old files there (`ls /dev/shm`) may be removed while nothing runs.',
    link: PAGES.data,
    retry: 'no',
  },
  {
    id: 'checkpoint-not-written',
    only: 'train',
    category: 'disk_full',
    title: 'A checkpoint could not be written: the disk is full',
    why: 'Each epoch keeps a whole checkpoint with its optimizer, and this one was written in part only.',
    pattern: /PytorchStreamWriter failed|unexpected pos \d/,
    samples: [
      'RuntimeError: PytorchStreamWriter failed writing file data/12: file write failed',
      'RuntimeError: [enforce fail at inline_container.cc:626] . unexpected pos 704 vs 598',
    ],
    remedy: () =>
      'Free space (`df -h`), remove the newest folder of --save-path before resuming, and run with --save-best, which keeps one checkpoint only.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'training-disk-full',
    only: 'train',
    category: 'disk_full',
    title: 'The disk is full',
    why: 'Checkpoints (one an epoch) and hidden states (some hundred MB a sample) take all of it.',
    pattern: /No space left on device|Errno 28|os error 28|Disk quota exceeded|[Hh]idden-states write failed/,
    samples: [
      "OSError: [Errno 28] No space left on device: '/tmp/hidden_states/hs_12.safetensors'",
      'safetensors_rust.SafetensorError: Error while serializing: IoError(Os { code: 28, kind: StorageFull, message: "No space left on device" })',
    ],
    remedy: () =>
      'Free space (`df -h`; old files in --hidden-states-path and /tmp/hidden_states). Remove the newest checkpoint before resuming if it was written in part only, or run with --save-best.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'checkpoint-broken',
    only: 'train',
    category: 'corrupt_weights',
    title: 'The newest checkpoint is broken',
    why: 'Checkpoints are written in place: a run that died while it saved leaves a broken one, and the next run resumes from the newest.',
    pattern:
      /SafetensorError|MetadataIncompleteBuffer|HeaderTooLarge|HeaderTooSmall|InvalidHeader|PytorchStreamReader failed|UnpicklingError|No such file or directory: '(?<file>[^'\n]{0,200}(?:optimizer_state_dict|scheduler_state_dict|training_state|model)[\w.]{0,40})'/i,
    inTraceback: /checkpoint|resume/i,
    samples: ["FileNotFoundError: [Errno 2] No such file or directory: 'out/checkpoints/3/optimizer_state_dict.pt'"],
    frame: '  File "/x/trainer.py", line 9, in load_checkpoint',
    remedy: ({ file }) =>
      `Remove or rename the highest-numbered folder of --save-path and start again: it resumes from the one before${file === undefined ? '' : `; \`${file}\` is missing`}.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'rank-crashed',
    only: 'train',
    category: 'unknown',
    title: 'A rank crashed outside of Python',
    why: 'A library crashed without a traceback: -11 is a bad access to memory, -4 an instruction that the CPU lacks, -8 a division by zero.',
    pattern: /\(exitcode: -(?:4|8|11)\)|return code = -(?:4|8|11)$/,
    samples: [
      'failed (exitcode: -11) local_rank: 0 (pid: 31042) of binary: /venv/bin/python',
      '["/venv/bin/python"] exits with return code = -11',
    ],
    remedy: () =>
      'Run it once with PYTHONFAULTHANDLER=1, which prints where it was, and look at `dmesg -T` for Xid lines.',
    link: PAGES.elastic,
    retry: 'may help',
  },
  {
    id: 'rank-aborted',
    only: 'train',
    category: 'unknown',
    title: 'A rank ended itself outside of Python',
    why: 'A library called abort (-6), mostly since NCCL saw an error; its own words stand further up, if it had any.',
    pattern: /\(exitcode: -6\)|return code = -6$/,
    samples: [
      'failed (exitcode: -6) local_rank: 0 (pid: 31042) of binary: /venv/bin/python',
      '["/venv/bin/python"] exits with return code = -6',
    ],
    remedy: () =>
      "Read that rank's last lines (`[rankN]:`, `what():`); if there are none, run it once with PYTHONFAULTHANDLER=1 and TORCH_NCCL_TRACE_BUFFER_SIZE=2000.",
    link: PAGES.elastic,
    retry: 'may help',
  },
];
