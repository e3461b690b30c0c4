/** How many GPUs a server's argv takes on its node, as vllm counts them (config/parallel.py). */

import { lastFlag } from './flags.ts';

export interface Size {
  readonly flag: string;
  readonly size: number;
}

/** The factors above 1: tensor × pipeline × prefill-context × local data parallel. Their product is the number of GPUs. */
export function readSizes(argv: readonly string[]): readonly Size[] {
  return [
    sizeOf(argv, '--tensor-parallel-size', '-tp'),
    sizeOf(argv, '--pipeline-parallel-size', '-pp'),
    sizeOf(argv, '--prefill-context-parallel-size', '-pcp'),
    localDataParallel(argv),
  ].filter(({ size }) => size > 1);
}

/** Over several nodes, or by Ray: the sizes say nothing of one node alone. */
export function isSpread(argv: readonly string[]): boolean {
  return lastFlag(argv, '--nnodes', '-n') !== null || argv.some((word) => /^(?:-.{0,60}=)?ray$/.test(word));
}

/** Ranks on this node: --data-parallel-size-local, else one where this rank's number is given, else all. */
function localDataParallel(argv: readonly string[]): Size {
  if (lastFlag(argv, '--data-parallel-size-local', '-dpl') !== null)
    return sizeOf(argv, '--data-parallel-size-local', '-dpl');
  if (lastFlag(argv, '--data-parallel-rank', '-dpn') !== null) return { flag: '--data-parallel-rank', size: 1 };
  return sizeOf(argv, '--data-parallel-size', '-dp');
}

function sizeOf(argv: readonly string[], flag: string, short: string): Size {
  const value = lastFlag(argv, flag, short)?.value ?? '1';
  return { flag, size: /^\d{1,4}$/.test(value) ? Number(value) : 1 };
}
