/** What a row of the catalog is, and what it is matched against. */

import type { Trouble } from '../log/events.ts';
import type { Category } from './categories.ts';

export interface DiagnosisRow {
  readonly category: Category;
  /** What it is, in a few words. */
  readonly title: string;
  /** Matched against `Type: message` of the exception, or the line that says it. */
  readonly pattern: RegExp;
  /** Where the message alone is not enough: matched against the traceback's text as well. */
  readonly inTraceback?: RegExp;
  /** An exception's line as printed: a test runs it. */
  readonly sample: string;
  /** What to do, with the flag to change; named groups of the pattern are at hand. */
  remedy(found: Readonly<Record<string, string | undefined>>): string;
}

/** A row for trainings: tried before the catalog. */
export interface TrainingRow extends DiagnosisRow {
  /** The target server's doing: what its own log says explains more. */
  readonly isOfTarget?: true;
  /** Said on the way by many a good run: it counts only where something else shows that the target server is gone. */
  readonly isHint?: true;
}

/** `Type: message`, as the exception's line has it. */
export function textOf(trouble: Trouble): string {
  return trouble.type === null ? trouble.message : `${trouble.type}: ${trouble.message}`;
}

export function fits(row: DiagnosisRow, trouble: Trouble): RegExpExecArray | null {
  const match = row.pattern.exec(textOf(trouble));
  if (match === null || row.inTraceback === undefined) return match;
  return row.inTraceback.test(trouble.traceback?.text.join('\n') ?? '') ? match : null;
}
