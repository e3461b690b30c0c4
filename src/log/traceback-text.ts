/** What a traceback holds, within its bounds, and the trouble that it tells. */

import type { OpenTraceback } from './carry.ts';
import type { LogEvent, Trouble } from './events.ts';

const MAX_TEXT = 16 * 1024;
const MAX_LINES = 300;
/** The first lines say where it began; what is cut out lies behind them. */
const KEPT_HEAD = 10;
const MAX_MESSAGE_LINES = 40;

export type TroubleEvent = Extract<LogEvent, { kind: 'trouble' }>;

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
  if (message.length < MAX_MESSAGE_LINES) message.push(text);
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

export function troubleOf(open: OpenTraceback): TroubleEvent[] {
  const { failure } = open;
  if (failure === null || open.isSilent) return [];
  const { line, stamp, type, process, pid } = failure;
  const message = failure.message
    .join('\n')
    .trim()
    .slice(0, MAX_TEXT / 4);
  const text = [...open.text];
  if (open.left > 0) text.splice(KEPT_HEAD, 0, `  ... ${open.left} lines left out ...`);
  const trouble: Trouble = {
    line,
    type,
    process,
    pid,
    message,
    traceback: { first: open.first, last: open.last, text },
  };
  return [{ kind: 'trouble', line, stamp, trouble }];
}
