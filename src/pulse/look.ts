/** What is looked at to tell slow from stuck: counters that can't move unless work gets done, and those that prove nothing beside them. */

import type { ProcessState } from '../host/process.ts';

/** One look beyond a sample; null where it was not asked for or can't be told. */
export interface Look {
  /** Host time, ms. */
  readonly at: number;
  /** GPUs of the run: memory in use by all on it (MiB) and nvidia-smi's utilisation (%, which proves nothing: a rank that waits shows 100). */
  readonly gpus: readonly GpuLook[] | null;
  /** The host answers, and its nvidia-smi doesn't. */
  readonly isSmiSilent: boolean;
  readonly folders: readonly FolderLook[];
  /** Bytes that the host received, all interfaces but loopback; host-wide, so it proves nothing alone. */
  readonly received: number | null;
  /** What the kernel says of the run's processes; empty where it was not asked. */
  readonly states: readonly ProcessState[];
  /** What NCCL's RAS said, parsed; null where nobody listens there or it is another job's. */
  readonly ras: RasView | null;
}

export interface GpuLook {
  readonly uuid: string;
  readonly index: string;
  readonly usedMib: number | null;
  readonly utilization: number | null;
}

/** Where bytes arrive on disk. */
export interface FolderLook {
  readonly role: 'download' | 'compile_cache' | 'checkpoint' | 'hidden_states';
  readonly path: string;
  readonly bytes: number;
  /** What it will hold in the end, where that is known; else null. */
  readonly total: number | null;
  /** A file of it is not whole yet: of a download alone. */
  readonly isPartial: boolean;
}

/** NCCL RAS of one job, only what ranks of this run say. */
export interface RasView {
  /** Operation counts that differ between the ranks of a communicator. Empty: all ranks are level. */
  readonly mismatches: readonly RasMismatch[];
  /** Ranks that don't answer RAS, or that it calls dead or aborted, a sentence each. */
  readonly troubles: readonly string[];
}

export interface RasMismatch {
  readonly communicator: string;
  /** `AllReduce`. */
  readonly operation: string;
  /** Of all its ranks, those too that are only counted. */
  readonly highest: number;
  readonly lowest: number;
  /** Those that are named: of many, the few that differ. */
  readonly ranks: readonly {
    readonly rank: number;
    readonly count: number;
    readonly pid: number;
    readonly gpu: string;
    /** The host of its process, where the ranks that were told of are on several. */
    readonly node?: string;
  }[];
}
