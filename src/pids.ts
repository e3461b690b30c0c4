/** Processes told apart: a pid alone is given to others after its end, its start time tells. */

import type { Pid } from './host/process.ts';

export function holds(pids: readonly Pid[], { pid, start }: Pid): boolean {
  return pids.some((one) => one.pid === pid && one.start === start);
}

/** All of both, each once. */
export function union(pids: readonly Pid[], more: readonly Pid[]): Pid[] {
  return [...new Map([...pids, ...more].map((one) => [`${one.pid}.${one.start}`, one])).values()];
}
