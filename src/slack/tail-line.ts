import type { Config } from '../config/config.ts';
import { tailLine } from '../report/terminal.ts';
import type { Run } from '../run/run.ts';

/** The `ssh … tail -F …` line of a run, or null before its log's path is known. */
export function runTailLine(config: Config, run: Run): string | null {
  const log = run.started?.log ?? run.request.log;
  const host = config.hosts[run.request.host];
  return log === null || host === undefined ? null : tailLine(host.connect, log);
}
