/** The traceback that a JSON record holds, as the text that Python prints. */

import { first, isFields, type JsonFields, objectIn } from './json-fields.ts';
import { HEAD } from './traceback-head.ts';

const NAMES = [
  'exc_info',
  'exc_text',
  'exception',
  'stack_trace',
  'traceback',
  'error.stack_trace',
  'exception.stacktrace',
  'error_stack',
];
const MOST_FRAMES = 200;

/** In what tells a traceback without the words that Python begins one with. */
export const STACK_SIGN = /"exc_type"/;

/** Of a record (`inner`) and what it lies in; null where neither holds a traceback. */
export function exceptionOf(fields: JsonFields, inner: JsonFields): string | null {
  const told = textOf(first(inner, NAMES)) ?? textOf(first(objectIn(inner, 'error') ?? {}, ['stack_trace', 'stack']));
  if (told !== null) return told;
  const list = NAMES.map((name) => inner[name]).find(Array.isArray);
  if (list !== undefined) return fromStacks(list);
  // loguru: the record says only that there is one; the line's own text has it.
  const text = objectIn(inner, 'exception') === null ? null : first(fields, ['text']);
  const at = text?.indexOf(HEAD) ?? -1;
  return text === null || at === -1 ? null : text.slice(at);
}

/** A word such as "true" is no traceback. */
function textOf(value: string | null): string | null {
  return value?.includes(':') === true ? value.trimEnd() : null;
}

/** structlog's dict_tracebacks: the exception that was raised last stands first. */
function fromStacks(stacks: readonly unknown[]): string | null {
  const texts = stacks.flatMap((stack) => {
    const type = isFields(stack) ? first(stack, ['exc_type']) : null;
    return isFields(stack) && type !== null ? [fromStack(stack, type)] : [];
  });
  if (texts.length === 0) return null;
  return texts.reverse().join('\n\nThe above exception was the direct cause of the following exception:\n\n');
}

function fromStack(stack: JsonFields, type: string): string {
  const frames = Array.isArray(stack.frames) ? stack.frames.filter(isFields).slice(-MOST_FRAMES) : [];
  const lines = frames.flatMap((frame) => {
    const line = first(frame, ['line']);
    const where = `  File "${first(frame, ['filename'])}", line ${String(frame.lineno)}, in ${first(frame, ['name'])}`;
    return line === null || line === '' ? [where] : [where, `    ${line}`];
  });
  const value = first(stack, ['exc_value']) ?? '';
  return [HEAD, ...lines, value === '' ? type : `${type}: ${value}`].join('\n');
}
