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
  return nameOf(parts);
}

/** 12 hex digits over words that are the same wherever and whenever it happens. */
export function nameOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, DIGITS);
}

/** The message with all that differs from run to run replaced; what names a thing (`'flash_attn.ops'`, `config.json`) stays. */
function masked(message: string): string {
  const text = message.slice(0, MAX_MESSAGE).replace(/\s+/g, ' ');
  return VARYING.reduce((left, [pattern, by]) => left.replace(pattern, by), withoutPaths(withoutQuotes(text))).trim();
}

/** In this order: what the later ones would take apart comes first. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\bRoot=[\w;-]{1,100}/g, '#'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '#'],
  [/\[[\da-f]{0,4}:[\da-f:.]{1,45}\](?::\d{1,5})?/gi, '#'],
  [/\([\w.-]{1,100}, \d{2,5}\)|(?<![\w.-])[\w.-]{1,100}:\d{2,5}\b/g, '#'],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d/g, '#'],
  [/\b(?=[\da-f]{0,64}\d)[\da-f]{6,64}\b/gi, '#'],
  [/0x[\da-f]{1,32}/gi, '#'],
  [/(?<!\w)[+-](?=\d)/g, ''],
  [/\d[\d.,:]{0,60}(?:e[+-]?\d{1,4})?/gi, '#'],
  [/#{2,}/g, '#'],
  [/# ?(?:[KMGT]i?B|k?bytes?|ms|s|milliseconds|seconds)\b/gi, '#'],
];

/** Quoted text without what isn't a single name: paths in it keep their file. */
function withoutQuotes(text: string): string {
  return text.replace(/'[^']{0,300}'|"[^"]{0,300}"|`[^`]{0,300}`/g, (quoted) => {
    const inside = quoted.slice(1, -1);
    return /^[A-Za-z_][\w.]{0,80}$/.test(inside) ? inside : `'${fileOf(inside)}'`;
  });
}

function withoutPaths(text: string): string {
  return text.replace(/(?:[\w.~-]{0,100}\/)[\w./~@:+-]{1,300}/g, (path) => `/${fileOf(path)}`);
}

/** `config.json` of a path to one, else nothing; names of temporary files are made up. */
function fileOf(path: string): string {
  return /\/(?!tmp)([\w-]{1,80}(?:\.[a-z]{1,12}){1,2})$/.exec(path)?.[1] ?? '';
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
