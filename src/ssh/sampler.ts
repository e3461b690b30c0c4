/**
 * The one sampler of a host, shared by its runs. No channel is open while nobody listens; when the set of runs changes, a new channel takes
 * the former one's place. When it fails, all who listen are told and asked to come again.
 */

import type { Sample, SampleTarget } from '../host/sample.ts';
import { parseBoot, parseSample, renderSampler } from '../shell/sample.ts';
import { failure, stream } from './exec.ts';
import { lost, type Sessions } from './sessions.ts';

/** Samples kept for one who is slow: the oldest go first, each says all by itself. */
const KEPT = 30;

interface Listener {
  readonly target: SampleTarget;
  readonly waiting: Sample[];
  failure: { readonly error: unknown } | null;
  wake: () => void;
}

export class Sampler {
  readonly #sessions: Sessions;
  readonly #listeners = new Set<Listener>();
  #channel: AbortController | null = null;
  #isRestarting = false;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async *samples(target: SampleTarget, signal: AbortSignal): AsyncGenerator<Sample> {
    signal.throwIfAborted();
    const listener: Listener = { target, waiting: [], failure: null, wake: () => undefined };
    const wake = () => listener.wake();
    signal.addEventListener('abort', wake);
    this.#listeners.add(listener);
    this.#restart();
    try {
      for (;;) {
        signal.throwIfAborted();
        const sample = listener.waiting.shift();
        if (sample !== undefined) yield sample;
        else if (listener.failure !== null) throw listener.failure.error;
        else await new Promise<void>((resolve) => (listener.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', wake);
      if (this.#listeners.delete(listener)) this.#restart();
    }
  }

  close(): void {
    this.#channel?.abort();
    this.#fail([...this.#listeners], lost(this.#sessions.host));
  }

  /** Once for all that come and go in the same turn. */
  #restart(): void {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    setImmediate(() => {
      this.#isRestarting = false;
      this.#channel?.abort();
      this.#channel = null;
      if (this.#listeners.size === 0) return;
      this.#channel = new AbortController();
      void this.#run([...this.#listeners], this.#channel.signal);
    });
  }

  async #run(listeners: readonly Listener[], signal: AbortSignal): Promise<void> {
    try {
      await this.#read(listeners, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(listeners, error);
    }
  }

  #fail(listeners: readonly Listener[], error: unknown): void {
    for (const listener of listeners) {
      this.#listeners.delete(listener);
      listener.failure = { error };
      listener.wake();
    }
  }

  async #read(listeners: readonly Listener[], signal: AbortSignal): Promise<void> {
    const script = renderSampler(listeners.map(({ target }) => target));
    let boot: { readonly bootId: string; readonly init: number } | null = null;
    let rest = '';
    for await (const bytes of stream({ sessions: this.#sessions, script, signal })) {
      const rows = (rest + bytes.toString('latin1')).split('\n');
      rest = rows.pop() ?? '';
      for (const row of rows) {
        boot ??= parseBoot(row);
        const parsed = parseSample(row);
        const listener = parsed === null ? undefined : listeners[parsed.index];
        if (parsed !== null && listener !== undefined && boot !== null)
          deliver(listener, { ...boot, ...parsed.sample });
      }
    }
    throw failure(this.#sessions, script, 'the sampler ended by itself');
  }
}

function deliver(listener: Listener, sample: Sample): void {
  listener.waiting.push(sample);
  if (listener.waiting.length > KEPT) listener.waiting.shift();
  listener.wake();
}
