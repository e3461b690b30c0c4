/** How torch says that a GPU ran out of memory, for the rows of servers and of trainings. */

import type { Found } from '../row.ts';

/** What a process that runs out of memory drags down with it. */
export const DRAGGED_DOWN = ['nccl-timeout', 'nccl-remote-error', 'store-timeout', 'rank-aborted'];

/** Torch's words: `Tried to allocate 3.79 GiB. GPU 2 has a total capacity of 79.18 GiB of which 1.12 GiB is free.` (before 2.2 `capacty`). */
export const OOM_NUMBERS =
  /out of memory\. Tried to allocate (?<wanted>[\d.]{1,12} [KMGT]i?B)\.?(?: GPU (?<gpu>\d{1,3}) has a total capac\w{1,4} of (?<total>[\d.]{1,12} [KMGT]iB) of which (?<free>[\d.]{1,12} \w{1,5}) is free)?/i;

/** ` 250.00 MiB were wanted on GPU 1, …`, or nothing where the message doesn't say it. */
export function numbersOf({ wanted, gpu, total, free }: Found): string {
  if (gpu === undefined) return '';
  return ` ${wanted} were wanted on GPU ${gpu}, of whose ${total} only ${free} were free.`;
}

/** The sizes that an out-of-memory message names, in GiB. */
export function memoryFacts(text: string): Readonly<Record<string, number>> {
  const { wanted, total } = OOM_NUMBERS.exec(text)?.groups ?? {};
  return { ...gib('tried_gib', wanted), ...gib('gpu_total_gib', total) };
}

function gib(key: string, size: string | undefined): Readonly<Record<string, number>> {
  const match = /^([\d.]+) ([KMGT])i?B$/.exec(size ?? '');
  if (match === null) return {};
  const power = 'KMGT'.indexOf(match[2] ?? 'G') - 2;
  return { [key]: Number((Number(match[1]) * 1024 ** power).toFixed(3)) };
}
