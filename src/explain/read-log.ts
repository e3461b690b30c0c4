/** One log, read from its first byte to its last: bytes in, what it says out. Memory is flat, whatever the size. */

import type { LogKind } from '../log/events.ts';
import { OneReading, type Said } from './one-reading.ts';
import { Signs } from './signs.ts';
import { Window } from './window.ts';

export interface ReadLog extends Said {
  readonly bytes: number;
}

/** While the kind isn't certain both readers read: so far, then the signs must do. */
const UNDECIDED_BYTES = 4 * 1024 * 1024;

/** `kind` null: the log tells, and where it doesn't, `name` does. */
export async function readLog(
  chunks: AsyncIterable<Uint8Array>,
  { kind, name }: { readonly kind: LogKind | null; readonly name: string },
): Promise<ReadLog> {
  let readings = kind === null ? [new OneReading('train'), new OneReading('serve')] : [new OneReading(kind)];
  const signs = new Signs();
  const window = new Window();
  let bytes = 0;
  const decide = () => {
    const decided = signs.decide(name);
    readings = readings.filter((each) => each.kind === decided);
  };
  for await (const chunk of chunks) {
    bytes += chunk.length;
    window.push(chunk, readings[0]?.line ?? 1);
    for (const each of readings) each.feed(chunk, window, signs);
    if (readings.length > 1 && (signs.isCertain || bytes >= UNDECIDED_BYTES)) decide();
  }
  for (const each of readings) each.end(window, signs);
  if (readings.length > 1) decide();
  return { ...(readings[0] ?? new OneReading('serve')).result(window), bytes };
}
