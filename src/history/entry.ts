/** What is kept of a run for months: one line of the export. Plain data; no secret, times ms of our clock unless they say otherwise. */

import type { Place } from '../chat.ts';
import type { End, Phase } from '../run/run.ts';
import type { Acceptance, Outcome } from '../verify/verification.ts';

export interface HistoryEntry {
  /** Shape of this line: grows when its meaning changes. */
  readonly version: 1;
  readonly run: string;
  readonly name: string;
  readonly kind: 'serve' | 'train';
  readonly host: string;
  readonly recipe: string;
  /** Cut where it is very long: a word to 1,000 characters, all of them to 2,500. */
  readonly argv: readonly string[];
  readonly devices: readonly string[];
  /** Slack user ids; '' where nobody asked. */
  readonly by: string;
  readonly stoppedBy: string | null;
  /** When it was asked for, when its process started (host time), when it ended. */
  readonly at: number;
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly end: End;
  /** It was refused before anything was started. */
  readonly isRefused: boolean;
  /** What its last verification came to; null without one. */
  readonly outcome: Outcome | null;
  /** In order of first sight, all visits together. */
  readonly phases: readonly { readonly phase: Phase; readonly ms: number }[];
  /** As the server, the log or the checks told: `vllm`, `nccl`, `torch`, `driver`, … */
  readonly versions: Readonly<Record<string, string>>;
  readonly exit: { readonly code: number | null; readonly signal: number | null } | null;
  /** Of a refusal and of a run that is lost: why, with `refused` or `lost` as category and row. */
  readonly cause: {
    readonly category: string;
    readonly row: string;
    readonly title: string;
    readonly message: string;
    readonly remedy: string;
    readonly process: string | null;
  } | null;
  /** Of its failure, or of what its verification found wrong: the same for the same trouble elsewhere; null where all was well. */
  readonly fingerprint: string | null;
  readonly numbers: {
    readonly tokensPerSecond: number | null;
    /** Others computed on its GPUs, or asked it, while these were measured: they say little. null without them. */
    readonly isDisturbed: boolean | null;
    readonly firstTokenMs: number | null;
    readonly acceptance: Acceptance | null;
    readonly loss: number | string | null;
    readonly step: number | null;
  };
  /** Its thread's root, or null. */
  readonly thread: Place | null;
}

/** The team's own remedy for a trouble. */
export interface TeamNote {
  readonly text: string;
  /** Slack user id. */
  readonly by: string;
  readonly at: number;
}

/** An earlier run with the same trouble. */
export interface Earlier {
  readonly name: string;
  readonly host: string;
  readonly at: number;
  readonly thread: Place | null;
}

/** Which runs that ended are asked for. */
export interface HistoryQuestion {
  readonly kind: HistoryEntry['kind'];
  /** On these hosts only. */
  readonly hosts: readonly string[];
  /** Of the host or the recipe that is called so, whatever its capitals; null = of all. */
  readonly of: string | null;
  readonly most: number;
}

/** What is known of them. */
export interface Past {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** How many there are in all. */
  readonly total: number;
  /** Recipes of that kind on those hosts that the history knows, whatever it was asked for. */
  readonly recipes: readonly string[];
}
