/** What stands in the way of a launch, and whose it is: plain data, saved with a run that waits. */

export type Holder = RunHolder | ProcessHolder | MemoryHolder;

/** A live run of this Vigil. */
export interface RunHolder {
  readonly kind: 'run';
  /** 'port 8000', 'GPU 0', 'log /root/vllm-serve.log': of what is wanted, what this run has. */
  readonly what: readonly string[];
  readonly run: string;
  readonly name: string;
  readonly recipe: string;
  readonly by: string;
  /** Our clock, ms. */
  readonly since: number;
}

/** A process that nobody's live run here stands for. */
export interface ProcessHolder {
  readonly kind: 'process';
  readonly what: readonly string[];
  readonly pid: number;
  /** Masked and cut. */
  readonly command: string;
  /** null where unreadable; so are `since` (host time, ms) and `run`, the run that it says it belongs to, of whatever Vigil. */
  readonly user: string | null;
  readonly since: number | null;
  readonly run: string | null;
}

/** Memory in use by processes that the host does not show. */
export interface MemoryHolder {
  readonly kind: 'memory';
  readonly what: readonly string[];
  readonly usedMib: number;
  /** null where it is not told. */
  readonly totalMib: number | null;
}

/** A launch that stands in the line of its host. */
export interface Waiting {
  /** Names of those that stand before it and wait for some of the same things, in order. */
  readonly ahead: readonly string[];
  /** How many GPUs it asks for, where too few are free; else null. */
  readonly count: number | null;
  /** What it waits for, as far as somebody has it. */
  readonly holders: readonly Holder[];
  /** Why nobody can say more, as a sentence; null while the host answers. */
  readonly why: string | null;
  /** Ids of runs that must have ended before: those that this one replaces. */
  readonly after: readonly string[];
}

/** The GPUs that a run has. */
export interface Placement {
  /** As CUDA_VISIBLE_DEVICES takes them: indexes as nvidia-smi counts them, UUIDs of MIG devices. */
  readonly devices: readonly string[];
  /** The same by all their names, as the holds are written down. */
  readonly holds: readonly string[];
  /** Our clock, ms: when they were seen to be free of others; null where nobody could look. */
  readonly freeAt: number | null;
}

/** GPUs that were found in use right before the start, though the launch had been accepted. */
export interface Taken {
  /** Our clock, ms; null where nobody had looked before. */
  readonly freeAt: number | null;
  readonly holders: readonly Holder[];
}
