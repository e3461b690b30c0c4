/** The failures of a log that are kept: few, each once, with whole tracebacks for the first of them only. */

import type { Trouble } from './events.ts';
import { isRank } from './speaker.ts';

const MAX_TROUBLES = 12;
/** Of a second and later trouble the journal keeps the traceback's last lines only. */
const WHOLE_TRACEBACKS = 3;
const TAIL_LINES = 12;

/** The troubles with one more, in the order of the file. Of too many the first are kept, the newest, or some of both. */
export function keepTrouble(
  known: readonly Trouble[],
  trouble: Trouble,
  ends: 'first' | 'newest' | 'both',
): readonly Trouble[] {
  const sameness = sameAs(trouble);
  if (known.some((each) => each.line <= trouble.line && sameAs(each) === sameness)) return known;
  const troubles = [...known.filter((each) => sameAs(each) !== sameness), trouble].sort((a, b) => a.line - b.line);
  return cut(troubles, ends).map((each, index) => (index < WHOLE_TRACEBACKS ? each : shortened(each)));
}

/** A metric record whose loss is worth nothing, told as a trouble: the trainer goes on with it. */
export function isWorthlessRecord({ source }: Trouble): boolean {
  return source === 'record';
}

/** A traceback of a trainer without ranks before the last but one step: who goes on has caught it. */
export function isCaught({ type, process, line }: Trouble, recordLine: number | null): boolean {
  return type !== null && process === null && recordLine !== null && line < recordLine;
}

/** A script's words on a target server that isn't up; once it is, they were a try. */
export function isWaitOver({ source }: Trouble): boolean {
  return source === 'wait';
}

/** A download's bar that stands still while the script waits on. */
export function isStandingBar({ source }: Trouble): boolean {
  return source === 'bar';
}

/** A process of the target server, in a training's log. */
export function isOfTarget({ process }: Trouble): boolean {
  return process !== null && !isRank(process);
}

function cut(troubles: readonly Trouble[], ends: 'first' | 'newest' | 'both'): readonly Trouble[] {
  if (troubles.length <= MAX_TROUBLES) return troubles;
  if (ends === 'both') return [...troubles.slice(0, MAX_TROUBLES / 2), ...troubles.slice(-MAX_TROUBLES / 2)];
  return ends === 'first' ? troubles.slice(0, MAX_TROUBLES) : troubles.slice(-MAX_TROUBLES);
}

/** The same failure again (each request's EngineDeadError, each client's too long prompt) says nothing new. */
function sameAs(trouble: Trouble): string {
  const process = trouble.process?.replace(/\d+/g, '#') ?? '';
  return `${process} ${trouble.type ?? ''} ${trouble.message.replace(/0x[\da-f]+|\d+/g, '#').slice(0, 400)}`;
}

function shortened(trouble: Trouble): Trouble {
  const { traceback } = trouble;
  if (traceback === null || traceback.text.length <= TAIL_LINES + 1) return trouble;
  return { ...trouble, traceback: { ...traceback, text: ['  ...', ...traceback.text.slice(-TAIL_LINES)] } };
}
