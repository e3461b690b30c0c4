/** A host's GPUs. */

/** A GPU and who computes on it, as nvidia-smi tells it. Memory is in MiB, null where it is not told (MIG, containers, old cards). */
export interface GpuUse {
  readonly index: string;
  readonly uuid: string;
  readonly name: string;
  readonly totalMib: number | null;
  readonly usedMib: number | null;
  /** Not total − used: the driver keeps some for itself. */
  readonly freeMib: number | null;
  /** %, which proves no work: a rank that waits for another shows 100. */
  readonly utilization: number | null;
  /** MIG mode is on: only `migs` can be computed on, and there may be none yet. */
  readonly isMig: boolean;
  readonly migs: readonly { readonly uuid: string; readonly name: string }[];
  /** Those on its MIG devices too. */
  readonly processes: readonly GpuProcess[];
}

export interface GpuProcess {
  readonly pid: number;
  /** As nvidia-smi names it. */
  readonly command: string;
  readonly usedMib: number | null;
  /** null where unreadable, and in a container where the pid may be one of the host's; so are `since` and `run`. */
  readonly user: string | null;
  /** Host time of its start, ms. */
  readonly since: number | null;
  /** The run that it or one of its parents belongs to, of whatever Vigil (VIGIL_RUN in its environment), or null. */
  readonly run: string | null;
}
