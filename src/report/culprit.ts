import type { Culprit } from '../pulse/work.ts';
import type { Run } from '../run/run.ts';

/** The rank that the others wait for at this moment; null once anything has moved. */
export function culpritNow({ pulse, work: { culprit, behindFrom } }: Run): Culprit | null {
  return behindFrom === null || (pulse !== 'stuck' && pulse !== 'busy') ? null : culprit;
}

/** Who waits shows full use and is innocent: it is said of the rank that is behind. */
export function culpritWords(culprit: Culprit): string {
  const { operation, count, highest } = culprit;
  return `${whoIs(culprit)} behind: ${count} \`${operation}\` operations launched, the others up to ${highest}`;
}

/** The same of a run that has ended: the ranks that waited are ended first, and the watchdog and torchrun blame them. */
export function culpritBefore(culprit: Culprit): string {
  const { operation, count, highest, rank } = culprit;
  return `When it stood still, NCCL showed rank ${rank} behind the others: ${count} of ${highest} \`${operation}\` operations${whereIs(culprit)}. Look at that rank first, whatever rank the log blames.`;
}

/** `Rank 1 (pid 1183, GPU 1) is`, `Rank 1 (pid 1183, GPU 1) and 2 more ranks are` */
function whoIs(culprit: Culprit): string {
  const { also, rank } = culprit;
  const more =
    also.length === 0 ? ' is' : also.length === 1 ? ` and rank ${also[0]} are` : ` and ${also.length} more are`;
  return `Rank ${rank}${whereIs(culprit)}${more}`;
}

function whereIs({ pid, gpu, node }: Culprit): string {
  return ` (pid ${pid}${node === undefined ? '' : ` on ${node}`}, GPU ${gpu})`;
}
