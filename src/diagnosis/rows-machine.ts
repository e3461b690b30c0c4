/** Causes in the machine: memory, drivers, disks, links between GPUs, other processes. Order is priority; the most telling first. */

import type { DiagnosisRow } from './row.ts';

const LESS_MEMORY =
  'See with `nvidia-smi` whether another process holds that GPU. Else raise --tensor-parallel-size, quantize, or lower --max-num-seqs, --max-model-len or --gpu-memory-utilization.';

export const MACHINE_ROWS: readonly DiagnosisRow[] = [
  {
    category: 'cuda_oom',
    title: 'Other processes hold the GPU memory',
    pattern:
      /Free memory on device (?<device>cuda:\d+ )?\((?<free>[\d.]+)\/(?<total>[\d.]+) GiB\) on startup is less than desired GPU memory utilization \((?<share>[\d.]+), (?<wanted>[\d.]+) GiB\)/,
    sample:
      'ValueError: Free memory on device (17.34/22.03 GiB) on startup is less than desired GPU memory utilization (0.9, 19.83 GiB).',
    remedy: ({ device, free, total, share, wanted }) =>
      `Find who holds the GPU (\`nvidia-smi\`; an orphaned VLLM::EngineCore or VLLM::Worker is usual) and end it, or lower --gpu-memory-utilization. ${free} of ${total} GiB are free${device === undefined ? '' : ` on ${device.trim()}`}, ${wanted} GiB (--gpu-memory-utilization ${share}) are wanted.`,
  },
  {
    category: 'cuda_oom',
    title: 'The GPU ran out of memory',
    pattern:
      /out of memory\. Tried to allocate (?<wanted>[\d.]+ [KMG]iB)\. GPU (?<gpu>\d+) has a total capac\w+ of (?<total>[\d.]+ GiB) of which (?<free>[\d.]+ \w+) is free/i,
    sample:
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.',
    remedy: ({ wanted, gpu, total, free }) =>
      `${LESS_MEMORY} ${wanted} were wanted on GPU ${gpu}, of whose ${total} only ${free} were free.`,
  },
  {
    category: 'cuda_oom',
    title: 'The GPU ran out of memory',
    pattern:
      /(?:CUDA|HIP|GPU)[^\n]*out of memory|OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation|Error in memory profiling/i,
    sample: 'RuntimeError: CUDA error: out of memory',
    remedy: () => LESS_MEMORY,
  },
  {
    category: 'unsupported_gpu',
    title: 'This build has no kernels for this GPU',
    pattern:
      /no kernel image is available|sm_\d+\w* is not (?:defined|compatible)|Value 'sm_\w+' is not defined|(?:compute capability|device capability)[^\n]*(?:at least|not supported|required|>=)|requires? (?:a GPU with )?compute capability|only supported on (?:GPUs|devices) with compute capability|not supported on this GPU/i,
    sample: 'RuntimeError: CUDA error: no kernel image is available for execution on the device',
    remedy: () =>
      "Install the build for this GPU, or choose another backend (--attention-backend), data type (--dtype) or quantization that it has: the wheel (or a JIT compiler) doesn't know its architecture.",
  },
  {
    category: 'driver_mismatch',
    title: "The NVIDIA driver doesn't fit the CUDA libraries",
    pattern:
      /driver version is insufficient|Error 80[0-9]\b|unsupported display driver|Failed to infer device type|no CUDA-capable device|cudaGetDeviceCount|Found no NVIDIA driver|NVML(?:Error|_ERROR)?[^\n]*(?:mismatch|not found|not loaded)|Driver\/library version mismatch|forward compatibility was attempted|NVIDIA driver on your system is too old/i,
    sample:
      'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display driver / cuda driver combination',
    remedy: () =>
      'Run `nvidia-smi` on the host. After a driver update without a reboot, reboot (or reload the modules); in a container, see that the GPUs are passed in (--gpus all) and that the driver is new enough for its CUDA.',
  },
  {
    category: 'nccl_timeout',
    title: 'A rank waited in vain for the others',
    pattern:
      /Watchdog caught collective operation timeout|collective operation timeout|NCCL.{0,80}(?:timed out|timeout)|DistStoreError.*(?:Timed out|timeout)|TCPStore.*(?:timed out|timeout)|wait timeout after \d+/is,
    sample:
      '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE) ran for 600002 milliseconds before timing out.',
    remedy: () =>
      'Look at the other ranks first: one hung or died before. Then try NCCL_DEBUG=INFO, NCCL_P2P_DISABLE=1 or --disable-custom-all-reduce (IOMMU or ACS often blocks GPU-to-GPU traffic).',
  },
  {
    category: 'shared_memory',
    title: 'Shared memory (/dev/shm) is too small',
    pattern:
      /\/dev\/shm|shm_open|Bus error|(?:No space left on device|Errno 28).*(?:shm|psm_)|shared memory.*(?:No space|insufficient|too small)/is,
    sample: "OSError: [Errno 28] No space left on device: '/dev/shm/nccl-Xy12'",
    remedy: () =>
      'Enlarge /dev/shm, over which NCCL and vLLM exchange data: `--shm-size=16g` or `--ipc=host` for a container, `mount -o remount,size=16G /dev/shm` on a host.',
  },
  {
    category: 'disk_full',
    title: 'A disk is full',
    pattern: /No space left on device|\[Errno 28\]|Disk quota exceeded|\[Errno 122\]/i,
    sample: "OSError: [Errno 28] No space left on device: '/root/.cache/vllm/torch_compile_cache'",
    remedy: () =>
      'Free space where the line says it (`df -h`): usually the hub cache (HF_HOME), the compile cache (VLLM_CACHE_ROOT) or /tmp.',
  },
  {
    category: 'nccl_error',
    title: "NCCL can't connect the GPUs",
    pattern:
      /NCCL error|nccl(?:Unhandled|System|Internal|InvalidUsage|Remote)\w*Error|DistBackendError|ncclInvalid|ncclUnhandledCudaError/i,
    sample: 'RuntimeError: NCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)',
    remedy: () =>
      'Start once with NCCL_DEBUG=INFO: its lines name the call that failed. Usual: a driver older than the NCCL build, a small /dev/shm, blocked P2P (NCCL_P2P_DISABLE=1), the wrong network card (NCCL_SOCKET_IFNAME).',
  },
  {
    category: 'port_in_use',
    title: 'The port is taken',
    pattern: /\[Errno 98\][^\n]*\('[^']*', (?<port>\d+)\)|\[Errno 98\]|Address already in use|EADDRINUSE/i,
    sample: "[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
    remedy: ({ port }) =>
      `Stop the process that listens there, often the former server, or choose another --port: \`ss -ltnp${port === undefined ? '' : ` 'sport = :${port}'`}\` names it.`,
  },
  {
    category: 'host_oom_killed',
    title: 'The host ran out of memory',
    pattern:
      /DefaultCPUAllocator: (?:can't allocate|not enough) memory|Cannot allocate memory|^MemoryError|std::bad_alloc|\bKilled\b|exit code:? -9|exitcode:? -9|SIGKILL/,
    sample: 'Worker VllmWorkerProcess pid 418 died, exit code: -9',
    remedy: () =>
      'Give it more memory, load with fewer workers at once (MAX_JOBS for JIT builds), or use a smaller checkpoint. The kernel or the container limit ended a process: `dmesg -T | grep -i oom` says which.',
  },
];
