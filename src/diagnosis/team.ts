/** A team's own rows, tried before the catalog. */

import type { TeamRow } from '../config/config.ts';
import type { LogKind, Trouble } from '../log/events.ts';
import { textOf } from './row.ts';

/** An exception says what it is at its beginning; many rows on a long text take their time. */
const MOST_TEXT = 2000;

/** The first row whose pattern fits `Type: message`, or null. */
export function findTeamRow(rows: readonly TeamRow[], trouble: Trouble, kind: LogKind): TeamRow | null {
  const text = textOf(trouble).slice(0, MOST_TEXT);
  return rows.find((row) => (row.kind === null || row.kind === kind) && row.pattern.test(text)) ?? null;
}
