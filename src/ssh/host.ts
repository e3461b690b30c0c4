/** A GPU host over SSH. */

import { randomBytes } from 'node:crypto';
import type { HostConfig } from '../config/config.ts';
import { FACTS, parseFacts, parseRuns, renderRuns } from '../shell/facts.ts';
import { parseLaunch, renderLaunch, renderVoid } from '../shell/launch.ts';
import { parseListener, renderListener } from '../shell/listener.ts';
import { parseRecall, renderRecall } from '../shell/recall.ts';
import { findObstacle } from '../shell/refusal.ts';
import type { Script } from '../shell/script.ts';
import { renderKill } from '../shell/signal.ts';
import { GPU_VIEW, parseGpuView, parseStopView, renderStopView } from '../shell/stop-view.ts';
import { parseTree, renderTree } from '../shell/tree.ts';
import type {
  Clock,
  FollowTarget,
  Host,
  HostFacts,
  HttpAnswer,
  HttpRequest,
  LaunchOutcome,
  LaunchSpec,
  Listener,
  LogChunk,
  Pid,
  Recalled,
  RunFolder,
  Sample,
  SampleTarget,
  ServerAddress,
  Started,
  StopView,
} from '../tools.ts';
import { within } from '../within.ts';
import { failure, run } from './exec.ts';
import { follow } from './follow.ts';
import { callHttp } from './http.ts';
import { Sampler } from './sampler.ts';
import { Sessions } from './sessions.ts';

type GpuView = ReturnType<typeof parseGpuView>;

const NO_GPU_VIEW: GpuView = { pids: null, usedMib: null };
/** ms that a stop waits for nvidia-smi, which hangs for ever on a fallen GPU. */
const GPU_LIMIT = 10_000;

export class SshHost implements Host {
  readonly name: string;
  readonly #sessions: Sessions;
  readonly #sampler: Sampler;
  readonly #runsFolder: string;
  /** The one question to nvidia-smi that may be open. */
  #gpuQuestion: Promise<GpuView> | null = null;

  constructor({ config, instance, clock }: { config: HostConfig; instance: string; clock: Clock }) {
    this.name = config.name;
    this.#sessions = new Sessions({ config, clock });
    this.#sampler = new Sampler(this.#sessions);
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

  async stopView(
    target: SampleTarget,
    question: { pids: readonly Pid[]; address: ServerAddress },
    signal: AbortSignal,
  ): Promise<StopView> {
    const script = renderStopView(target, question);
    const [output, gpu] = await Promise.all([run({ sessions: this.#sessions, script, signal }), this.#lookAtGpus()]);
    const pids = new Set(question.pids.map(({ pid }) => pid));
    return {
      ...parseStopView(output),
      onGpu: gpu.pids?.filter((pid) => pids.has(pid)) ?? null,
      gpuUsedMib: gpu.usedMib,
      listener: parseListener(output, question.address),
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

  /** All who ask while a question is open wait for its answer; one that hangs costs each of them the limit, and no second is asked. */
  async #lookAtGpus(): Promise<GpuView> {
    this.#gpuQuestion ??= run({ sessions: this.#sessions, script: GPU_VIEW, signal: new AbortController().signal })
      .then(parseGpuView)
      // Whatever keeps nvidia-smi from answering, the stop goes on without it and says so.
      .catch(() => NO_GPU_VIEW)
      .finally(() => {
        this.#gpuQuestion = null;
      });
    const view = await within(GPU_LIMIT, this.#gpuQuestion);
    return view === 'late' ? NO_GPU_VIEW : view;
  }
}
