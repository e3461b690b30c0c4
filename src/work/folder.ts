import type { Config } from '../config/config.ts';
import type { Run } from '../run/run.ts';
import type { RunFolder } from '../tools.ts';

/** Where the run's state stands on its host. */
export function folderOf(config: Config, run: Run): RunFolder {
  const stateDir = config.hosts[run.request.host]?.stateDir ?? '~/.vigil/runs';
  return { path: `${stateDir}/${config.instance}/${run.request.host}/${run.request.id}`, run: run.request.id };
}
