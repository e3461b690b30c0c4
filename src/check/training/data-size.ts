/** How many bytes of hidden states a training moves, at most. */

import type { Known } from '../check.ts';
import type { Subject } from '../subject.ts';
import { readLayers } from './layers.ts';
import { numberOf, pairOf } from './pair.ts';

export interface DataSize {
  /** Of one batch of a rank: tokens × layers, the last one included, × width × 2 bytes. */
  readonly batch: number;
  readonly tokens: number;
  readonly layers: number;
  /** Data workers of all ranks. */
  readonly workers: number;
}

/** Upstream's defaults are 8192 tokens and 12 workers a rank. null where the target's width, or a number of the command, isn't known. */
export function dataSize(subject: Subject, shown: Pick<Known, 'models' | 'hub'>): DataSize | null {
  const pair = pairOf(subject);
  if (pair === null) return null;
  const { hiddenSize, read } = readLayers(pair, shown);
  const tokens = numberOf(pair.trainer, '--total-seq-len', 8192);
  const workers = numberOf(pair.trainer, '--num-workers', 12);
  if (hiddenSize === null || read === null || tokens === null || workers === null) return null;
  const layers = read.ids.length + 1;
  const ranks = pair.trainer.ranks ?? 1;
  return { batch: tokens * layers * hiddenSize * 2, tokens, layers, workers: workers * ranks };
}
