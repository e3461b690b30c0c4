/** A GPU host over SSH. */

import { randomBytes } from 'node:crypto';
import type { ServerAddress } from '../address.ts';
import type { HostConfig } from '../config/config.ts';
import type { HttpAnswer, HttpRequest } from '../http.ts';
import { FACTS, parseFacts, parseRuns, renderRuns } from '../shell/facts.ts';
import { parseLaunch, renderLaunch, renderVoid } from '../shell/launch.ts';
import { parseListener, renderListener } from '../shell/listener.ts';
import { parsePatrol, renderPatrol } from '../shell/patrol.ts';
import { parsePeek, renderPeek } from '../shell/peek.ts';
import { parseRecall, renderRecall } from '../shell/recall.ts';
import { findObstacle } from '../shell/refusal.ts';
import type { Script } from '../shell/script.ts';
import { parseRunning, renderKill, renderRunning, renderTerminateGroups } from '../shell/signal.ts';
import { parseStopView, renderStopView } from '../shell/stop-view.ts';
import { parseTree, renderTree } from '../shell/tree.ts';
import { parseWriters, renderWriters } from '../shell/writers.ts';
import type {
  Clock,
  FollowTarget,
  GpuUse,
  Host,
  HostFacts,
  KnownFile,
  LaunchOutcome,
  LaunchSpec,
  Listener,
  LogChunk,
  PatrolView,
  Peek,
  Pid,
  Recalled,
  RunFolder,
  Sample,
  SampleTarget,
  Started,
  StopView,
  Writer,
} from '../tools.ts';
import { failure, run } from './exec.ts';
import { follow } from './follow.ts';
import { Gpus } from './gpus.ts';
import { callHttp } from './http.ts';
import { Sampler } from './sampler.ts';
import { Sessions } from './sessions.ts';

export class SshHost implements Host {
  readonly name: string;
  readonly #sessions: Sessions;
  readonly #sampler: Sampler;
  readonly #gpus: Gpus;
  readonly #runsFolder: string;

  constructor({ config, instance, clock }: { config: HostConfig; instance: string; clock: Clock }) {
    this.name = config.name;
    this.#sessions = new Sessions({ config, clock });
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
    return tree.pids;
  }

  async kill(pids: readonly Pid[], name: 'TERM' | 'KILL', signal: AbortSignal): Promise<void> {
    await run({ sessions: this.#sessions, script: renderKill(pids, name), signal });
  }

  async terminateGroups(pids: readonly Pid[], spared: number, signal: AbortSignal): Promise<void> {
    await run({ sessions: this.#sessions, script: renderTerminateGroups(pids, spared), signal });
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

  async peek(
    path: string,
    range: { from: number; most: number; countsLines: boolean },
    signal: AbortSignal,
  ): Promise<Peek | null> {
    const peek = await this.#ask(renderPeek(path, range), parsePeek, signal);
    return peek === 'gone' ? null : peek;
  }

  gpus(signal: AbortSignal): Promise<readonly GpuUse[] | null> {
    return this.#gpus.use(signal);
  }

  async stopView(
    target: SampleTarget,
    question: { pids: readonly Pid[]; address: ServerAddress | null },
    signal: AbortSignal,
  ): Promise<StopView> {
    const script = renderStopView(target, question);
    const [output, gpu] = await Promise.all([run({ sessions: this.#sessions, script, signal }), this.#gpus.view()]);
    const pids = new Set(question.pids.map(({ pid }) => pid));
    return {
      ...parseStopView(output),
      onGpu: gpu.pids?.filter((pid) => pids.has(pid)) ?? null,
      gpuUsedMib: gpu.usedMib,
      listener: question.address === null ? null : parseListener(output, question.address),
    };
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

  recall(folder: RunFolder, signal: AbortSignal): Promise<Recalled> {
    return this.#ask(renderRecall(folder), parseRecall, signal);
  }

  close(): void {
    this.#sampler.close();
    this.#sessions.close();
  }

  async #ask<Answer>(script: Script, parse: (output: string) => Answer | null, signal: AbortSignal): Promise<Answer> {
    const output = await run({ sessions: this.#sessions, script, signal });
    const answer = parse(output);
    if (answer === null) throw failure(this.#sessions, script, `an answer that can't be read: ${output.slice(0, 200)}`);
    return answer;
  }
}
