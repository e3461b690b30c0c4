import type { HostFacts, Started } from '../host/launch.ts';

/** What ended every process of the run, whatever the run itself did, as a sentence; null where nothing did. A PID 1 that this user may not see has no start time. */
export function restartSince(
  started: Pick<Started, 'bootId' | 'init'>,
  now: Pick<HostFacts, 'bootId' | 'init'>,
): string | null {
  if (now.bootId !== started.bootId) return 'The host has restarted since the launch (another boot id).';
  const isInitKnown = now.init !== 0 && started.init !== 0;
  if (isInitKnown && now.init !== started.init)
    return 'The container has restarted since the launch (PID 1 has another start time).';
  return null;
}
