/** What a message needs beside the run itself: names and lines that only an edge knows. */
export interface View {
  /** Display name of who asked for the run, plain text. */
  readonly requesterName: string;
  /** Display name of who asked for the stop, or null. */
  readonly stopperName: string | null;
  /** The `ssh … tail -F …` line (report/terminal.ts), or null while the log's path isn't known. */
  readonly hostLine: string | null;
}
