/** Folders that take too long to be counted: counting all of them again with each look would keep a host's disks busy. */

import type { WorkView } from '../host/sample.ts';

/** A view that took so long (ms) has folders that were given up. */
const SLOW_MS = 4000;
/** So many looks such a folder is left out. */
const RESTS = 8;

export interface Rests {
  /** To be asked before each look: those that are at rest now. */
  next(): ReadonlySet<string>;
  see(view: WorkView, tookMs: number): void;
}

export function openRests(): Rests {
  const left = new Map<string, number>();
  return {
    next() {
      const resting = new Set(left.keys());
      for (const [key, looks] of left) {
        if (looks > 1) left.set(key, looks - 1);
        else left.delete(key);
      }
      return resting;
    },
    see({ bytes }, tookMs) {
      if (tookMs < SLOW_MS) return;
      for (const [key, found] of bytes) if (found === null) left.set(key, RESTS);
    },
  };
}
