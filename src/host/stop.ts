/** What a stop does and sees. */

import type { GpuUse } from './gpu.ts';
import type { Exit, RunFolder } from './launch.ts';
import type { Listener, Pid } from './process.ts';

/** A process of a run that still runs. */
export interface Remaining extends Pid {
  readonly parent: number;
  /** As /proc/PID/stat has it: D is caught in the kernel, Z dead but for a thread that is. */
  readonly state: string;
  /** This SSH user may signal it. */
  readonly isOurs: boolean;
}

/** What a person wants to know of a process that a stop left. */
export interface Leftover {
  readonly pid: number;
  readonly state: string;
  /** null where unreadable. */
  readonly user: string | null;
  readonly isOurs: boolean;
  /** Its command line, cut to 400 characters (it may hold secrets); its name where it has none. */
  readonly command: string;
}

export interface StopView {
  /** Of the given pids, those still running (zombies and reused pids don't count). */
  readonly running: readonly Remaining[];
  /** Of the given pids, those that another user's process has now, on a host that hides such (hidepid): whether it is the same one is unknown. */
  readonly hidden: readonly Pid[];
  readonly exit: Exit | null;
  /** Its launcher, which writes the exit record, still runs. */
  readonly hasLauncher: boolean;
  /** null where no address was asked about. */
  readonly listener: Listener | null;
}

/** What nvidia-smi says to a stop. */
export interface GpuView {
  /** null where it can't be asked. */
  readonly gpus: readonly GpuUse[] | null;
  /** Why it proves nothing, or null. 'hidden' = GPU memory is in use by processes that it doesn't name here (a container); 'hanging' = an older nvidia-smi hangs. */
  readonly doubt: 'missing' | 'silent' | 'hanging' | 'hidden' | null;
}

/** What a sweep ended. */
export interface Swept {
  readonly pids: readonly number[];
  /** false = new ones came to the last. */
  readonly isQuiet: boolean;
}

/** A stop's first signal. 'each': to each of the pids; 'groups': see Host.terminate. */
export interface Terminate {
  readonly folder: RunFolder;
  readonly pids: readonly Pid[];
  /** The launcher's session: it never gets the signal. */
  readonly spared: number;
  readonly to: 'each' | 'groups';
}
