import type { LaunchSpec, RunFolder } from '../../src/host/launch.ts';

/** The plainest launch into a run folder: what a test means by it stands in `more`. */
export function specAt({ path, run }: RunFolder, more: Partial<LaunchSpec> = {}): LaunchSpec {
  return {
    path,
    run,
    argv: ['true'],
    environment: {},
    prelude: null,
    directory: null,
    log: null,
    aside: [],
    request: '{}',
    ...more,
  };
}
