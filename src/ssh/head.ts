/** The first bytes of a followed file, as they were delivered: what tells it from a file that was begun anew in its place. */

import { createHash } from 'node:crypto';
import type { Generation } from '../host/log.ts';
import { HEAD } from '../shell/opening.ts';

export class Head {
  #generation: Generation;
  /** Empty where reading goes on behind them: the generation's own checksum covers them then. */
  #bytes = Buffer.alloc(0);
  #isBehind: boolean;

  /** `offset`: of the first byte that will be added. */
  constructor(generation: Generation, offset: number) {
    this.#generation = generation;
    this.#isBehind = offset > 0;
  }

  /** Takes what comes next; returns the generation where it is known better by it, else null. */
  add(bytes: Uint8Array): Generation | null {
    if (this.#isBehind) return null;
    const before = this.#bytes.length;
    this.#bytes = Buffer.concat([this.#bytes, bytes.subarray(0, HEAD - before)]);
    this.#isBehind = this.#bytes.length === HEAD;
    const { length } = this.#bytes;
    const sum = this.#sumOf(length);
    if (length === before || length <= this.#generation.summed || sum === null) return null;
    this.#generation = { ...this.#generation, sum, summed: length };
    return this.#generation;
  }

  /** Whether a file with that checksum over its first bytes is this one; null where that can't be told (yet). */
  matches({ sum, summed }: { readonly sum: string; readonly summed: number }): boolean | null {
    const own = this.#sumOf(summed) ?? (summed === this.#generation.summed ? this.#generation.sum : null);
    return own === null ? null : own === sum;
  }

  /** null where so many bytes are not known, or the host has checksums of another kind. */
  #sumOf(length: number): string | null {
    if (length > this.#bytes.length || this.#generation.sum.length !== SHA256_DIGITS) return null;
    return createHash('sha256').update(this.#bytes.subarray(0, length)).digest('hex');
  }
}

const SHA256_DIGITS = 64;
