/** What a check is, and what it says: one row a check in table.ts. */

import type { PreflightFacts } from '../host/preflight.ts';
import type { Subject } from './subject.ts';

export type Verdict = 'passed' | 'warning' | 'refused' | 'unknown';

/** Plain data, saved with a run. Holds no secret; the words may quote files of the host. */
export interface Finding {
  /** The row's id. */
  readonly check: string;
  /** What is checked, in a few words: `GPU memory`. */
  readonly label: string;
  readonly verdict: Verdict;
  /** What was found, with its number: a phrase without a full stop. Names in `back quotes` are shown as code. */
  readonly found: string;
  /** What is needed, with its number, as a phrase; null where that goes without saying. */
  readonly needed: string | null;
  /** What to do, a sentence; null of what has passed. */
  readonly advice: string | null;
  /** A refusal that --force can't override: the start would fail at once, or harm somebody. */
  readonly isFinal: boolean;
}

/** All that was checked, in the table's order. */
export interface Checklist {
  readonly findings: readonly Finding[];
  /** ms from the question to the last answer. */
  readonly tookMs: number;
  /** Who overrode the refusals (a Slack user id), or null. */
  readonly forcedBy: string | null;
  /** Of packages, and of the driver (`driver`), as far as the host told them; missing in checklists of older Vigils. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** What a row says of one thing; the table adds id and label. */
export type Judged = Omit<Finding, 'check' | 'label'>;

export type Fact = Exclude<keyof PreflightFacts, 'now'>;

export interface Check {
  readonly id: string;
  readonly label: string;
  /** What it has to know: where the host was silent about any of it, the verdict is `unknown`, and why stands in it. */
  readonly needs: readonly Fact[];
  /** What it can do without: null, as where nvidia-smi is not there, if the host was silent about it. */
  readonly uses?: readonly ('gpus' | 'driver')[];
  /** Whether it concerns this launch at all. */
  concerns(subject: Subject): boolean;
  /** One finding, or several where it looks at several things (a model and its drafter); none = nothing to say. */
  judge(facts: Known, subject: Subject): readonly Judged[];
  /** Made-up facts, and the verdicts that they must get: a test runs every one. */
  readonly samples: readonly Sample[];
}

/** Facts of which those are told that the row needs; a fact that was not asked for by `needs` or `uses` must not be read. */
export type Known = {
  readonly [Key in Fact]: PreflightFacts[Key] extends
    | { readonly kind: 'silent' }
    | { readonly kind: 'told'; readonly value: infer Value }
    ? Value
    : never;
} & { readonly now: number };

export interface Sample {
  readonly subject: Subject;
  readonly facts: Partial<Known>;
  readonly verdicts: readonly Verdict[];
}
