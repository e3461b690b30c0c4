/** Generates tokens at the scenario's pace; the engine behind it may hang or die, and then no request gets another token. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A busy machine is late by milliseconds: however fast the rehearsal runs, whoever measures the pace must find it steady. */
const mostHaste = 6;

/** How much faster than a real one a server of a host of this speed writes. */
export function hasteOf(speed) {
  return Math.min(speed, mostHaste);
}

/** The engine is dead: every request fails, those under way and those to come. */
export class EngineDead extends Error {
  constructor() {
    super('EngineCore encountered an issue. See stack trace (above) for the root cause.');
    this.name = 'EngineDead';
  }
}

export function createGeneration({ serving, pace, metrics }) {
  const haste = hasteOf(pace.speed);
  const death = new AbortController();
  let isHung = false;

  /**
   * Yields how many tokens came of each step, in all `tokens`. Throws EngineDead, or an AbortError once `signal` says that the client is
   * gone. Steps that are late are made up for: the pace is that of the whole.
   */
  async function* generate({ promptTokens, tokens, signal }) {
    const engine = metrics.nextEngine();
    const over = AbortSignal.any([signal, death.signal]);
    const askedAt = performance.now();
    let reason = 'abort';
    engine.begin();
    try {
      let due = askedAt + serving.firstTokenMs / haste;
      await reach(due, over);
      engine.prefill({ promptTokens, seconds: (performance.now() - askedAt) / 1000 });
      yield 1;
      for (let left = tokens - 1; left > 0; ) {
        const more = engine.decode();
        due += (more / serving.tokensPerSecond / haste) * 1000;
        await reach(due, over);
        yield Math.min(more, left);
        left -= more;
      }
      reason = 'length';
    } finally {
      engine.finish(reason);
      metrics.noteFinished();
    }
  }

  async function reach(due, over) {
    const wait = due - performance.now();
    try {
      if (wait > 0) await sleep(wait, undefined, { signal: over });
      if (isHung) await sleep(2 ** 30, undefined, { signal: over });
      over.throwIfAborted();
    } catch (error) {
      if (death.signal.aborted) throw new EngineDead();
      throw error;
    }
  }

  return {
    generate,
    get isDead() {
      return death.signal.aborted;
    },
    /** From now on no request gets a token, and the counters stand. */
    hang() {
      isHung = true;
      metrics.freeze();
    },
    die: () => death.abort(),
  };
}
