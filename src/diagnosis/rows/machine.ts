/** Causes in the host: disks, memory, limits. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';
import { KILLED } from './killed.ts';

export const MACHINE_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'disk-quota',
    category: 'disk_full',
    title: 'The disk quota is used up',
    why: 'The file system has room, but not for this user.',
    pattern: /Disk quota exceeded|\[Errno 122\]/i,
    samples: ["OSError: [Errno 122] Disk quota exceeded: '/home/u/.cache/huggingface/hub/blobs/x.incomplete'"],
    remedy: () => 'Free space of yours (`quota -s`), or move HF_HOME and VLLM_CACHE_ROOT to another file system.',
    link: PAGES.cache,
    retry: 'no',
  },
  {
    id: 'disk-full-hub-cache',
    category: 'disk_full',
    title: 'The disk of the hub cache is full',
    why: 'The model is downloaded into the hub cache, which lies below the home folder unless HF_HOME says otherwise.',
    pattern:
      /(?:No space left on device|Errno 28\]|os error 28).{0,200}(?:huggingface|hub|\.incomplete|hf_)|(?:CAS service error|Data processing error).{0,300}(?:No space left on device|os error 28)|Not enough free disk space to download/is,
    samples: [
      "OSError: [Errno 28] No space left on device: '/root/.cache/huggingface/hub/models--org--m/blobs/ab12.incomplete'",
      'RuntimeError: Data processing error: CAS service error : IO Error: No space left on device (os error 28) in huggingface',
    ],
    remedy: () => 'Free space there (`df -h`, `du -sh ~/.cache/huggingface/hub/*`), or set HF_HOME to a larger disk.',
    link: PAGES.cache,
    retry: 'no',
    hides: ['download-broken', 'weights-truncated'],
  },
  {
    id: 'disk-full-compile-cache',
    category: 'disk_full',
    title: 'The disk of a compile cache is full',
    why: 'vLLM, torch and Triton keep compiled kernels below the home folder and /tmp.',
    pattern:
      /(?:No space left on device|Errno 28\]|os error 28).{0,200}(?:torch_compile|\.cache\/vllm|torchinductor|\.triton|flashinfer)/is,
    samples: ["OSError: [Errno 28] No space left on device: '/root/.cache/vllm/torch_compile_cache'"],
    remedy: () =>
      'Free space there (`df -h`), or set VLLM_CACHE_ROOT, TRITON_CACHE_DIR and TORCHINDUCTOR_CACHE_DIR to a larger disk.',
    link: PAGES.variables,
    retry: 'no',
  },
  {
    id: 'disk-full',
    category: 'disk_full',
    title: 'A disk is full',
    why: 'What was to be written does not fit any more.',
    pattern: /No space left on device|\[Errno 28\]|os error 28\b/i,
    samples: ["OSError: [Errno 28] No space left on device: '/data/out.bin'"],
    remedy: () =>
      'Free space where the line says it (`df -h`): usually the hub cache (HF_HOME), the compile cache (VLLM_CACHE_ROOT) or /tmp.',
    link: PAGES.cache,
    retry: 'no',
  },
  {
    id: 'too-many-files',
    category: 'unknown',
    title: 'A process opened more files than it may',
    why: 'Sockets, shards and pipes count as files, and the limit of a shell is often 1024.',
    pattern: /\[Errno 24\]|Too many open files/i,
    samples: ['OSError: [Errno 24] Too many open files'],
    remedy: () => "Add `ulimit -n 65535` to the recipe's `prelude`.",
    link: null,
    retry: 'no',
  },
  {
    id: 'disk-failed',
    category: 'unknown',
    title: 'A disk or network file system failed',
    why: 'The system could not read or write: a broken disk, or a mount (NFS, FUSE) whose server went away.',
    pattern: /\[Errno 5\]|Input\/output error|\[Errno 116\]|Stale file handle|Transport endpoint is not connected/i,
    samples: ['OSError: [Errno 5] Input/output error', 'OSError: [Errno 116] Stale file handle'],
    remedy: () =>
      'Look at `dmesg -T` and at the mount of that path (`findmnt -T PATH`, `ls` it); mount it again, or use a local disk.',
    link: null,
    retry: 'may help',
  },
  {
    id: 'cache-not-writable',
    category: 'unknown',
    title: 'The user may not use a file or folder',
    why: 'The user who runs the command has no right there; in a container the home is often `/`, where nobody but root may write.',
    pattern:
      /PermissionError: \[Errno 13\][^\n]{0,40}: '(?<path>[^'\n]{1,300})'|Read-only file system(?:: '(?<other>[^'\n]{1,300})')?/,
    samples: [
      "PermissionError: [Errno 13] Permission denied: '/.cache/vllm'",
      "OSError: [Errno 30] Read-only file system: '/models/x'",
    ],
    remedy: ({ path, other }) =>
      `Give the user the right to ${(path ?? other) === undefined ? 'it' : `\`${path ?? other}\``} (\`ls -ld\`), or set HOME, HF_HOME and VLLM_CACHE_ROOT to folders of its own.`,
    link: PAGES.variables,
    retry: 'no',
  },
  {
    id: 'host-memory-killed',
    category: 'host_oom_killed',
    title: 'A process was killed with SIGKILL',
    why: 'That is what the kernel or a container limit does when memory runs out; a person may have done it as well.',
    pattern: KILLED,
    samples: [
      'Worker VllmWorkerProcess pid 418 died, exit code: -9',
      './serve.sh: line 12:  4411 Killed                  vllm serve /models/m',
      'Killed',
      'vllm.service: Main process exited, code=killed, status=9/KILL',
      'vllm.service: A process of this unit has been killed by the OOM killer.',
      'vllm-1 exited with code 137',
      '    Reason:       OOMKilled',
      'srun: error: gpu1: task 0: Out Of Memory',
    ],
    remedy: () =>
      "Look at `dmesg -T | grep -i oom` and the container's memory limit. Then give it more memory, load with fewer workers at once (--tensor-parallel-size, MAX_JOBS for JIT builds), or use a smaller checkpoint.",
    link: PAGES.troubleshooting,
    retry: 'may help',
    endsServer: true,
    hides: ['nccl-remote-error', 'nccl-timeout', 'engine-hung'],
  },
  {
    id: 'host-memory-exhausted',
    category: 'host_oom_killed',
    title: 'The host ran out of memory',
    why: 'A process asked for main memory and got none: the host or the container limit has no more.',
    pattern:
      /DefaultCPUAllocator: (?:can't allocate|not enough) memory|Cannot allocate memory|^MemoryError|std::bad_alloc|\[Errno 12\]|cudaHostAlloc/,
    samples: [
      "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 2147483648 bytes.",
      'OSError: [Errno 12] Cannot allocate memory',
      'MemoryError',
      'what():  std::bad_alloc',
    ],
    remedy: () =>
      "Give it more memory (`free -h`, the container's limit), lower --swap-space or --cpu-offload-gb, load with fewer workers at once, or use a smaller checkpoint.",
    link: PAGES.memory,
    retry: 'may help',
    endsServer: true,
    hides: ['nccl-remote-error'],
  },
];
