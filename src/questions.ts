/**
 * What a bot asks a worker about a host: a bot has no SSH of its own. Plain data, kept in Redis for some minutes.
 * To add a topic: its entry here, its function in jobs/ask.ts.
 */

import type { GpuUse } from './tools.ts';

/** By kind: what is asked, and what is told. */
export interface Topics {
  /** The host's GPUs and who computes on them; told null where nvidia-smi can't be asked. */
  readonly gpus: { readonly asked: { readonly host: string }; readonly told: readonly GpuUse[] | null };
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
}
