/** Which of the processes that write a log is the training's own. */

import type { Writer } from '../host/process.ts';

/** Programs that only pass on what they read from a pipe. */
const RELAYS = new Set('tee ts cat sed awk gawk mawk grep perl stdbuf multilog rotatelogs cronolog logger'.split(' '));

/** The process whose end is the training's end: the oldest that writes the log itself, else the head of the relay's pipeline; null where nobody is seen. */
export function mainProcess(writers: readonly Writer[]): Writer | null {
  const own = writers.filter(({ by, name }) => by === 'open' && !RELAYS.has(name));
  if (own.length > 0) return oldest(own);
  const piped = writers.filter(({ by, name }) => by === 'group' && !RELAYS.has(name));
  return piped.find(({ pid, group }) => pid === group) ?? oldest(piped) ?? oldest(writers);
}

function oldest(writers: readonly Writer[]): Writer | null {
  return writers.reduce<Writer | null>((best, next) => (best !== null && best.start <= next.start ? best : next), null);
}
