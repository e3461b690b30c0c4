/**
 * What a bot asks a worker about a host: a bot has no SSH of its own. Plain data, kept in Redis for some minutes.
 * To add a topic: its entry here, its function in jobs/ask.ts.
 */

import type { Checklist } from './check/check.ts';
import type { GpuUse } from './host/gpu.ts';
import type { Pid } from './host/process.ts';
import type { Request } from './run/request.ts';
import type { Verification } from './verify/verification.ts';

/** By kind: what is asked, and what is told. */
export interface Topics {
  /** The host's GPUs and who computes on them; told null where nvidia-smi can't be asked. */
  readonly gpus: { readonly asked: { readonly host: string }; readonly told: readonly GpuUse[] | null };
  /** What stands in the way of a launch, found without starting anything. */
  readonly check: {
    readonly asked: { readonly host: string; readonly recipe: string };
    readonly told: Checklist;
  };
  readonly dry_run: { readonly asked: { readonly host: string; readonly recipe: string }; readonly told: DryRun };
  /** Takes up what somebody started by hand: the one question that changes something. */
  readonly watch: { readonly asked: WatchOrder; readonly told: WatchAnswer };
  /** Verifies a server that answers, and tells its thread: sends it the fixed prompts. */
  readonly verify: { readonly asked: VerifyOrder; readonly told: VerifyAnswer };
  /** The processes of a run that somebody started by hand, as they are now: what a stop would end. */
  readonly processes: {
    readonly asked: { readonly host: string; readonly run: string };
    readonly told: readonly ListedProcess[];
  };
}

export interface VerifyOrder {
  readonly host: string;
  /** The run's id. */
  readonly run: string;
  /** Slack user id. */
  readonly by: string;
  /** What it reaches becomes the record, whatever that was. */
  readonly accept: boolean;
}

export type VerifyAnswer =
  | { readonly kind: 'verified'; readonly verification: Verification }
  /** It was not looked at, or completed nothing: a sentence that says why and what to do. */
  | { readonly kind: 'not_verified'; readonly reason: string };

/** A log that somebody named, understood and allowed as far as a bot can tell. */
export interface WatchOrder {
  readonly host: string;
  readonly what: Request['kind'];
  /** As typed: from `/` or `~/` on. */
  readonly log: string;
  /** The process that was named, or null. */
  readonly pid: number | null;
  readonly by: string;
  /** Slack's trigger_id: a redelivery with the same one is the same run. */
  readonly trigger: string;
  /** Where its thread goes. */
  readonly channel: string;
}

export type WatchAnswer =
  /** `notes`: what is not as it could be, each a sentence for people. */
  | { readonly kind: 'watched'; readonly request: Request; readonly notes: readonly string[] }
  /** A live run follows it already: nothing new was begun. */
  | { readonly kind: 'known'; readonly request: Request }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ListedProcess extends Pid {
  /** null where unreadable; so is `since`. */
  readonly user: string | null;
  /** Host time of its start, ms. */
  readonly since: number | null;
  /** Its command line, masked and cut. */
  readonly command: string;
}

/** What a launch would do and meet now. Holds no secret. */
export interface DryRun {
  readonly argv: readonly string[];
  /** What the recipe adds to the login's environment; null = a secret, which is not shown. */
  readonly environment: readonly { readonly name: string; readonly value: string | null }[];
  readonly prelude: string | null;
  /** The file that argv[0] is found as, or null; and the PATH that it is looked up on. */
  readonly program: string | null;
  readonly path: string;
  readonly directory: string;
  /** null = in the run folder. */
  readonly log: string | null;
  /** Bytes of an older log, which is moved aside; null where there is none. */
  readonly olderLog: number | null;
  /** How many, where they can't be chosen now. */
  readonly gpus: number | readonly string[];
  readonly address: string | null;
  /** `root@192.0.2.172:22`, or the alias. */
  readonly reached: string;
  /** Why it would be refused now, and what it would go on with; sentences for people. */
  readonly obstacles: readonly string[];
  readonly warnings: readonly string[];
}

export type Topic = keyof Topics;
export type QuestionOf<Kind extends Topic> = { readonly kind: Kind } & Topics[Kind]['asked'];
export type Question = { [Kind in Topic]: QuestionOf<Kind> }[Topic];

export type Answer<Kind extends Topic = Topic> =
  | { readonly kind: 'told'; readonly told: Topics[Kind]['told'] }
  /** The host can't be asked: a sentence that says what was found and what to do. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The worker's side. A question that nobody fetches is forgotten. */
export interface Questions {
  /** null for one that is forgotten or answered. */
  read(id: string): Promise<Question | null>;
  answer(id: string, answer: Answer): Promise<void>;
  /** Whether that question may ask the run's server now: one at a time may, and the same one again. Over by `leave`, or after `ms`. */
  take(run: string, id: string, ms: number): Promise<boolean>;
  leave(run: string, id: string): Promise<void>;
}
