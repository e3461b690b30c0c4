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

export const TRAIN_LOG_PHASES = [
  'target_starting',
  'target_ready',
  'preparing',
  'training',
  'checkpointing',
  'finished',
] as const;
export type TrainLogPhase = (typeof TRAIN_LOG_PHASES)[number];

export type LogPhase = ServeLogPhase | TrainLogPhase;

/** What a log is of: a server, or a training (which may hold its target server's own lines). */
export type LogKind = 'serve' | 'train';

export interface Progress {
  readonly phase: LogPhase;
  readonly done: number;
  readonly total: number;
  /** Of a training only; epochs count the completed ones. */
  readonly unit?: 'step' | 'epoch' | 'file';
}

/** One whole metric record of a training, as logged. null where the record has no such value. */
export interface TrainRecord {
  readonly step: number | null;
  /** Counted as the trainer counts: speculators from 0, in parts where it logs parts. */
  readonly epoch: number | null;
  /** A number, 'nan' or 'inf'. */
  readonly loss: number | string;
  readonly accuracy: number | null;
  /** Tokens a second (`profile/tokens_per_s`). */
  readonly tokensPerSecond: number | null;
}

export type FactValue = string | number | boolean | null;

/** What JSON can hold: classes, enums and dtypes of Python are strings, `inf` and `nan` too. */
export type JsonValue = FactValue | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A server's configuration as its engine says it: `version` is null where the line has none (SGLang). At most 3 KB, no secrets. */
export interface EngineSaid {
  readonly version: string | null;
  readonly config: JsonObject;
}

/**
 * Another exception that this one hangs on, by that one's exception line: the one that it was raised from (`cause`) or while that one was
 * handled (`context`), the group that holds it (`group`), or the one whose message quotes it, as of another process (`quoted`).
 */
export interface Chain {
  readonly line: number;
  readonly how: 'cause' | 'context' | 'group' | 'quoted';
  /** That one's first line, `KeyError: 'a'`, cut at 200 characters. */
  readonly what: string;
}

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
  /** Only where it is neither raised nor a plain failure: a metric record, a script's words on its wait for a target server, or a download's bar that stands still. */
  readonly source?: 'record' | 'wait' | 'bar';
  /** Only where it hangs on another exception. Those of one chain may be told in any order. */
  readonly chain?: Chain;
}

interface Located {
  readonly line: number;
  /** The line's own time as printed (`11-30 07:41:56`), or null. Local time of the host, no year, no zone. */
  readonly stamp: string | null;
}

export type LogEvent = Located &
  (
    | { readonly kind: 'start' } // another start in the same file: all before belongs to an older one
    | { readonly kind: 'phase'; readonly phase: LogPhase }
    | { readonly kind: 'progress'; readonly progress: Progress }
    | { readonly kind: 'fact'; readonly key: string; readonly value: FactValue }
    | { readonly kind: 'asked'; readonly args: JsonObject } // the arguments that a server says it was given
    | ({ readonly kind: 'engine' } & EngineSaid) // the configuration that comes of them
    | { readonly kind: 'record'; readonly record: TrainRecord } // a training made a step and logged it
    | { readonly kind: 'done' } // the trainer's own end: its summary, its last epoch saved, "Done"
    | { readonly kind: 'ready' } // one API server says that its start-up is complete
    | { readonly kind: 'shutdown' } // an orderly shut-down of the server begins
    | { readonly kind: 'waits' } // an engine says, minute by minute, that it waits for its workers
    | { readonly kind: 'trouble'; readonly trouble: Trouble }
  );
