/** Starting a run on a host, and what is known of it there. Times are ms since the epoch; `at` is the host's clock. */

import type { Pid } from './process.ts';

/** What is asked of a host once per connection. */
export interface HostFacts {
  /** The host's clock when it answered, ms since the epoch. */
  readonly now: number;
  /** Minutes east of UTC of the host's local time: vLLM stamps its lines in local time, without year or zone. */
  readonly zoneMinutes: number;
  readonly bootId: string;
  /** Start time of PID 1 in clock ticks: changes with a container restart although the boot id stays. 0 where /proc hides it from this user. */
  readonly init: number;
  readonly hasBash: boolean;
}

/** Where a run's state stands on the host: `<state_dir>/<instance>/<host>/<run>`; a leading `~/` is the SSH user's home. */
export interface RunFolder {
  readonly path: string;
  readonly run: string;
}

export interface LaunchSpec extends RunFolder {
  readonly argv: readonly string[];
  /** Values travel on the launcher's stdin only. VIGIL_RUN is added by the launcher. */
  readonly environment: Readonly<Record<string, string>>;
  /** Shell text run before argv (in bash where the host has it), or null. It ends in exec "$@" by itself. */
  readonly prelude: string | null;
  readonly directory: string | null;
  /** The log's path, or null for `log` in the run folder. */
  readonly log: string | null;
  /** Logs that the command itself will write (a training's target server): older ones are moved aside like `log`, none is made. */
  readonly aside: readonly string[];
  /** What was asked for, without secrets, kept in the run folder: a Vigil that lost its Redis reads it there. */
  readonly request: string;
}

/** What a run folder says about its run. */
export interface Recalled {
  /** LaunchSpec.request, or null where there is none. */
  readonly request: string | null;
  /** null when the run never started. */
  readonly started: Started | null;
  readonly isAlive: boolean;
}

/** A process that was started, whether by this call or by an earlier one. */
export interface Started {
  readonly main: Pid;
  /** Session of the launcher: what it starts has this session unless it makes one of its own. */
  readonly session: number;
  readonly bootId: string;
  readonly init: number;
  /** Absolute path of the log on the host. */
  readonly log: string;
  /** An older log that was moved aside, or null. */
  readonly movedLog: string | null;
  /** The shell that ran the prelude: null without a prelude. */
  readonly preludeShell: 'bash' | 'sh' | null;
  /** Host time of the start, ms. */
  readonly at: number;
  /** What may still end the run although it started, each a sentence for people. */
  readonly warnings: readonly string[];
}

export type LaunchOutcome =
  | { readonly kind: 'started'; readonly started: Started }
  /** This run has been started before: nothing was started now. */
  | { readonly kind: 'already'; readonly started: Started }
  /** Nothing was started and nothing will be: a sentence that says what was found, what was expected, what to do. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A stop came first: the claim is void. */
  | { readonly kind: 'void' };

/** What a launch would meet on its host, found without starting, making or moving anything. */
export interface Outlook {
  /** Absolute path of the file that argv[0] is found as, or null. A prelude may still change PATH: with one, null is no obstacle. */
  readonly program: string | null;
  /** The PATH that argv[0] is looked up on: the recipe's own, else that of the SSH login. */
  readonly path: string;
  /** Absolute path of the working directory. */
  readonly directory: string;
  /** Absolute path of the log. */
  readonly log: string;
  /** Bytes of an older log there, which a launch moves aside; null where there is none. */
  readonly olderLog: number | null;
  /** What a launch would be refused for now, each a sentence for people; empty where nothing stands in its way. */
  readonly obstacles: readonly string[];
  /** What a launch would go on with and tell in its thread, each a sentence for people. */
  readonly warnings: readonly string[];
}

export interface Exit {
  /** Exit code, or null when a signal ended it. */
  readonly code: number | null;
  /** Signal number, or null. */
  readonly signal: number | null;
  /** Host time, ms. */
  readonly at: number;
}
