/** The vocabulary of everything above the log: what a line can mean. Line numbers are 1-based over `\n`-separated lines. */

export const SERVE_LOG_PHASES = [
  'configuring',
  'connecting',
  'downloading',
  'loading',
  'compiling',
  'kv_cache',
  'capturing',
  'ready',
] as const;
export type ServeLogPhase = (typeof SERVE_LOG_PHASES)[number];

export interface Progress {
  readonly phase: ServeLogPhase;
  readonly done: number;
  readonly total: number;
}

export type FactValue = string | number | boolean | null;

/** A failure as the log tells it: not yet judged to be the cause. Text is masked and bounded (16 KB). */
export interface Trouble {
  /** The exception line, or the line that says it. */
  readonly line: number;
  /** Class as logged (`torch.OutOfMemoryError`), null for C++, shell and argparse failures. */
  readonly type: string | null;
  /** The line's own prefix without pid and brackets (`Worker_TP1`), `rankN` for a rank, null where there is none. */
  readonly process: string | null;
  readonly pid: number | null;
  /** The exception's message (all its lines), or the line's text. */
  readonly message: string;
  /** From the "Traceback" line of this exception to the last line of its message that isn't blank, and its text without prefixes. */
  readonly traceback: { readonly first: number; readonly last: number; readonly text: readonly string[] } | null;
}

interface Located {
  readonly line: number;
  /** The line's own time as printed (`11-30 07:41:56`), or null. Local time of the host, no year, no zone. */
  readonly stamp: string | null;
}

export type LogEvent = Located &
  (
    | { readonly kind: 'start' } // another start in the same file: all before belongs to an older one
    | { readonly kind: 'phase'; readonly phase: ServeLogPhase }
    | { readonly kind: 'progress'; readonly progress: Progress }
    | { readonly kind: 'fact'; readonly key: string; readonly value: FactValue }
    | { readonly kind: 'ready' } // one API server says that its start-up is complete
    | { readonly kind: 'shutdown' } // an orderly shut-down of the server begins
    | { readonly kind: 'trouble'; readonly trouble: Trouble }
  );
