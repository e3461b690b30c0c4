/** Causes in what connects processes: NCCL, and who watches over it. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const LINK_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'nccl-timeout',
    category: 'nccl_timeout',
    title: 'A rank waited in vain for the others',
    why: 'All ranks take part in each exchange; one hung or died before, and this one gave up waiting.',
    pattern:
      /collective operation timeout|wait timeout after \d|NCCL.{0,80}(?:timed out|timeout(?!\(ms\)))|Barrier (?:departure )?timed out|one or more ranks timed out|Timed out waiting \d{1,9}ms for (?:recv|send) operation|watchdog got stuck for \d{1,9} seconds|Heartbeat monitor timed out/is,
    samples: [
      '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE) ran for 600002 milliseconds before timing out.',
      'RuntimeError: Barrier timed out after 30.00 seconds',
      'RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete',
    ],
    remedy: () =>
      'Look at the other ranks first: one hung or died before. Then try NCCL_DEBUG=INFO, NCCL_P2P_DISABLE=1 or --disable-custom-all-reduce (IOMMU or ACS often blocks GPU-to-GPU traffic).',
    link: PAGES.troubleshooting,
    retry: 'may help',
    endsServer: true,
    hides: ['nccl-remote-error', 'rank-aborted'],
  },
  {
    id: 'engine-start-timeout',
    category: 'unknown',
    title: 'The engines took longer to start than is waited for',
    why: 'With several API servers the launcher waits a fixed time for its engines; loading took longer, or an engine hangs.',
    pattern:
      /Timed out waiting for (?:engine core processes to\s{1,2}start|(?:new )?engines? to send\s{1,2}initial message)(?:.{0,160}?Waited (?<seconds>\d{1,6})s)?/s,
    samples: [
      'TimeoutError: Timed out waiting for engine core processes to start. This is often caused by slow weight loading for large models. Waited 600s (configured by VLLM_ENGINE_READY_TIMEOUT_S).',
      'TimeoutError: Timed out waiting for engines to send initial message on input socket.',
    ],
    remedy: ({ seconds }) =>
      `Set VLLM_ENGINE_READY_TIMEOUT_S in the recipe's environment${seconds === undefined ? '' : ` to more than ${seconds}`}, and end what is left of this start: its engines may go on holding the GPUs.`,
    link: PAGES.variables,
    retry: 'may help',
  },
  {
    id: 'custom-all-reduce-failed',
    category: 'nccl_error',
    title: "vLLM's own all-reduce failed",
    why: 'It writes into the memory of the other GPUs directly, which the board, a virtual machine or a container may forbid.',
    pattern: /^Failed: Cuda error \S{0,300}custom_all_reduce/,
    samples: ["Failed: Cuda error /workspace/csrc/custom_all_reduce.cuh:164 'invalid argument'"],
    remedy: () =>
      'Launch with --disable-custom-all-reduce: NCCL then does that work. `nvidia-smi topo -p2p r` says which GPUs reach each other.',
    link: PAGES.troubleshooting,
    retry: 'no',
    endsServer: true,
  },
  {
    id: 'sglang-watchdog',
    category: 'engine_dead',
    title: "SGLang's watchdog ended the server: a batch hung",
    why: 'A forward pass did not come back in time: a kernel or an exchange between GPUs hangs, or the batch was very large.',
    pattern: /^(?:\w{1,20} )?watchdog timeout \(self\.watchdog_timeout=(?<seconds>\d{1,6})/i,
    samples: ['Watchdog timeout (self.watchdog_timeout=300)'],
    remedy: ({ seconds = '' }) =>
      `Launch again; if it comes back, install \`py-spy\` in its environment (SGLang then dumps the stacks), look at \`dmesg -T | grep Xid\`, and raise --watchdog-timeout (${seconds} s) only for batches that are known to be slow.`,
    link: PAGES.sglangArguments,
    retry: 'may help',
    endsServer: true,
  },
  {
    id: 'nccl-duplicate-gpu',
    category: 'nccl_error',
    title: 'Two ranks use the same GPU',
    why: 'NCCL wants a GPU of its own for each rank.',
    pattern: /Duplicate GPU detected(?: ?: rank (?<a>\d{1,4}) and rank (?<b>\d{1,4}))?/,
    samples: [
      'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:2251, invalid usage (run with NCCL_DEBUG=WARN for details)\nDuplicate GPU detected : rank 1 and rank 0 both on CUDA device 4000',
    ],
    remedy: ({ a, b }) =>
      `Give each rank its own GPU: list enough in CUDA_VISIBLE_DEVICES, or lower --nproc_per_node or --tensor-parallel-size.${a === undefined ? '' : ` Ranks ${a} and ${b} share one.`}`,
    link: PAGES.nccl,
    retry: 'no',
  },
  {
    id: 'nccl-remote-error',
    category: 'nccl_error',
    title: 'Another rank broke the connection',
    why: 'The other end of a connection went away: that rank died first, or the network between them broke.',
    pattern: /ncclRemoteError|remote process exited|NCCL error: remote/i,
    samples: [
      'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, remote process exited or there was a network error, NCCL version 2.21.5\nncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.',
    ],
    remedy: () =>
      'Look for the rank that ended first; on several nodes at the network between them (NCCL_SOCKET_IFNAME, NCCL_IB_DISABLE=1 to try without InfiniBand).',
    link: PAGES.nccl,
    retry: 'may help',
    endsServer: true,
  },
  {
    id: 'nccl-unhandled-cuda-error',
    category: 'nccl_error',
    title: 'NCCL failed in a CUDA call',
    why: 'The driver refused what NCCL asked for: it is older than the NCCL build, or GPU-to-GPU traffic is blocked.',
    pattern: /unhandled cuda error|ncclUnhandledCudaError/i,
    samples: [
      'RuntimeError: NCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)',
      'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.20.5',
    ],
    remedy: () =>
      'Start once with NCCL_DEBUG=INFO: its lines name the call that failed. Then update the driver, or try NCCL_P2P_DISABLE=1 and NCCL_CUMEM_ENABLE=0.',
    link: PAGES.nccl,
    retry: 'no',
    endsServer: true,
  },
  {
    id: 'nccl-unhandled-system-error',
    category: 'nccl_error',
    title: 'NCCL failed in a call of the operating system',
    why: 'Usually /dev/shm of a container is too small, or the network card that NCCL chose does not work.',
    pattern: /unhandled system error|ncclSystemError/i,
    samples: [
      'RuntimeError: NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details)',
      'torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:275, unhandled system error, NCCL version 2.19.3\nncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.',
    ],
    remedy: () =>
      'Enlarge /dev/shm (`--shm-size=16g` or `--ipc=host` for a container), name the network card (NCCL_SOCKET_IFNAME), and start once with NCCL_DEBUG=INFO: its lines name the call.',
    link: PAGES.nccl,
    retry: 'no',
    endsServer: true,
  },
  {
    id: 'nccl-error',
    category: 'nccl_error',
    title: "NCCL can't connect the GPUs",
    why: 'NCCL moves data between GPUs; setting that up, or one exchange, failed.',
    pattern:
      /NCCL error|\bnccl(?:System|Internal|InvalidUsage|InvalidArgument|Remote)\w{0,12}|DistBackendError|NCCL_ERROR/i,
    samples: [
      'RuntimeError: NCCL error: internal error - please report this issue to the NCCL developers',
      'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:94, invalid usage',
    ],
    remedy: () =>
      'Start once with NCCL_DEBUG=INFO: its lines name the call that failed. Usual: a driver older than the NCCL build, a small /dev/shm, blocked P2P (NCCL_P2P_DISABLE=1), the wrong network card (NCCL_SOCKET_IFNAME).',
    link: PAGES.nccl,
    retry: 'may help',
    endsServer: true,
  },
];
