/** The first real failure of a run, as people are told it. */

export interface Cause {
  readonly line: number;
  /** Class as logged, or null (C++, compilers, argparse, the shell). */
  readonly type: string | null;
  /** The process that had it (`Worker_TP1`), or null. */
  readonly process: string | null;
  readonly category: string;
  /** A row's title: what it is, in a few words. */
  readonly title: string;
  /** The exception's message or the line itself, masked. */
  readonly message: string;
  /** What to do, with the flag to change; the log's numbers filled in where the row can. */
  readonly remedy: string;
  readonly traceback: { readonly first: number; readonly last: number; readonly text: readonly string[] } | null;
}
