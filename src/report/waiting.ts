/** A launch that stands in the line: its place, and what it waits for. */

import { list } from '../list.ts';
import type { Waiting } from '../run/holder.ts';
import type { Run } from '../run/run.ts';
import { code, escapeText } from './escape.ts';
import { heldBy, holderRows } from './holders.ts';
import { slashOf } from './words.ts';

/** As mrkdwn: what it waits for, behind whom, and how it is taken out. */
export function waitingWords(run: Run, waiting: Waiting): string {
  const leave = `It starts by itself; ${code(`${slashOf(run)} stop ${run.request.name}`)} takes it out of the line.`;
  return [waitsFor(waiting), ...turnAfter(waiting), leave].filter((line) => line !== '').join('\n');
}

/** `waits for GPU 0 and GPU 1, held by kpro5-3 (dflash) since …` */
function waitsFor({ holders, count, why }: Waiting): string {
  if (why !== null) return `How it stands can't be seen now: ${escapeText(why)}`;
  const [first] = holders;
  if (first === undefined) return '';
  const free = count === null ? '' : `${count === 1 ? 'a free GPU' : `${count} free GPUs`}: `;
  return holders.length === 1
    ? `Waits for ${free}${heldBy(first)}.`
    : `Waits for ${free === '' ? 'these:' : free.trim()}\n${holderRows(holders, new Map())}`;
}

function turnAfter({ ahead }: Waiting): string[] {
  return ahead.length === 0 ? [] : [`Its turn comes after ${list(ahead.map((name) => code(name)))}.`];
}
