/** Two looks compared: what has moved between them that can't move unless work gets done. Plain data, saved with a run. */

import type { Pid } from '../host/process.ts';
import type { ProcessLook } from '../host/sample.ts';
import type { Look, RasMismatch } from './look.ts';

/** All that was seen of a run at about one moment. */
export interface Evidence {
  /** Host time, ms. */
  readonly at: number;
  /** null where no process of it can be seen. */
  readonly tree: readonly ProcessLook[] | null;
  /** null while none was asked for. */
  readonly look: Look | null;
}

export interface Motion {
  /** Host time of the later look, and the time between the two (ms). */
  readonly at: number;
  readonly overMs: number;
  /** Empty: nothing that can't move without work has moved. */
  readonly moved: readonly Moved[];
  /** Cores in use, all processes together (1.99); null where no process can be seen. Proves nothing: a rank that waits spins. */
  readonly cores: number | null;
  /** The highest utilisation of its GPUs (%), or null. Proves nothing either. */
  readonly gpuUse: number | null;
  /** NCCL operations whose last ranks stood at the same count in both looks: a hang. */
  readonly behind: readonly RasMismatch[];
  /** Cores in use by the ranks that are last in `behind`: one that works alone is no hang. null where none of them can be seen. */
  readonly behindCores: number | null;
  /** A process of it wants a core in both looks, though a busy host may give it next to nothing. Proves nothing. */
  readonly isRunnable: boolean;
  /** A large process of it is stopped, or held by a debugger, in both looks. */
  readonly isHalted: boolean;
  /** What has come of a download that is not whole, and what it will be in the end (bytes; null where that is not known); null where there is none. */
  readonly coming: { readonly bytes: number; readonly total: number | null } | null;
  /** Ranks of it that don't answer NCCL's RAS, and what else was seen to stand in its way, a sentence each. */
  readonly troubles: readonly string[];
  /** The large processes whose stacks may tell most, at most 4: those that use no CPU first. */
  readonly suspects: readonly Pid[];
}

export interface Moved {
  readonly what:
    | 'read'
    | 'written'
    | 'memory'
    | 'gpu_memory'
    | 'download'
    | 'compile_cache'
    | 'checkpoint'
    | 'hidden_states'
    | 'nccl';
  /** Bytes, or NCCL operations, that were added between the looks (of memory: the size of the change, either way). */
  readonly amount: number;
  /** Where it stood before and stands now, in the same unit; null where only the difference is known. */
  readonly from: number | null;
  readonly to: number | null;
  /** What it will be in the end, where that is known; else null. */
  readonly total: number | null;
}
