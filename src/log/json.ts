/** Records of a JSON formatter (VLLM_LOGGING_CONFIG_PATH): no schema of their own, so the usual names are tried. */

export interface JsonRecord {
  readonly level: string | null;
  readonly stamp: string | null;
  readonly message: string;
  /** The traceback's text, or null. */
  readonly exception: string | null;
}

const MESSAGE = /"(?:message|msg|event)": ?"((?:[^"\\]|\\.)*)/;

/** null where the text is no JSON record. A record that was cut keeps its message. */
export function parseJsonRecord(text: string): JsonRecord | null {
  const fields = parseObject(text);
  if (fields === null) {
    const cut = MESSAGE.exec(text);
    return cut === null ? null : { level: null, stamp: null, message: cut[1] ?? '', exception: null };
  }
  const message = first(fields, ['message', 'msg', 'event', 'text']);
  if (message === null) return null;
  const time = first(fields, ['asctime', 'timestamp', 'time', '@timestamp', 'ts']);
  return {
    level: first(fields, ['levelname', 'level', 'severity'])?.toUpperCase() ?? null,
    stamp: time === null ? null : stampOf(time),
    message,
    exception: first(fields, ['exc_info', 'exc_text', 'exception', 'stack_trace', 'traceback']),
  };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // Cut at the line's cap, or a dictionary that only looks like JSON.
    return null;
  }
}

function first(fields: Record<string, unknown>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

function stampOf(time: string): string | null {
  const match = /^\d{4}-(\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(time);
  return match === null ? null : `${match[1]} ${match[2]}`;
}
