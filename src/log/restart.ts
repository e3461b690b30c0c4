/** torchrun starts all ranks again when one fails (--max-restarts): what the first ones left behind is over once a step is made. */

import type { FactValue, Trouble } from './events.ts';
import { isOfTarget } from './troubles.ts';

type Facts = Readonly<Record<string, FactValue>>;

/** The trainer's own, before the ranks that train now. */
export function isOfFirstTry(trouble: Trouble, facts: Facts): boolean {
  return !isOfTarget(trouble) && isBeforeRestart(trouble.line, facts);
}

export function isBeforeRestart(line: number, { restarted_behind_line: restart }: Facts): boolean {
  return typeof restart === 'number' && line <= restart;
}
