/**
 * What a job is given: interfaces. The edges (src/ssh, src/slack, src/queue) implement them, jobs and tests use them.
 * Times are milliseconds since the epoch; `at` is the host's clock, `seen` is ours. Sizes are bytes unless a name says otherwise.
 */

import type { ServerAddress } from './address.ts';
import type { GpuUse } from './host/gpu.ts';
import type { HostFacts, LaunchOutcome, LaunchSpec, Outlook, Recalled, RunFolder, Started } from './host/launch.ts';
import type { FollowTarget, KnownFile, LogChunk, LogLook, PatrolView, Peek } from './host/log.ts';
import type { PreflightFacts, PreflightQuestion, Room } from './host/preflight.ts';
import type { Family, Listener, Pid, StackDump, Writer } from './host/process.ts';
import type { Sample, SampleTarget, WorkQuestion, WorkView } from './host/sample.ts';
import type { GpuView, Leftover, StopView, Swept, Terminate } from './host/stop.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';

/** Wall clock in ms since the epoch; tests pass their own. */
export interface Clock {
  now(): number;
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
  /** Looks into a file; null where it is gone, or another one than `real` where that is given. Counting the lines before `from` reads all of them. */
  peek(
    path: string,
    range: { from: number; most: number; countsLines: boolean; real?: string | null },
    signal: AbortSignal,
  ): Promise<Peek | null>;
  /** Room on the file systems of those paths (from `/` or `~/` on); one that df can't tell of is left out. */
  room(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Room>>;
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
