import type { Config } from '../config/config.ts';
import type { RunFolder } from '../host/launch.ts';

/** Where a run's state stands on its host; a host that vigil.yaml lost keeps its runs where they stand by default. */
export function folderOf(config: Config, { host, id }: { readonly host: string; readonly id: string }): RunFolder {
  const stateDir = config.hosts[host]?.stateDir ?? '~/.vigil/runs';
  return { path: `${stateDir}/${config.instance}/${host}/${id}`, run: id };
}
