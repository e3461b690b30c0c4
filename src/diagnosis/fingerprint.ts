/** A short name of a failure that stays the same wherever and whenever it happens: for "seen before". */

import { createHash } from 'node:crypto';
import type { Trouble } from '../log/events.ts';

/** So many of the innermost frames count: outer ones differ with how it was launched. */
const FRAMES = 4;
const MAX_MESSAGE = 2000;
const DIGITS = 12;

/** 12 hex digits over the row, the exception's class, its message without what varies, and the innermost own frames' functions. */
export function fingerprintOf(trouble: Pick<Trouble, 'type' | 'message' | 'traceback'>, row: string): string {
  // torch.cuda.OutOfMemoryError became torch.OutOfMemoryError: the class's place is the version's, not the failure's.
  const type = trouble.type?.split('.').at(-1) ?? '';
  const parts = [row, type, masked(trouble.message), ...functionsOf(trouble.traceback?.text ?? [])];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, DIGITS);
}

/** The message with numbers, paths, addresses, hex and quoted names replaced; its first line that says something. */
function masked(message: string): string {
  return message
    .slice(0, MAX_MESSAGE)
    .replace(/\s+/g, ' ')
    .replace(/'[^']{0,300}'|"[^"]{0,300}"|`[^`]{0,300}`/g, "''")
    .replace(/(?:[\w.~-]{0,100}\/)[\w./~@:+-]{1,300}/g, '/')
    .replace(/\b(?=[\da-f]*\d)[\da-f]{6,64}\b/gi, '#')
    .replace(/0x[\da-f]{1,32}/gi, '#')
    .replace(/\d[\d.,:]{0,60}/g, '#')
    .replace(/# ?(?:[KMGT]i?B|k?bytes?|ms|s|milliseconds|seconds)\b/gi, '#')
    .trim();
}

/** Functions of the last frames that are no library's machinery, the innermost first. */
function functionsOf(text: readonly string[]): readonly string[] {
  const frames = text.flatMap((line) => {
    const frame = /^ {0,20}File "(?<file>[^"\n]{1,500})", line \d{1,9}, in (?<name>\S{1,200})/.exec(line)?.groups;
    return frame === undefined || MACHINERY.test(frame.file ?? '') ? [] : [frame.name ?? ''];
  });
  return frames.slice(-FRAMES).reverse();
}

/** What calls and wraps everything: how it is nested changes with versions. */
const MACHINERY =
  /\/(?:torch|multiprocessing|asyncio|uvloop|concurrent|threading|contextlib|functools|runpy|importlib|pydantic\w{0,20}|ray|tracing)(?:\/|\.py$)|<frozen/;
