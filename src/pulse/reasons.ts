/** Why a run usually stands still in a phase, and what to do about it: the most frequent first. `docs/phases.md` has the same table. */

import type { Phase } from '../run/run.ts';

export interface Reason {
  readonly why: string;
  readonly remedy: string;
}

/** At most 4, each as the beginning of a sentence without its end; of a phase that has none of its own, what holds for all. */
export function reasonsFor(phase: Phase): readonly Reason[] {
  return REASONS[phase] ?? ANYWHERE;
}

export const ANYWHERE: readonly Reason[] = [
  {
    why: 'A disk or a network share that does not answer',
    remedy: 'look for processes in state `D` (`ps -eo pid,stat,wchan,args`) and at `dmesg -T`',
  },
  {
    why: 'A GPU that has fallen off the bus',
    remedy: 'look for `Xid` in `dmesg -T` and see whether `nvidia-smi` answers',
  },
];

const IMPORTS: Reason = {
  why: 'Python imports from a slow network share, or with cold caches',
  remedy: 'keep the environment on a local disk, or wait once: the second start is fast',
};
const P2P: Reason = {
  why: 'GPU peer-to-peer copies that the host cannot do (IOMMU, ACS, a virtual machine): NCCL or the all-reduce check waits for ever',
  remedy:
    'try once with `NCCL_P2P_DISABLE=1` and `--disable-custom-all-reduce`; then turn off IOMMU and ACS in the BIOS',
};
const ABSENT: Reason = {
  why: 'A rank that never came: it died, or its GPU hangs',
  remedy: 'look for a traceback of another rank above in the log, and for `Xid` in `dmesg -T`',
};
const WAITS: Reason = {
  why: 'A rank that waits for another in NCCL: who waits shows 100 % of CPU and GPU and does nothing',
  remedy: 'compare the stacks below, or ask `ncclras -v` on the host: the rank that is behind is the cause',
};
const DISK_FULL: Reason = { why: 'A full disk', remedy: 'see `df -h` for the folder that it writes to' };
const HUB: Reason = {
  why: 'The hub holds back who comes without a token, or the network drops the transfer',
  remedy: 'set `HF_TOKEN`, stop, and fetch the model first with `hf download MODEL`; it goes on where it stopped',
};

/** In the order of display. */
export const REASONS: Readonly<Partial<Record<Phase, readonly Reason[]>>> = {
  launched: [
    IMPORTS,
    {
      why: 'A prelude that asks for something (`conda`, a password)',
      remedy: 'run its lines by hand over SSH, without a terminal',
    },
    ...ANYWHERE,
  ],
  configuring: [
    IMPORTS,
    {
      why: 'The hub is asked for the model’s configuration and does not answer',
      remedy: 'give a local folder as the model, or set `HF_HUB_OFFLINE=1` where it is cached',
    },
    ...ANYWHERE,
  ],
  connecting: [
    P2P,
    {
      why: 'NCCL or Gloo took an interface that leads nowhere (docker0, a VPN)',
      remedy:
        'set `NCCL_SOCKET_IFNAME` and `GLOO_SOCKET_IFNAME`, and `VLLM_HOST_IP`; `NCCL_DEBUG=INFO` tells which was taken',
    },
    {
      why: '`/dev/shm` is too small (a container without `--shm-size`)',
      remedy: 'see `df -h /dev/shm`; give it some GB',
    },
    ABSENT,
  ],
  downloading: [
    HUB,
    {
      why: 'Another process holds the download’s lock',
      remedy: 'look who has a file below the hub cache’s `.locks` open (`fuser`), and let it finish or end it',
    },
    DISK_FULL,
  ],
  loading: [
    {
      why: 'Weights on a slow network share (NFS), read in small pieces',
      remedy: 'copy them to a local disk, or start with `--safetensors-load-strategy eager`',
    },
    { ...HUB, why: `It still downloads: vLLM prints nothing while it does. ${HUB.why}` },
    P2P,
    ...ANYWHERE.slice(1),
  ],
  compiling: [
    {
      why: 'torch.compile of a large model on few CPUs: cold, it takes many minutes',
      remedy: 'wait, or give the process more CPUs (`nproc`, cgroup); `--enforce-eager` starts without',
    },
    {
      why: 'Another process holds a lock in the compile cache',
      remedy: 'look who else compiles (`ps`), or give this run a `VLLM_CACHE_ROOT` of its own',
    },
    DISK_FULL,
    WAITS,
  ],
  kv_cache: [
    {
      why: 'Kernels are compiled or tuned for this GPU (DeepGEMM, FlashInfer): silent for minutes the first time',
      remedy: 'wait; the next start finds them in the cache',
    },
    WAITS,
    ...ANYWHERE.slice(1),
  ],
  capturing: [
    {
      why: 'Kernels are compiled for this GPU the first time',
      remedy: 'wait; `--enforce-eager` starts without CUDA graphs',
    },
    WAITS,
    ...ANYWHERE.slice(1),
  ],
  verifying: [
    WAITS,
    {
      why: 'The first request compiles kernels, or the engine hangs behind a server that answers `/health`',
      remedy: 'ask it for one completion by hand, and look for `No available shared memory broadcast block` in its log',
    },
    {
      why: 'It answers, but nothing shows that the answer is this run’s: a container’s network, or another process on its port',
      remedy: 'see who has the port (`ss -ltnp`), and serve on the host’s own network',
    },
  ],
  target_starting: [
    {
      why: 'The target server loads, downloads or hangs, and the script waits for it in silence',
      remedy: 'read the target server’s own log; what holds for a server’s phases holds for it',
    },
    HUB,
    P2P,
  ],
  preparing: [
    {
      why: 'Hidden states are asked of a target server that does not answer',
      remedy: 'ask it for one completion, and read the end of its log',
    },
    {
      why: 'A data set that is fetched or tokenised anew',
      remedy: 'look at the bytes below the data set’s cache; a second run finds it there',
    },
    ABSENT,
    DISK_FULL,
  ],
  training: [
    WAITS,
    {
      why: 'Data that comes too slowly: a DataLoader worker that is stuck, or a target server that gives no hidden states',
      remedy: 'look at the stacks of the workers; try with fewer of them (`num_workers=0`), and ask the target server',
    },
    ABSENT,
    DISK_FULL,
  ],
  checkpointing: [
    DISK_FULL,
    {
      why: 'A network share that takes the checkpoint slowly, or not at all',
      remedy: 'see whether the checkpoint’s folder grows (`du -sh`), and save to a local disk',
    },
    WAITS,
  ],
};
