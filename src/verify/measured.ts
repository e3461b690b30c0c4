/** What the probes of a server were answered: the input of the judgement. Plain data. */

import type { EngineSaid, JsonObject } from '../log/events.ts';
import type { Drafts } from '../vitals/counters.ts';
import type { Serving } from './serving.ts';
import type { Floor, KeptRecord } from './verification.ts';

export interface Measured {
  /** Our clock, ms. */
  readonly at: number;
  /** Who asked, or null: after the start. */
  readonly by: string | null;
  /** What it reaches becomes the record. */
  readonly accept: boolean;
  readonly run: {
    readonly name: string;
    readonly recipe: string;
    readonly argv: readonly string[];
    readonly isFound: boolean;
  };
  readonly serving: Serving;
  readonly floor: Floor;
  readonly record: KeptRecord | null;
  /** What the log shows: tasks (`generate`, `embed`), arguments, engine configuration; null where it doesn't. */
  readonly said: {
    readonly tasks: readonly string[] | null;
    readonly asked: JsonObject | null;
    readonly engine: EngineSaid | null;
    /** Hidden states that the drafter is given, as the model runner counts them (`2, 17, 32, 47, 62`): 0 is the embedding's. */
    readonly layers: string | null;
  };
  readonly version: string | null;
  readonly models: Models;
  /** What it was asked for once, each kind that fits it. */
  readonly tries: readonly Try[];
  readonly prompts: Prompts;
  /** Processes of others that compute on its GPUs, words for people (`pid 4711 (python, user bob) on GPU 1`); null where nvidia-smi can't be asked. */
  readonly others: readonly string[] | null;
}

export type Models =
  | { readonly kind: 'named'; readonly names: readonly string[] }
  /** `knowsKey`: one was sent. */
  | { readonly kind: 'wants_key'; readonly status: number; readonly knowsKey: boolean }
  /** `status` null: no answer came. */
  | { readonly kind: 'wrong'; readonly status: number | null; readonly said: string };

/** One request and what came of it. */
export interface Try {
  readonly task: 'plain' | 'chat' | 'embedding' | 'classify' | 'score' | 'pooling';
  readonly outcome: /** `amount`: generated tokens, or numbers of a vector or scores. */
    | { readonly kind: 'answered'; readonly amount: number; readonly text: string | null }
    /** A refusal (4xx, 501), masked and cut: the server works and doesn't do that. */
    | { readonly kind: 'refused'; readonly status: number; readonly said: string }
    /** 5xx, an answer that is none, or none in time (`status` null). */
    | { readonly kind: 'failed'; readonly status: number | null; readonly said: string };
}

/** The fixed prompts, one after the other. */
export interface Prompts {
  /**
   * Why they were not sent, or not all: the server is busy (`running`, `waiting` requests of others), it refused one, it doesn't generate, one failed,
   * one was not answered in its own time (`time`), or their time together was over (`budget`).
   */
  readonly left:
    | null
    | { readonly why: 'busy'; readonly running: number; readonly waiting: number }
    | { readonly why: 'refused'; readonly status: number; readonly said: string }
    | { readonly why: 'no_text' | 'failed' | 'time' | 'budget' };
  readonly runs: readonly PromptRun[];
  readonly by: 'forwarding' | 'curl';
  /** Requests that others finished meanwhile; null where they can't be counted. */
  readonly othersFinished: number | null;
  /** Counters of its drafts before and after them (or of what others ask, where it is busy); null without statistics or speculation. */
  readonly drafts: { readonly before: Drafts; readonly after: Drafts; readonly of: 'prompts' | 'traffic' } | null;
  /** /metrics answered, and told of the engine. */
  readonly hasMetrics: boolean;
}

export interface PromptRun {
  readonly tokens: number;
  readonly firstMs: number | null;
  readonly totalMs: number;
}
