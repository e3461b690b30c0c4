/** What a run's processes have used, and what else shows that work gets done. Sizes are bytes unless a name says otherwise. */

import type { Exit, RunFolder, Started } from './launch.ts';
import type { HubId } from './preflight.ts';
import type { Pid, ProcessState } from './process.ts';

export interface SampleTarget extends RunFolder {
  readonly started: Started;
}

/** One look at a run on its host. Counters are sums over the run's process tree. */
export interface Sample {
  /** Host time, ms. */
  readonly at: number;
  readonly bootId: string;
  readonly init: number;
  /** The main process runs (a zombie doesn't); where /proc hides it from this user, its launcher still waits for it. */
  readonly alive: boolean;
  /** The exit record, or null while there is none. */
  readonly exit: Exit | null;
  /** Size of the log behind its name now, or null where there is none. */
  readonly logSize: number | null;
  /** The tree as last looked at (it is looked at less often than `alive`), main process included, without what /proc hides from this user; null = not looked at in this sample. */
  readonly tree: readonly ProcessLook[] | null;
}

/** A process of a run, and what it has used since it began. Processes come and go: only what one and the same has used between two looks says anything. */
export interface ProcessLook extends Pid {
  /** Hundredths of a second, as a rule (CLK_TCK); those of its children that have ended included: a compiler's may be there for a moment each. */
  readonly cpuTicks: number;
  readonly minorFaults: number;
  readonly majorFaults: number;
  readonly rssPages: number;
  /** From and to disks, not the page cache; null where this user may not read it. */
  readonly readBytes: number | null;
  readonly writeBytes: number | null;
  /** Bytes that it asked for by read(2), wherever they came from (the page cache, FUSE); null where this user may not read it. */
  readonly readChars: number | null;
}

/** What is looked at beside the samples while a log is silent. */
export interface WorkQuestion {
  /** Folders whose files' bytes are summed up: from `/` or `~/` on. */
  readonly folders: readonly string[];
  /** Models that may be coming from the hub: all bytes below their folder of the cache; `environment` as the process has it. */
  readonly hub: readonly HubId[];
  readonly environment: Readonly<Record<string, string>>;
  /** Processes that the kernel is asked about; at most 256. */
  readonly pids: readonly Pid[];
}

export interface WorkView {
  /** Host time, ms. */
  readonly at: number;
  /** By path, or hub id: bytes of its files on disk (blocks of sparse files, not their length); null where there is no such folder, or it takes too long to count. */
  readonly bytes: ReadonlyMap<string, number | null>;
  /** By hub id: bytes of the model's weights, where its index is cached already. */
  readonly totals: ReadonlyMap<string, number>;
  /** Hub ids of which a file is not whole yet: a download that goes on, or that broke off. */
  readonly partial: ReadonlySet<string>;
  /** Bytes that the host received on all interfaces but loopback. */
  readonly received: number | null;
  /** Those of the processes that live, with what they have used by now. */
  readonly tree: readonly ProcessLook[];
  readonly states: readonly ProcessState[];
}
