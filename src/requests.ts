/** What people can ask for: the contract between src/slack (which understands people) and src/queue (which writes it down). */

import type { Place } from './chat.ts';
import type { Answer, QuestionOf, Topic } from './questions.ts';
import type { Request } from './run/request.ts';
import type { Run } from './run/run.ts';

/** A launch as understood and allowed; everything else follows from vigil.yaml. */
export interface LaunchOrder {
  /** Slack's trigger_id: a redelivery with the same one is the same run. */
  readonly trigger: string;
  readonly host: string;
  readonly recipe: string;
  readonly by: string;
  readonly channel: string;
}

/** What stands in the way of a launch, and whose it is. */
export interface Holder {
  /** 'port 8000', 'GPU 0', 'log /root/vllm-serve.log'. */
  readonly what: readonly string[];
  readonly run: string;
  readonly name: string;
  readonly recipe: string;
  readonly by: string;
  /** Our clock, ms. */
  readonly since: number;
}

export type LaunchAnswer =
  | { readonly kind: 'accepted'; readonly request: Request }
  /** The same trigger came before. */
  | { readonly kind: 'same'; readonly request: Request }
  | { readonly kind: 'held'; readonly holders: readonly Holder[] };

export interface RunSummary {
  readonly run: Run;
  /** The thread's root, or null before it is posted. */
  readonly root: Place | null;
}

/** Redis does not answer within the limit (1.5 s): nothing was written. */
export class DeskClosed extends Error {
  override readonly name = 'DeskClosed';
}

/** Where requests are written down. Every call throws DeskClosed when Redis doesn't answer in time. */
export interface Desk {
  launch(order: LaunchOrder): Promise<LaunchAnswer>;
  /**
   * Decides once where the run's thread goes: a channel id, or null when there is none (then the run ends without a start).
   * A launch starts nothing before this is decided; false = it was decided before.
   */
  decideHome(run: string, channel: string | null): Promise<boolean>;
  /** Asks for a stop once: 'asked' the first time, 'before' when somebody had asked already, 'ended' when there is nothing to stop. */
  stop(run: string, by: string): Promise<'asked' | 'before' | 'ended'>;
  /** All live runs and the newest ended ones (at most 50), newest first. */
  runs(): Promise<readonly RunSummary[]>;
  run(id: string): Promise<RunSummary | null>;
  /** The last lines of the run's log, masked; at most 40 lines, 8 KB. */
  tail(run: string): Promise<readonly string[]>;
  /** Has a worker answer a question about a host; its id. */
  ask<Kind extends Topic>(question: QuestionOf<Kind>): Promise<string>;
  /** null while no worker has answered. */
  answerTo<Kind extends Topic>(id: string): Promise<Answer<Kind> | null>;
}
