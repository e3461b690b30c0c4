/** What a row of the catalog says of its problem, and what it is matched against. */

import type { Category } from '../categories.ts';
import type { FactValue, LogKind, Trouble } from '../log/events.ts';
import type { Retry } from './cause.ts';

/** 'pointer' = says only that something else failed; 'consequence' = what others print when that happened, or what may be said on the way. */
export type Role = 'failure' | 'pointer' | 'consequence';

/** The named groups of a row's pattern. */
export type Found = Readonly<Record<string, string | undefined>>;
export type Facts = Readonly<Record<string, FactValue>>;

/** What people are told. */
export interface Words {
  readonly category: Category;
  /** What it is, in a few words. */
  readonly title: string;
  /** The true cause, in a sentence or two. */
  readonly why: string;
  /** What to do, with the flag to change and the numbers that the log has. */
  remedy(found: Found, facts: Facts): string;
}

export interface DiagnosisRow extends Words {
  /** Never changes: fingerprints, the journal and docs/diagnoses.md name it. */
  readonly id: string;
  /** Matched against `Type: message` of the exception, or the line that says it. Linear on any text. */
  readonly pattern: RegExp;
  /** Must stand in the same text as well, wherever: two patterns that are linear instead of one that isn't. */
  readonly beside?: RegExp;
  /** Where the message alone is not enough: must stand in the traceback's text as well. */
  readonly inTraceback?: RegExp;
  /** Only exceptions, or only lines without one; both where absent. */
  readonly shape?: 'exception' | 'line';
  /** Only in logs of this kind; both where absent. */
  readonly only?: LogKind;
  /** Lines as versions print them; a test runs each, with `frame` above it. */
  readonly samples: readonly [string, ...string[]];
  readonly frame?: string;
  /** A page of the software's own documentation, or null where none helps. */
  readonly link: string | null;
  /** Whether the very same launch can work at a second try. */
  readonly retry: Retry;
  /** Rows that are its consequences: where this one is in the log, they are not the cause. Those of another role are hidden anyway. */
  readonly hides?: readonly string[];
  /** A server that was ready does not go on after it, also where a client's request may have raised it. */
  readonly endsServer?: true;
  /** What differs once the server was ready. */
  readonly onceReady?: Partial<Words>;
  /** What differs where a training's target server had it, in the training's own log. */
  readonly inTarget?: Partial<Words>;
  /** In a training: the target server's doing; what its own log says explains more. */
  readonly isOfTarget?: true;
  /** In a training: said on the way by many a good run; it counts only where something else shows that the target server is gone. */
  readonly isHint?: true;
  /** Further facts that its text (`textOf`) holds. */
  facts?(text: string): Readonly<Record<string, number>>;
}

/** A row that others hide. */
export interface FollowUpRow extends DiagnosisRow {
  readonly role: Exclude<Role, 'failure'>;
  /** It shows that somebody asked for the end. */
  readonly isStop?: true;
}

/** `Type: message`, as the exception's line has it. */
export function textOf({ type, message }: Pick<Trouble, 'type' | 'message'>): string {
  return type === null ? message : `${type}: ${message}`;
}

/** The named groups where the row fits, else null. */
export function fits(row: DiagnosisRow, trouble: Trouble, kind: LogKind): Found | null {
  if (row.only !== undefined && row.only !== kind) return null;
  if (row.shape !== undefined && row.shape !== (trouble.type === null ? 'line' : 'exception')) return null;
  const text = textOf(trouble);
  const match = row.pattern.exec(text);
  if (match === null || row.beside?.test(text) === false) return null;
  if (row.inTraceback?.test(trouble.traceback?.text.join('\n') ?? '') === false) return null;
  return { ...match.groups };
}

/** `152064` as `152,064`; what is no whole number stays as it is. */
export function grouped(number: string): string {
  return /^\d+$/.test(number) ? Number(number).toLocaleString('en-US') : number;
}
