/** Processes of a host. Times are ms since the epoch, on the host's clock. */

/** A process on a host, safe against pid reuse: `start` is field 22 of /proc/PID/stat (clock ticks since boot). */
export interface Pid {
  readonly pid: number;
  readonly start: number;
}

export interface ProcessState extends Pid {
  /** `R`, `S`, `D` … */
  readonly state: string;
  /** Kernel function that it sleeps in (`hrtimer_nanosleep`); '' where it runs, or the host doesn't say. */
  readonly wchan: string;
  readonly name: string;
}

/** A stack of a process that seems stuck. */
export interface StackDump extends Pid {
  /** 'proc' = py-spy is not there, or may not: what /proc says. */
  readonly by: 'py-spy' | 'proc';
  /** At most 4 KB. */
  readonly text: string;
}

/** Who listens on a port of the host. */
export type Listener =
  | { readonly kind: 'closed' }
  /** The listening process is known; `command` is its command line cut to 400 characters (it may hold secrets), `run` the run that it belongs to, also of another Vigil, `user` its owner (null where unreadable), `since` its start, host time ms. */
  | {
      readonly kind: 'known';
      readonly pid: number;
      readonly command: string;
      readonly run: string | null;
      readonly user: string | null;
      readonly since: number | null;
    }
  /** Something listens, whose process this user may not see. */
  | { readonly kind: 'unknown' };

/** A process that writes a file, or one of the process group of such a one that only passes a pipe on (`tee`). */
export interface Writer extends Pid {
  readonly parent: number;
  readonly group: number;
  /** Name of its program (`comm`). */
  readonly name: string;
  /** 'open' = it has the file open for writing; 'group' = it belongs to the group of a writer that reads from a pipe. */
  readonly by: 'open' | 'group';
  /** Its command line, cut to 400 characters; it may hold secrets. */
  readonly command: string;
  /** null where unreadable. */
  readonly user: string | null;
  /** Host time of its start, ms; null where unreadable. */
  readonly since: number | null;
  /** The run that it belongs to, of whatever Vigil (VIGIL_RUN in its environment), or null. */
  readonly run: string | null;
}

/** A process as it is looked at one by one. */
export interface Process extends Pid {
  readonly parent: number;
  readonly group: number;
  /** Name of its program (`comm`). */
  readonly name: string;
  /** The words of its command line, all together cut to 16 KB; they may hold secrets. Empty of a kernel thread, and where unreadable. */
  readonly argv: readonly string[];
  /** null where unreadable. */
  readonly user: string | null;
  /** Host time of its start, ms; null where unreadable. */
  readonly since: number | null;
  /** The run that it belongs to, of whatever Vigil (VIGIL_RUN in its environment), or null. */
  readonly run: string | null;
}

export interface Family {
  /** Parents before their children. */
  readonly processes: readonly Process[];
  /** The connection that asks descends from one of them. */
  readonly hasSelf: boolean;
}
