/** The first real failure of a run, as people are told it. */

/** Whether the very same launch can work at a second try. */
export type Retry = 'no' | 'may help' | 'helps';

export interface Cause {
  readonly line: number;
  /** Class as logged, or null (C++, compilers, argparse, the shell). */
  readonly type: string | null;
  /** The process that had it (`Worker_TP1`), or null. */
  readonly process: string | null;
  readonly category: string;
  /** Id of the catalog's row (docs/diagnoses.md), `unknown` where none fits; TEAM_ROW where a row of vigil.yaml gave title and remedy. */
  readonly row: string;
  /** A row's title: what it is, in a few words. */
  readonly title: string;
  /** The true cause in a sentence or two; empty where nobody knows. */
  readonly why: string;
  /** The exception's message or the line itself, masked. */
  readonly message: string;
  /** What to do, with the flag to change; the log's numbers filled in where the row can. */
  readonly remedy: string;
  /** A page that explains more, or null. */
  readonly link: string | null;
  readonly retry: Retry;
  /** 12 hex digits: the same for the same failure on another host, of another pid, path, rank, number or time. */
  readonly fingerprint: string;
  readonly traceback: { readonly first: number; readonly last: number; readonly text: readonly string[] } | null;
}

/** `Cause.row` of what a team's own row explains. */
export const TEAM_ROW = 'team';
