/** Troubles as the reader makes them, from one line. */

import { recognise } from '../../src/diagnosis/catalog.ts';
import type { LogKind, Trouble } from '../../src/log/events.ts';

/** `Type: message` or `Type: ` is an exception, anything else a line that says it; `frame` stands above it. */
export function troubleOf(line: string, frame = ''): Trouble {
  const match = /^((?:\w+\.)*_?[A-Z]\w*|MemoryError)(?:: (.*))?$/s.exec(line);
  const [, type = null, said = ''] = match ?? [];
  const message = type === null ? line : said;
  return { line: 3, type, process: null, pid: null, message, traceback: { first: 1, last: 3, text: [frame, line] } };
}

export function remedyOf(trouble: Trouble, kind: LogKind): string {
  const { row, found } = recognise(trouble, kind);
  return row.remedy(found, {});
}
