/** What a server was asked for, and where its engine runs otherwise. */

import { compareEngine, type Difference } from '../log/engine/compare.ts';
import type { Reading } from '../log/reading.ts';
import { argumentLines, valueWords } from './argument-lines.ts';
import { wrap } from './wrap.ts';

/** Without the arguments or without the engine's own configuration there is nothing to compare. */
export function differencesOf({ asked, engine }: Pick<Reading, 'asked' | 'engine'>): readonly Difference[] {
  return asked === null || engine === null ? [] : compareEngine(asked, engine.config);
}

export function engineLines(reading: Pick<Reading, 'asked' | 'engine'>): string[] {
  const given = reading.asked === null ? [] : argumentLines(reading.asked);
  const others = differencesOf(reading).flatMap(({ key, asked: wanted, got }) =>
    wrap(`${key}: asked for ${valueWords(wanted)}, runs with ${valueWords(got)}`, '  '),
  );
  return [...given, ...(others.length === 0 ? [] : ['The engine runs otherwise than it was asked to', ...others])];
}
