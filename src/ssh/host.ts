/** A GPU host over SSH. */

import { randomBytes } from 'node:crypto';
import type { ServerAddress } from '../address.ts';
import type { HostConfig } from '../config/config.ts';
import type { GpuUse } from '../host/gpu.ts';
import type { HostFacts, LaunchOutcome, LaunchSpec, Outlook, Recalled, RunFolder, Started } from '../host/launch.ts';
import type { FollowTarget, KnownFile, LogChunk, LogLook, PatrolView, Peek } from '../host/log.ts';
import type { PreflightFacts, PreflightQuestion, Room } from '../host/preflight.ts';
import type { Family, Listener, Pid, StackDump, Writer } from '../host/process.ts';
import type { Sample, SampleTarget, WorkQuestion, WorkView } from '../host/sample.ts';
import type { GpuView, Leftover, StopView, Swept, Terminate } from '../host/stop.ts';
import type { HttpAnswer, HttpRequest } from '../http.ts';
import { parseClean, renderClean } from '../shell/clean.ts';
import { FACTS, parseFacts, parseRuns, renderRuns } from '../shell/facts.ts';
import { parseFamily, renderFamily } from '../shell/family.ts';
import { parseFind, renderFind } from '../shell/find-program.ts';
import { parseLaunch, renderLaunch, renderVoid } from '../shell/launch.ts';
import { parseListener, renderListener } from '../shell/listener.ts';
import { parseLook, renderLook } from '../shell/look.ts';
import { parsePatrol, renderPatrol } from '../shell/patrol.ts';
import { parsePeek, renderPeek } from '../shell/peek.ts';
import { parseRoom, renderRoom } from '../shell/preflight/room.ts';
import { parseRecall, renderRecall } from '../shell/recall.ts';
import { findObstacle } from '../shell/refusal.ts';
import { renderRemember } from '../shell/remember.ts';
import type { Script } from '../shell/script.ts';
import {
  parseLeft,
  parseRunning,
  parseTerminate,
  renderKill,
  renderLeft,
  renderRunning,
  renderTerminate,
} from '../shell/signal.ts';
import { parseStacks, renderStacks } from '../shell/stacks.ts';
import { parseStopView, renderStopView } from '../shell/stop-view.ts';
import { parseSweep, renderSweep } from '../shell/sweep.ts';
import { parseTree, renderTree } from '../shell/tree.ts';
import { parseWork, renderWork } from '../shell/work.ts';
import { parseWriters, renderWriters } from '../shell/writers.ts';
import type { Host } from '../tools.ts';
import { failure, run } from './exec.ts';
import { follow } from './follow.ts';
import { Gpus } from './gpus.ts';
import { callHttp } from './http.ts';
import { preflight } from './preflight.ts';
import { askRas } from './ras.ts';
import { Sampler } from './sampler.ts';
import type { Sessions } from './sessions.ts';

/** ms for what is asked all the time beside a silent log: a folder or a process that can't be looked at must not gather questions. */
const LOOK_LIMIT = 20_000;

export class SshHost implements Host {
  readonly name: string;
  readonly #sessions: Sessions;
  readonly #sampler: Sampler;
  readonly #gpus: Gpus;
  readonly #runsFolder: string;

  constructor({ config, instance, sessions }: { config: HostConfig; instance: string; sessions: Sessions }) {
    this.name = config.name;
    this.#sessions = sessions;
    this.#sampler = new Sampler(this.#sessions);
    this.#gpus = new Gpus(this.#sessions);
    this.#runsFolder = `${config.stateDir}/${instance}/${config.name}`;
  }

  facts(signal: AbortSignal): Promise<HostFacts> {
    return this.#ask(FACTS, parseFacts, signal);
  }

  async launch(spec: LaunchSpec, signal: AbortSignal): Promise<LaunchOutcome> {
    const reason = findObstacle(spec);
    if (reason !== null) return { kind: 'refused', reason };
    return this.#ask(renderLaunch(spec, randomBytes(8).toString('hex')), parseLaunch, signal);
  }

  async find(spec: LaunchSpec, signal: AbortSignal): Promise<Outlook> {
    const outlook = await this.#ask(renderFind(spec), parseFind, signal);
    const reason = findObstacle(spec);
    return reason === null ? outlook : { ...outlook, obstacles: [reason, ...outlook.obstacles] };
  }

  preflight(question: PreflightQuestion, signal: AbortSignal): Promise<PreflightFacts> {
    return preflight({ sessions: this.#sessions, signal }, question);
  }

  async voidClaim(
    folder: RunFolder,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'void' } | { readonly kind: 'started'; readonly started: Started }> {
    const outcome = await this.#ask(renderVoid(folder), parseLaunch, signal);
    if (outcome.kind === 'void') return outcome;
    if (outcome.kind === 'already') return { kind: 'started', started: outcome.started };
    throw failure(this.#sessions, renderVoid(folder), `an answer of kind ${outcome.kind}`);
  }

  follow(target: FollowTarget, signal: AbortSignal): AsyncIterable<LogChunk> {
    return follow({ sessions: this.#sessions, target, signal });
  }

  samples(target: SampleTarget, signal: AbortSignal): AsyncIterable<Sample> {
    return this.#sampler.samples(target, signal);
  }

  async tree(target: SampleTarget, signal: AbortSignal): Promise<readonly Pid[]> {
    const tree = await this.#ask(renderTree(target), parseTree, signal);
    return tree.map(({ pid, start }) => ({ pid, start }));
  }

  async kill(pids: readonly Pid[], name: 'TERM' | 'KILL', signal: AbortSignal): Promise<void> {
    await run({ sessions: this.#sessions, script: renderKill(pids, name), signal });
  }

  terminate(order: Terminate, signal: AbortSignal): Promise<'given' | 'before'> {
    return this.#ask(renderTerminate(order), parseTerminate, signal);
  }

  sweep(target: SampleTarget, signal: AbortSignal): Promise<Swept> {
    return this.#ask(renderSweep(target), parseSweep, signal);
  }

  left(pids: readonly Pid[], signal: AbortSignal): Promise<readonly Leftover[]> {
    return this.#ask(renderLeft(pids), parseLeft, signal);
  }

  running(pids: readonly Pid[], signal: AbortSignal): Promise<readonly Pid[]> {
    return this.#ask(renderRunning(pids), parseRunning, signal);
  }

  patrol(
    question: { readonly globs: readonly string[]; readonly known: readonly KnownFile[] },
    signal: AbortSignal,
  ): Promise<PatrolView> {
    return this.#ask(renderPatrol(question), parsePatrol, signal);
  }

  writers(path: string, signal: AbortSignal): Promise<readonly Writer[]> {
    return this.#ask(renderWriters(path), parseWriters, signal);
  }

  look(question: { readonly path: string; readonly globs: readonly string[] }, signal: AbortSignal): Promise<LogLook> {
    return this.#ask(renderLook(question), parseLook, signal);
  }

  family(
    roots: readonly { readonly pid: number; readonly start: number | null }[],
    signal: AbortSignal,
  ): Promise<Family> {
    return this.#ask(renderFamily(roots), parseFamily, signal);
  }

  async peek(
    path: string,
    range: { from: number; most: number; countsLines: boolean; real?: string | null },
    signal: AbortSignal,
  ): Promise<Peek | null> {
    const peek = await this.#ask(renderPeek(path, range), parsePeek, signal);
    return peek === 'gone' ? null : peek;
  }

  room(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Room>> {
    return this.#ask(renderRoom(paths, null), (output) => parseRoom(output, paths), signal, { ms: LOOK_LIMIT });
  }

  gpus(signal: AbortSignal): Promise<readonly GpuUse[] | null> {
    return this.#gpus.use(signal);
  }

  gpuView(signal: AbortSignal): Promise<GpuView> {
    return this.#gpus.view(signal);
  }

  work(question: WorkQuestion, signal: AbortSignal): Promise<WorkView> {
    return this.#ask(renderWork(question), (output) => parseWork(output, question), signal, { ms: LOOK_LIMIT });
  }

  ras(address: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<string | null> {
    return askRas({ sessions: this.#sessions, address, signal });
  }

  stacks(pids: readonly Pid[], signal: AbortSignal): Promise<readonly StackDump[]> {
    return this.#ask(renderStacks(pids), parseStacks, signal, { ms: LOOK_LIMIT });
  }

  async stopView(
    target: SampleTarget,
    question: { pids: readonly Pid[]; address: ServerAddress | null },
    signal: AbortSignal,
  ): Promise<StopView> {
    const output = await run({ sessions: this.#sessions, script: renderStopView(target, question), signal });
    const listener = question.address === null ? null : parseListener(output, question.address);
    return { ...parseStopView(output), listener };
  }

  listener(address: ServerAddress, signal: AbortSignal): Promise<Listener> {
    return this.#ask(renderListener(address), (output) => parseListener(output, address), signal);
  }

  http(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    return callHttp({ sessions: this.#sessions, request, signal });
  }

  async runs(signal: AbortSignal): Promise<readonly string[]> {
    return this.#ask(renderRuns(this.#runsFolder), parseRuns, signal);
  }

  async remember(
    { folder, started, request }: { folder: RunFolder; started: Started; request: string },
    signal: AbortSignal,
  ): Promise<void> {
    await run({ sessions: this.#sessions, script: renderRemember(folder, started, request), signal });
  }

  recall(folder: RunFolder, signal: AbortSignal): Promise<Recalled> {
    return this.#ask(renderRecall(folder), parseRecall, signal);
  }

  clean(question: { readonly days: number; readonly keep: readonly string[] }, signal: AbortSignal): Promise<number> {
    return this.#ask(renderClean({ folder: this.#runsFolder, ...question }), parseClean, signal);
  }

  close(): void {
    this.#sampler.close();
    this.#sessions.close();
  }

  async #ask<Answer>(
    script: Script,
    parse: (output: string) => Answer | null,
    signal: AbortSignal,
    limit: { readonly ms?: number } = {},
  ): Promise<Answer> {
    const output = await run({ sessions: this.#sessions, script, signal, ...limit });
    const answer = parse(output);
    if (answer === null) throw failure(this.#sessions, script, `an answer that can't be read: ${output.slice(0, 200)}`);
    return answer;
  }
}
