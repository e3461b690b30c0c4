import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { visibleDevices } from './devices.mjs';
import {
  logCoreStartFailed,
  logEngineDeath,
  logHttpShutdown,
  logInterrupted,
  logPortInUse,
  logShutdown,
  logStartFailed,
  logWorkerVanished,
} from './endings.mjs';
import { startEngine } from './engine.mjs';
import { createGeneration } from './generation.mjs';
import { createHttp } from './http.mjs';
import { createSpeaker } from './log.mjs';
import { createMetrics } from './metrics.mjs';
import { canListen } from './port.mjs';
import { createRoutes } from './routes.mjs';
import { isAlive, readServers, removeServer, startOf, writeServer } from './state.mjs';
import { installedVersion } from './version.mjs';

const watchMs = 500;
const mainTitle = 'vllm';
const torchMib = 72;

/**
 * One `vllm serve`; a quiet one (a replay) writes nothing of its own.
 * `starting`: the scenario speaks, the port is closed. `ready`: the port answers. `ending`: entered once, by a signal,
 * by the engine's death or by the scenario; whatever waits on the pace from then on never goes on.
 */
export class Server {
  #state = 'starting';
  mib = 0;
  #utilization = [];
  #isEngineExpected = true;
  #engine = null;
  #http = null;

  /**
   * `silence`: real seconds that a scenario's silence lasts at least, or null where the scenario may choose; `serving`: how it serves
   * (serving.mjs).
   */
  constructor({ args, folder, pace, silence, isQuiet, serving }) {
    Object.assign(this, { args, folder, pace, silence, isQuiet, serving });
    this.version = installedVersion(folder);
    this.api = createSpeaker('APIServer', process.pid);
    this.core = null;
    /** One speaker a rank; with a single rank the engine core speaks for it. */
    this.workers = [];
    this.metrics = createMetrics(args, serving);
    this.generation = createGeneration({ serving, pace, metrics: this.metrics });
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void this.#interrupt());
  }

  /** vLLM binds its port before anything is loaded: a taken one ends the start at once. */
  async claimPort() {
    const isHeld = readServers(this.folder).some(
      ({ port, processes }) =>
        port === this.port && port !== null && processes.some(({ title }) => title === mainTitle),
    );
    if (isHeld) return this.#refusePort();
    await this.checkPort();
    return this.#note();
  }

  /** Unlike vLLM's, a claimed port is still free to take: looked at once more before readiness is said. */
  async checkPort() {
    if (this.port !== null && !(await canListen(this.address, this.port))) await this.#refusePort();
  }

  async #refusePort() {
    logPortInUse(this.api);
    return this.exit(1);
  }

  /** null where it listens on a socket file, or not at all. */
  get port() {
    return this.args.uds === null && !this.args.isHeadless ? this.args.port : null;
  }

  /** What `Supported tasks` says. */
  get tasks() {
    return this.serving.tasks ?? this.args.tasks;
  }

  /** Where the stand-in really listens: loopback, whatever the command line says. */
  get address() {
    return this.args.host === '::1' || this.args.host === '::' ? '::1' : '127.0.0.1';
  }

  startCore() {
    const name = this.args.replicas > 1 ? 'EngineCore_DP0' : 'EngineCore';
    this.#engine = startEngine({ folder: this.folder, name, onExit: () => this.#loseEngine() });
    this.core = createSpeaker(name, this.#engine.processes[0].pid);
    this.#note();
  }

  /** Workers first speak as `Worker`, and as `Worker_TPn` from `nameWorkers` on. */
  async startWorkers() {
    if (this.args.ranks === 1) {
      this.#engine.processes[0].gpu = visibleDevices()[0] ?? 0;
      this.workers = [this.core];
      return this.#note();
    }
    for (let rank = 0; rank < this.args.ranks; rank += 1) {
      const pid = await this.#engine.startWorker(`VLLM::Worker_TP${rank}`, visibleDevices()[rank] ?? rank);
      this.workers.push(createSpeaker('Worker', pid));
    }
    setInterval(() => {
      const lost = this.#engine.processes.findIndex((process) => !isAlive(process));
      if (lost > 0) void this.#loseWorker(lost - 1);
    }, watchMs).unref();
    return this.#note();
  }

  nameWorkers() {
    if (this.args.ranks > 1) this.workers = this.workers.map(({ pid }, rank) => createSpeaker(`Worker_TP${rank}`, pid));
  }

  /** GPU memory that each rank holds, as nvidia-smi shows it. */
  useMemory(mib) {
    this.mib = mib;
    this.#note();
  }

  /** What nvidia-smi says of each rank's GPU, in percent. */
  useGpus(utilization) {
    this.#utilization = utilization;
    this.#note();
  }

  /** What the ranks' processes are to do now: `load 4` (MiB of fresh memory), `spin 20000` (rounds). */
  order(text, ranks = [...this.workers.keys()]) {
    for (const rank of ranks) this.#engine.order(this.workers[rank].pid, text);
  }

  /** As large as a rank is that has torch in it, for once: shells that only wait are small. */
  fillRanks() {
    this.order(`load ${torchMib}`);
  }

  /** One more process of the engine, that is no rank: it gets no GPU. */
  startOther(title) {
    return this.#engine.startWorker(title, null);
  }

  /** From here on the port answers. */
  async listen() {
    this.#state = 'ready';
    const { args, version, serving, generation, metrics, tasks } = this;
    this.#http = createHttp({
      args,
      route: createRoutes({ args, version, serving, generation, metrics, tasks }),
      speaker: this.isQuiet || !args.hasAccessLog ? null : this.api,
      onAnswer: metrics.noteAnswer,
    });
    try {
      await this.#http.listen(this.address);
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      await this.#refusePort();
    }
  }

  /** Ends the engine's processes on purpose, before an ending is told. */
  async endEngine() {
    this.#isEngineExpected = false;
    await this.#engine?.end();
  }

  /**
   * Told by the scenario: the engine is dead, requests fail, the API server shuts down in good order once its watchdog has looked, up to
   * five seconds later: `restMs`, real time.
   */
  async dieOfEngine({ restMs = 0 } = {}) {
    this.#end();
    this.generation.die();
    await this.endEngine();
    logEngineDeath(this);
    await sleep(restMs);
    logHttpShutdown(this);
    return this.#close(0);
  }

  /** Every process is killed at once, as by the kernel: nobody says a word. */
  vanish() {
    for (const { pid } of this.#engine.processes) process.kill(pid, 'SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  }

  async exit(code) {
    this.#end();
    await this.endEngine();
    return this.#close(code);
  }

  async #interrupt() {
    if (this.#state === 'ending') return;
    const wasReady = this.#state === 'ready';
    this.#end();
    await this.endEngine();
    if (wasReady && !this.isQuiet) logShutdown(this);
    if (wasReady) return this.#close(0);
    if (!this.isQuiet) logInterrupted(this.api);
    // As Python ends after an uncaught KeyboardInterrupt.
    removeServer(this.folder, process.pid);
    process.removeAllListeners('SIGINT');
    return process.kill(process.pid, 'SIGINT');
  }

  async #loseEngine() {
    if (!this.#isEngineExpected || this.#state === 'ending') return;
    if (this.#state === 'ready') return this.dieOfEngine();
    this.#end();
    await this.endEngine();
    logStartFailed(this.api);
    return this.#close(1);
  }

  async #loseWorker(rank) {
    if (!this.#isEngineExpected || this.#state === 'ending') return;
    logWorkerVanished(this.core, rank);
    if (this.#state === 'ready') return this.dieOfEngine();
    this.#end();
    await this.endEngine();
    logCoreStartFailed(this.core);
    logStartFailed(this.api);
    return this.#close(1);
  }

  #end() {
    this.#state = 'ending';
    this.pace.halt();
  }

  async #close(code) {
    await this.#http?.close();
    if (this.args.uds !== null) rmSync(this.args.uds, { force: true });
    removeServer(this.folder, process.pid);
    process.exit(code);
  }

  #note() {
    const own = { pid: process.pid, start: startOf(process.pid), title: mainTitle, gpu: null };
    const engine = (this.#engine?.processes ?? []).map((each) => {
      // A server that loads, or that nobody asks anything, computes nothing.
      const utilization = this.#utilization[this.workers.findIndex(({ pid }) => pid === each.pid)] ?? 0;
      return { ...each, utilization };
    });
    writeServer(this.folder, { port: this.port, mib: this.mib, processes: [own, ...engine] });
  }
}
