/**
 * What a job is given: interfaces. The edges (src/ssh, src/slack, src/queue) implement them, jobs and tests use them.
 * Times are milliseconds since the epoch; `at` is the host's clock, `seen` is ours. Sizes are bytes unless a name says otherwise.
 */

import type { ServerAddress } from './address.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import type { HubId, PreflightFacts, PreflightQuestion } from './preflight.ts';

/** Wall clock in ms since the epoch; tests pass their own. */
export interface Clock {
  now(): number;
}

/** A process on a host, safe against pid reuse: `start` is field 22 of /proc/PID/stat (clock ticks since boot). */
export interface Pid {
  readonly pid: number;
  readonly start: number;
}

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

/** Which log, in which state: another generation is another file behind the same name. `sum` covers the first `summed` bytes (at most 256). */
export interface Generation {
  readonly device: string;
  readonly inode: string;
  readonly sum: string;
  readonly summed: number;
}

export interface LogPosition {
  readonly generation: Generation | null;
  /** Byte offset of the next byte to deliver. */
  readonly offset: number;
}

export interface FollowTarget extends RunFolder {
  readonly log: string;
  /**
   * Of a log whose path a person typed: what it is after `realpath` on the host, as it was allowed. At every opening the opened descriptor must
   * be a regular file at exactly that path, else following throws HostRefused: a link that was set in its place later leads nowhere. null for
   * a path that stands in vigil.yaml or was found by a patrol.
   */
  readonly real: string | null;
  /** Which of the run's logs: each has one follower at a time. */
  readonly role: 'main' | 'target';
  readonly from: LogPosition;
}

export type LogChunk =
  /** First of all, and again when another file is behind the name; delivery goes on at `offset` of this generation. */
  | {
      readonly kind: 'opened';
      readonly generation: Generation;
      readonly size: number;
      readonly offset: number;
      /** Bytes before `offset` that a first look passes over, since the log is too long to be read whole; else 0. */
      readonly skipped: number;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The file as it is known by now: a checksum over more of its first bytes takes the place of the one before. */
  | { readonly kind: 'known'; readonly generation: Generation }
  /** Bytes may have been lost before they could be read; how many can't be known. Comes right behind `opened`. */
  | { readonly kind: 'lost'; readonly why: LossReason }
  /** Nothing is behind the name: it is waited for. Said at once and every few seconds. */
  | { readonly kind: 'missing' };

/** 'cut' = the file was cut or overwritten, and begun anew; 'replaced' = another file stands in its place, and what came before can't be found. */
export type LossReason = 'cut' | 'replaced';

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
  /** Hundredths of a second, as a rule (CLK_TCK). */
  readonly cpuTicks: number;
  readonly minorFaults: number;
  readonly majorFaults: number;
  readonly rssPages: number;
  /** From and to disks, not the page cache; null where this user may not read it. */
  readonly readBytes: number | null;
  readonly writeBytes: number | null;
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
  /** Bytes that the host received on all interfaces but loopback. */
  readonly received: number | null;
  /** Those of the processes that live, with what they have used by now. */
  readonly tree: readonly ProcessLook[];
  readonly states: readonly ProcessState[];
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

export interface Exit {
  /** Exit code, or null when a signal ended it. */
  readonly code: number | null;
  /** Signal number, or null. */
  readonly signal: number | null;
  /** Host time, ms. */
  readonly at: number;
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

/** A file that a patrol's patterns match. */
export interface PatrolFile {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  /** Host time of the last write, ms. */
  readonly modified: number;
  /** Checksum of the first `summed` bytes (at most 64); null where the caller knew the file in this size. */
  readonly head: { readonly sum: string; readonly summed: number } | null;
}

/** What a patrol knew of a file: its checksum is not taken again while device, inode and size are these. */
export type KnownFile = Pick<PatrolFile, 'path' | 'device' | 'inode' | 'size'>;

export interface PatrolView {
  /** Host time, ms. */
  readonly now: number;
  readonly facts: Pick<HostFacts, 'bootId' | 'init'>;
  readonly files: readonly PatrolFile[];
}

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

/** Where a path that a person typed leads: told of the opened file, whatever its name means by then. */
export type LogLook =
  | {
      readonly kind: 'log';
      /** The real path: absolute, no part of it a link. */
      readonly path: string;
      readonly generation: Generation;
      readonly size: number;
      /** Host time of the last write, ms. */
      readonly modified: number;
      /** Host time, ms. */
      readonly now: number;
      readonly facts: Pick<HostFacts, 'bootId' | 'init'>;
    }
  /** It may not be watched; `real` is the real path where it could be opened, else null. */
  | { readonly kind: 'refused'; readonly why: LogRefusal; readonly real: string | null };

/** 'kernel' = a file of /proc or /sys; 'outside' = no glob matches its real path. */
export type LogRefusal = 'missing' | 'unreadable' | 'folder' | 'pipe' | 'device' | 'kernel' | 'outside';

/** A look into a file from a byte on. */
export interface Peek {
  readonly generation: Generation;
  readonly size: number;
  /** 1-based number of the line in which byte `from` stands; null where it was not asked for. */
  readonly line: number | null;
  /** The last bytes of what stands from `from` on, at most `most`, as UTF-8. */
  readonly text: string;
}

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

/**
 * A GPU host. Every call may throw HostUnreachable (try again), HostRefused (a person must act) or CommandFailed.
 * `signal` aborts the call and closes its channel; the connection is shared and stays.
 */
export interface Host {
  readonly name: string;
  facts(signal: AbortSignal): Promise<HostFacts>;
  /** Starts the run unless it was started or voided before; safe to call again after any failure. */
  launch(spec: LaunchSpec, signal: AbortSignal): Promise<LaunchOutcome>;
  /** Looks at what `launch` would meet, for a dry run: starts nothing, leaves nothing on the host. The port and the GPUs are asked for by themselves. */
  find(spec: LaunchSpec, signal: AbortSignal): Promise<Outlook>;
  /** All that a preflight asks, in one round trip: writes nothing, starts no Python. What takes too long is told as silent, each by itself. */
  preflight(question: PreflightQuestion, signal: AbortSignal): Promise<PreflightFacts>;
  /** Makes sure that a run which has not started yet never will; says whether it had started. */
  voidClaim(
    folder: RunFolder,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'void' } | { readonly kind: 'started'; readonly started: Started }>;
  /** Follows the log from a position, by descriptor; ends only by `signal` or an error. A new follower of a run ends the former one. */
  follow(target: FollowTarget, signal: AbortSignal): AsyncIterable<LogChunk>;
  /** A sample about once a second, from the host's one sampler; ends only by `signal` or an error. */
  samples(target: SampleTarget, signal: AbortSignal): AsyncIterable<Sample>;
  /** The run's processes now: by parent, by session and by the VIGIL_RUN mark. */
  tree(target: SampleTarget, signal: AbortSignal): Promise<readonly Pid[]>;
  /** Sends a signal to those of the pids that still are the same processes and that the SSH user may signal. */
  kill(pids: readonly Pid[], name: 'TERM' | 'KILL', signal: AbortSignal): Promise<void>;
  /**
   * TERM to those of the pids that still are the same processes, once a run folder, however often and by how many it is asked for: 'before' =
   * it had been given. With 'groups' it goes to the process group of each, once a group; of a group that holds `spared` only the given pids
   * get it, without vLLM's children, which their server ends. Where there is no run folder it is given each time.
   */
  terminate(order: Terminate, signal: AbortSignal): Promise<'given' | 'before'>;
  /**
   * Ends what begins from now on with the run's mark, for a fraction of a second, longer while there is something to end: processes that live
   * for a moment and start the next one are in no tree.
   */
  sweep(target: SampleTarget, signal: AbortSignal): Promise<Swept>;
  /** About those of the pids that still run. */
  left(pids: readonly Pid[], signal: AbortSignal): Promise<readonly Leftover[]>;
  /** Those of the pids that still run (zombies and reused pids don't count). */
  running(pids: readonly Pid[], signal: AbortSignal): Promise<readonly Pid[]>;
  /** The files that match the globs (`~/` is the SSH user's home), those written last first, at most 200. */
  patrol(question: { globs: readonly string[]; known: readonly KnownFile[] }, signal: AbortSignal): Promise<PatrolView>;
  /** Who writes a file, told by open descriptors; empty where nobody does or this user may not see it. */
  writers(path: string, signal: AbortSignal): Promise<readonly Writer[]>;
  /** Opens the log that a path leads to and says what it is; 'refused' unless it is a regular file at a real path that one of the globs matches. */
  look(question: { path: string; globs: readonly string[] }, signal: AbortSignal): Promise<LogLook>;
  /** Those of the processes that run (`start` null: whatever has the pid now), with all that descend from them. */
  family(
    roots: readonly { readonly pid: number; readonly start: number | null }[],
    signal: AbortSignal,
  ): Promise<Family>;
  /** Looks into a file; null where it is gone. Counting the lines before `from` reads all of them. */
  peek(
    path: string,
    range: { from: number; most: number; countsLines: boolean },
    signal: AbortSignal,
  ): Promise<Peek | null>;
  /** The GPUs and who computes on them; null where nvidia-smi can't be asked. */
  gpus(signal: AbortSignal): Promise<readonly GpuUse[] | null>;
  /** The same for a stop, which goes on without an answer and says why there is none. */
  gpuView(signal: AbortSignal): Promise<GpuView>;
  /** What may show that work gets done although the log is silent. */
  work(question: WorkQuestion, signal: AbortSignal): Promise<WorkView>;
  /** What NCCL's RAS says there (`host:port` on the host), as text, within 9 s as a rule; null where nobody listens, or it can't be asked. It is read-only. */
  ras(address: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<string | null>;
  /** Stacks of processes of a run, 10 s at most, once and without stopping them (py-spy dump --nonblocking, without locals). */
  stacks(pids: readonly Pid[], signal: AbortSignal): Promise<readonly StackDump[]>;
  stopView(
    target: SampleTarget,
    question: { pids: readonly Pid[]; address: ServerAddress | null },
    signal: AbortSignal,
  ): Promise<StopView>;
  /** Who listens there: ss where present, else /proc/net/tcp{,6} and /proc/PID/fd. */
  listener(address: ServerAddress, signal: AbortSignal): Promise<Listener>;
  /** One HTTP request to a server on the host: through SSH forwarding, else by curl on the host (headers on its stdin). */
  http(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** Run folders of this instance under the host's state folder, live or not. */
  runs(signal: AbortSignal): Promise<readonly string[]>;
  recall(folder: RunFolder, signal: AbortSignal): Promise<Recalled>;
  /** Makes a run folder, as `recall` reads it, for a process that somebody else started; `request` as in LaunchSpec. Safe to call again. */
  remember(what: { folder: RunFolder; started: Started; request: string }, signal: AbortSignal): Promise<void>;
  /** Removes the run folders of this instance whose run ended more than `days` ago, but none of `keep` (run ids) and none of a run that lives. Returns how many. */
  clean(question: { readonly days: number; readonly keep: readonly string[] }, signal: AbortSignal): Promise<number>;
}

/** All hosts of the configuration, by name; throws HostUnreachable for a name that vigil.yaml doesn't hold. */
export interface Hosts {
  get(name: string): Host;
  close(): Promise<void>;
}
