import type { Earlier, TeamNote } from '../history/entry.ts';

/** The newest earlier run with the same trouble, with the way to its thread, and what the team noted of it. */
export interface Before {
  readonly earlier: (Earlier & { readonly link: string | null }) | null;
  readonly note: (TeamNote & { readonly byName: string }) | null;
}

/** What a message needs beside the run itself: names and lines that only an edge knows. */
export interface View {
  /** Display name of who asked for the run, plain text. */
  readonly requesterName: string;
  /** Display name of who asked for the stop, or null. */
  readonly stopperName: string | null;
  /** Display name of who asked for the last verification; missing where nobody did. */
  readonly verifierName?: string;
  /** Display name of who asked for the log, where it is an answer to that. */
  readonly askerName?: string;
  /** The `ssh … tail -F …` line (report/terminal.ts), or null while the log's path isn't known. */
  readonly hostLine: string | null;
  /** What is known of its trouble from before, where it has one. */
  readonly before?: Before;
}
