/** What a server was asked for, and where its engine runs otherwise. */

import { compareEngine, type Difference } from '../log/engine/compare.ts';
import type { JsonObject, JsonValue } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import { clip } from '../report/escape.ts';
import { columns, wrap } from './wrap.ts';

const MOST = 30;
/** A value that is longer is cut: the log has all of it. */
const LONGEST = 200;

/** Without the arguments or without the engine's own configuration there is nothing to compare. */
export function differencesOf({ asked, engine }: Pick<Reading, 'asked' | 'engine'>): readonly Difference[] {
  return asked === null || engine === null ? [] : compareEngine(asked, engine.config);
}

export function engineLines(reading: Pick<Reading, 'asked' | 'engine'>): string[] {
  const { asked } = reading;
  const given = asked === null ? [] : argumentLines(asked);
  const others = differencesOf(reading).flatMap(({ key, asked: wanted, got }) =>
    wrap(`${key}: asked for ${valueWords(wanted)}, runs with ${valueWords(got)}`, '  '),
  );
  return [...given, ...(others.length === 0 ? [] : ['The engine runs otherwise than it was asked to', ...others])];
}

/** An argument a line; vLLM prints the model twice, and old ones print all arguments: those that are switched off are left out then. */
function argumentLines(asked: JsonObject): string[] {
  const all = Object.entries(asked).filter(([key, value]) => key !== 'model_tag' || value !== asked.model);
  const said = all.length <= MOST ? all : all.filter(([, value]) => !isOff(value));
  const rows = said.map(([key, value]) => [key, valueWords(value)]);
  const more = rows.length - MOST;
  const lines = columns(rows.slice(0, MOST), '  ');
  return lines.length === 0 ? [] : ['Arguments', ...lines, ...(more > 0 ? [`  ... and ${more} more`] : [])];
}

function isOff(value: JsonValue): boolean {
  return value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

function valueWords(value: JsonValue): string {
  if (value === null) return 'none';
  return clip(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);
}
