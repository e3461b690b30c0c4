/** What a traceback holds, within its bounds, and the trouble that it tells. */

import type { OpenTraceback } from './carry.ts';
import type { Chain, LogEvent, Trouble } from './events.ts';
import type { Heard } from './traceback-heard.ts';
import type { Exception } from './traceback-lines.ts';

const MAX_TEXT = 16 * 1024;
const MAX_LINES = 300;
/** The first lines say where it began; what is cut out lies behind them. */
const KEPT_HEAD = 10;
const MAX_MESSAGE_LINES = 40;
const MAX_MESSAGE = MAX_TEXT / 4;
const MILD = /^(?:[TDIW]|TRACE|DEBUG|INFO|NOTICE|SUCCESS|WARN(?:ING)?)$/;

export type TroubleEvent = Extract<LogEvent, { kind: 'trouble' }>;

/** A traceback that begins at this line. Logged below ERROR it is not told. */
export function openTraceback(
  { said, text, head, line, end, speaker, source, margin, record }: Heard,
  what: { chain: Chain | null; isSilent: boolean },
): OpenTraceback {
  const isMild = said.shape !== 'uvicorn' && MILD.test(said.level ?? '');
  const first = head ?? text;
  return {
    // What follows a logger's own line bears no head of its own.
    speaker: said.shape === 'dated' && said.pid === null ? '/' : speaker,
    source,
    stamp: said.stamp,
    first: line,
    last: line,
    text: [first],
    size: first.length + 1,
    left: 0,
    failure: null,
    blanks: 0,
    hasCarriageReturns: said.source !== null && end === '\r',
    isSilent: isMild || what.isSilent,
    strangers: 0,
    margin,
    indent: head === null ? 0 : indentBefore(text.slice(0, -head.length)),
    record,
    chain: what.chain,
    isHeadless: head === null,
    isPastNative: false,
  };
}

/** The line that ends the frames. */
export function fail(open: OpenTraceback, { type, message }: Exception, { said, text, line }: Heard): void {
  const { process, pid, stamp } = said;
  open.failure = { line, stamp, process, pid, type, message: [message] };
  open.last = line;
  addText(open, text);
}

/** A line behind the exception line. Blank ones count when text follows. */
export function addToMessage(open: OpenTraceback, text: string, line: number): void {
  if (text === '' || open.failure === null) {
    if (open.blanks < MAX_MESSAGE_LINES) open.blanks += 1;
    return;
  }
  for (; open.blanks > 0; open.blanks -= 1) addMessage(open, open.failure.message, '');
  addMessage(open, open.failure.message, text);
  open.last = line;
}

function addMessage(open: OpenTraceback, message: string[], text: string): void {
  addText(open, text);
  if (message.length < MAX_MESSAGE_LINES) message.push(text.slice(0, MAX_MESSAGE));
}

export function addText(open: OpenTraceback, text: string): void {
  open.text.push(text);
  open.size += text.length + 1;
  while (open.size > MAX_TEXT || open.text.length > MAX_LINES) {
    const [cut] = open.text.splice(Math.min(KEPT_HEAD, open.text.length - 1), 1);
    if (cut === undefined) return;
    open.size -= cut.length + 1;
    open.left += 1;
  }
}

/** `text` as the traceback's own: what stands before all of its lines is taken off. */
export function outdented(open: OpenTraceback, text: string): string {
  if (open.indent === 0 || text === '') return text;
  if (text.startsWith(' '.repeat(open.indent))) return text.slice(open.indent);
  if (open.text.length === 1) open.indent = 0;
  return text;
}

export function troubleOf(open: OpenTraceback): TroubleEvent[] {
  const { failure } = open;
  if (failure === null || open.isSilent) return [];
  const { line, stamp, type, process, pid } = failure;
  const message = failure.message.join('\n').trim().slice(0, MAX_MESSAGE);
  const text = [...open.text];
  if (open.left > 0) text.splice(KEPT_HEAD, 0, `  ... ${open.left} lines left out ...`);
  const traceback = open.isHeadless ? null : { first: open.first, last: open.last, text };
  const trouble: Trouble = { line, type, process, pid, message: message + placeOf(open), traceback };
  const hanging = open.chain === null ? trouble : { ...trouble, chain: open.chain };
  return [{ kind: 'trouble', line, stamp, trouble: hanging }];
}

/** Where a file could not be parsed: without a traceback nothing else says it. As Python writes it where it has one line only. */
function placeOf({ isHeadless, text }: OpenTraceback): string {
  const match = isHeadless ? /^ {2}File "(.+)", (line \d+)$/.exec(text[0] ?? '') : null;
  return match === null ? '' : ` (${match[1]}, ${match[2]})`;
}

/** All of its lines stand as far in as its first one, with or without torchrun's name for it before it. */
function indentBefore(before: string): number {
  return /^ *(?:traceback *: )?$/.test(before) ? before.length - before.trimStart().length : 0;
}
