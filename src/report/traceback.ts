/** A traceback cut to the frames that matter, so that it fits a phone and Slack's limits. */

import type { Chain } from '../log/events.ts';
import { HEAD } from '../log/traceback-head.ts';
import { clean, clip } from './escape.ts';
import { type Frame, frameOf, telling, withCode } from './frames.ts';

const MOST = 2400;
const MOST_MESSAGE = 900;
const MOST_LINES = 500;
const MOST_NATIVE = 3;

/** C++ frames that every stack has: of the error itself, of Python's calls, of the C library, and those without a name. */
const DULL_NATIVE =
  /c10::Error|<unknown function>|\/(?:libc|libstdc\+\+|ld-linux|libpthread)[\w.+-]*\)|\/python[\d.]*\)/;

/** Where the reader itself left lines out. */
const CUT = /^ {2}\.\.\./;

/** One exception: what stands before its frames, they, and its message. */
interface Part {
  readonly head: string;
  readonly frames: readonly Frame[];
  readonly message: readonly string[];
}

/** How an exception hangs on another one, as people are told it. */
const HANGS: Readonly<Record<Chain['how'], string>> = {
  cause: 'raised from',
  context: 'raised while this was handled:',
  group: 'one of those in',
  quoted: 'quoted by',
};

/**
 * At most 2,400 characters: the frames that tell something, the message. Of a message that quotes another process's traceback that one's
 * frames are shown. What is left out is said; `chain` is named in a line.
 */
export function trimTraceback(lines: readonly string[], chain?: Chain): string {
  const parts = split(lines.slice(-MOST_LINES).map((line) => clip(clean(line), 2 * MOST_MESSAGE)));
  const last = parts.at(-1);
  if (last === undefined) return '';
  const outer = parts.slice(0, -1).map(nameOf);
  const names =
    outer.length <= 2 ? outer : [...outer.slice(0, 1), `  … ${count(outer.length - 2, 'more')} …`, ...outer.slice(-1)];
  const hangs =
    chain?.what === undefined ? [] : [`  (${HANGS[chain.how]} ${clip(chain.what, 200)}, line ${chain.line})`];
  const message = clip(withoutNatives(last.message).join('\n'), MOST_MESSAGE);
  const room = MOST - message.length - [...names, ...hangs].join('\n').length - 80;
  const shown = [...names, last.head, ...withinRoom(last.frames, room), message, ...hangs];
  return clip(shown.filter((text) => text !== '').join('\n'), MOST);
}

function split(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last === undefined || line.endsWith(HEAD) || /^ray::\S{1,200} \(pid=/.test(line)) {
      const frame = frameOf(line);
      parts.push(frame === null ? { head: line, frames: [], message: [] } : { head: '', frames: [frame], message: [] });
    } else parts[parts.length - 1] = extended(last, line);
  }
  return parts;
}

function extended(part: Part, line: string): Part {
  const frame = part.message.length === 0 ? frameOf(line) : null;
  if (frame !== null) return { ...part, frames: [...part.frames, frame] };
  const isCode = part.message.length === 0 && /^(?:\s|$)/.test(line);
  if (!isCode) return { ...part, message: [...part.message, line] };
  const last = part.frames.at(-1);
  // Code without its frame is what a cut left over.
  if (last === undefined || line === '' || CUT.test(line)) return part;
  return { ...part, frames: [...part.frames.slice(0, -1), withCode(last, line)] };
}

/** A part whose frames are not shown: its exception line. */
function nameOf({ head, message }: Part): string {
  const line = message.find((text) => text !== '' && !text.startsWith('  ')) ?? head;
  return `${clip(line, 200)}\n  … its own frames left out …`;
}

/** The telling frames as far as they fit, the innermost last; what was left out stands in between. */
function withinRoom(frames: readonly Frame[], room: number): string[] {
  const places = [...telling(frames)];
  while (places.length > 1 && written(frames, places).join('\n').length > room) places.shift();
  return written(frames, places);
}

function written(frames: readonly Frame[], places: readonly number[]): string[] {
  const texts: string[] = [];
  let next = 0;
  for (const place of places) {
    if (place > next) texts.push(`  … ${count(place - next, next === 0 ? 'outer frame' : 'frame')} left out …`);
    texts.push(...(frames[place]?.lines ?? []));
    next = place + 1;
  }
  if (next < frames.length) texts.push(`  … ${count(frames.length - next, 'frame')} left out …`);
  return texts;
}

/** The message with the first telling frames of a C++ stack in it. */
function withoutNatives(message: readonly string[]): string[] {
  const isNative = (line: string) => /^frame #\d/.test(line);
  const natives = message.filter(isNative);
  const named = natives.filter((line) => !DULL_NATIVE.test(line));
  const kept = new Set((named.length === 0 ? natives : named).slice(0, MOST_NATIVE));
  const left = natives.length - kept.size;
  const rest = message.flatMap((line) => (!isNative(line) ? [line] : kept.has(line) ? [clip(line, 160)] : []));
  return left === 0 ? rest : [...rest, `  … ${count(left, 'C++ frame')} left out …`];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 || what === 'more' ? '' : 's'}`;
}
