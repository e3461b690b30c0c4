import type { Run, RunEventBody } from './run.ts';

/** Something that happened, before the journal numbers it. */
export type Happening = RunEventBody & { readonly at: number; readonly seen: number };

export interface Step {
  readonly run: Run;
  readonly happened: readonly Happening[];
}
