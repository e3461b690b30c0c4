import { HostRefused, HostUnreachable } from '../errors.ts';
import type { StackDump } from '../host/process.ts';
import { wantsStacks } from '../pulse/wants.ts';
import { openAsker } from './asker.ts';
import type { Watch } from './watch.ts';

/** ms that stacks are waited for: the host gives up after ten seconds by itself. */
const LIMIT = 20_000;

/** Looks at the stacks of what stands still, where they are wanted: once, whether or not they can be had. A host that is out of reach is asked again. */
export function openDumps({ host, inbox, clock, hostTime, logger, signal }: Watch): () => Promise<void> {
  let isAway = false;
  const onFailure = (error: unknown): void => {
    isAway = error instanceof HostUnreachable || error instanceof HostRefused;
    logger.warn({ err: error }, 'the stacks of a run that stands still could not be looked at');
  };
  const ask = openAsker<readonly StackDump[]>({ ms: LIMIT, signal, onFailure });
  return async () => {
    const pids = wantsStacks(inbox.run());
    if (pids.length === 0) return;
    isAway = false;
    const stacks = await ask(() => host.stacks(pids, signal));
    if (signal.aborted || isAway) return;
    inbox.put({ kind: 'stacks', stacks: stacks ?? [], at: hostTime.read().now, seen: clock.now() });
  };
}
