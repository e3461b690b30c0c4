/** What a line is to a traceback that is open: its own, its end, its exception, or the head of one that its message quotes. */

import type { OpenTraceback } from './carry.ts';
import { isRank } from './speaker.ts';
import type { Heard } from './traceback-heard.ts';
import {
  chainOf,
  type Exception,
  endsMessage,
  exceptionOf,
  isFrame,
  isSyntaxError,
  remoteHeadOf,
} from './traceback-lines.ts';
import { outdented } from './traceback-text.ts';

export function isOwn({ speaker, source, margin }: OpenTraceback, heard: Heard): boolean {
  return speaker === heard.speaker && source === heard.source && margin === heard.margin;
}

export function isEnded(open: OpenTraceback, heard: Heard, isForeign: boolean): boolean {
  if (open.record !== null && open.record !== heard.record) return true;
  if (open.speaker !== heard.speaker) return false;
  if (heard.rule !== null) return open.margin >= heard.margin;
  if (open.failure === null) return false;
  const isBegun = chainOf(heard.text) !== null || heard.head !== null;
  // Behind `ImportError:` alone a mark in brackets is what it says.
  const isUnsaid =
    open.text.at(-1)?.endsWith(':') === true && open.failure.message.join('') === '' && /^\[/.test(heard.text);
  const ends = isForeign || isBegun || (!isUnsaid && endsMessage(heard.text, open.isPastNative));
  if (open.margin !== heard.margin) return heard.margin < open.margin && ends;
  if (heard.isRaw) return open.source === heard.source && ends;
  if (open.source !== heard.source || heard.source === '' || open.stamp !== heard.said.stamp) return true;
  // Nobody else writes into a logger's record.
  return isForeign || isBegun;
}

/** The exception that the line raises behind that traceback's frames, or null. */
export function raiseOf(open: OpenTraceback, { text, source, record, said }: Heard): Exception | null {
  const inner = outdented(open, text);
  if (isFrame(inner) || (open.isHeadless && !isSyntaxError(inner))) return null;
  // Of a rank torch marks nothing but its traceback.
  const isMarked = source !== '' || record !== null || (said.process !== null && isRank(said.process));
  const isAlone = (isMarked && open.text.length > 1) || isRaisedBy(open.text, inner);
  return exceptionOf(inner, isAlone);
}

/** The innermost frame shows the very `raise` of a class by that name. */
function isRaisedBy(frames: readonly string[], text: string): boolean {
  const name = /^([A-Za-z_]\w*)(?::|$)/.exec(text)?.[1];
  if (name === undefined) return false;
  return frames.slice(-2).some((line) => line.trimStart().startsWith(`raise ${name}`));
}

/**
 * The message goes on with another process's traceback: torch's DataLoader, Ray and executors put it there. One that stands behind a
 * message without a word is told beside it: vLLM's workers add their own traceback to the exception as a note, so it comes twice.
 */
export function isQuote({ failure }: OpenTraceback, { text, head }: Heard): boolean {
  if (remoteHeadOf(text) !== null) return failure?.type.includes('RayTaskError') === true;
  if (/^\s*Original Traceback /.test(text)) return true;
  return text.trimStart() === head && failure?.message.at(-1)?.endsWith(':') === true;
}

export function isQuoting({ failure }: OpenTraceback, own: readonly OpenTraceback[]): boolean {
  return own.some(({ chain }) => chain !== null && chain.how === 'quoted' && chain.line === failure?.line);
}

/** A message that quotes another one ends the one that it quoted before. */
export function isQuotedBefore({ failure, chain }: OpenTraceback, quoting: OpenTraceback): boolean {
  return failure !== null && chain?.how === 'quoted' && chain.line === quoting.failure?.line;
}
