/**
 * Records of a JSON formatter (VLLM_LOGGING_CONFIG_PATH, python-json-logger, structlog, loguru, Ray, ECS): no schema of their own, so the
 * usual names are tried. Docker's own files hold one line of the container in each.
 */

import { exceptionOf } from './json-exception.ts';
import { first, type JsonFields, objectIn, partOf } from './json-fields.ts';

export interface JsonRecord {
  readonly level: string | null;
  readonly stamp: string | null;
  readonly message: string;
  /** The traceback's text, or null. */
  readonly exception: string | null;
}

/** A line that Docker's json-file driver wrapped. */
export interface WrappedLine {
  readonly line: string;
  readonly stamp: string | null;
}

const LOSSES = ['loss', 'train_loss', 'train/loss', 'eval_loss', 'val_loss', 'eval/loss', 'val/loss'];
const MESSAGES = ['message', 'msg', 'event', 'text', 'body'];
const CUT_MESSAGE = /"(?:message|msg|event)": ?"/;
/** What the message of a record of numbers is: `train`, `train step`. */
const LONGEST_NAME = 24;
const NO_NUMBER = /"(?:train[_/])?loss": ?(?:NaN|-?Infinity)\b/;
const CUT_LEVEL = /"(?:levelname|level|severity)": ?"(\w{1,12})"/;
const LEVELS: Readonly<Record<string, string>> = { WARN: 'WARNING', ERR: 'ERROR', FATAL: 'CRITICAL' };

/** null where the text is no JSON record, or one of a training's numbers. Of one that was cut, what stands before the cut is kept. */
export function parseJsonRecord(text: string): JsonRecord | WrappedLine | null {
  const fields = parseObject(text);
  if (fields === null) return parseCut(text);
  const stamp = stampIn(fields);
  if (typeof fields.log === 'string' && typeof fields.stream === 'string') return { line: fields.log.trimEnd(), stamp };
  // loguru's serialize: the line as text, and the record.
  const record = objectIn(fields, 'record');
  const inner = record !== null && typeof record.message === 'string' ? record : fields;
  const message = first(inner, MESSAGES);
  if (message === null) return null;
  const level = first(inner, ['levelname', 'level', 'severity', 'log.level', 'levelno']) ?? levelIn(inner);
  const name = level === null ? null : levelName(level);
  const exception = exceptionOf(fields, inner);
  const isStep = isQuiet(name) && exception === null && message.length <= LONGEST_NAME && isMeasured(inner);
  if (isStep) return null;
  return {
    level: name,
    stamp: stamp ?? stampIn(inner),
    message,
    exception,
  };
}

function parseObject(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // Cut at the line's cap, or a dictionary that only looks like JSON.
    return null;
  }
}

function isQuiet(level: string | null): boolean {
  return level === null || level === 'INFO' || level === 'DEBUG';
}

/** A step's numbers of a training: the message only names them. */
function isMeasured(fields: JsonFields): boolean {
  return LOSSES.some((name) => typeof fields[name] === 'number');
}

function parseCut(text: string): JsonRecord | null {
  const message = partOf(text, CUT_MESSAGE);
  if (message === null) return null;
  const level = CUT_LEVEL.exec(text)?.[1];
  const name = level === undefined ? null : levelName(level);
  // What is no number is no JSON either, though Python writes it.
  if (isQuiet(name) && message.length <= LONGEST_NAME && NO_NUMBER.test(text)) return null;
  return {
    level: name,
    stamp: null,
    message,
    exception: partOf(text, /"(?:exc_info|exc_text|exception|traceback|stack_trace)": ?"/),
  };
}

function levelIn(fields: JsonFields): string | null {
  const [level, log] = [objectIn(fields, 'level'), objectIn(fields, 'log')];
  return first(level ?? {}, ['name']) ?? first(log ?? {}, ['level']);
}

function levelName(level: string): string {
  const name = level.toUpperCase();
  return LEVELS[name] ?? name;
}

function stampIn(fields: JsonFields): string | null {
  const time = first(fields, ['asctime', 'timestamp', 'time', '@timestamp', 'ts', 'datetime']);
  const written = time ?? first(objectIn(fields, 'time') ?? {}, ['repr']);
  const match = written === null ? null : /^\d{4}-(\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(written);
  return match === null ? null : `${match[1]} ${match[2]}`;
}
