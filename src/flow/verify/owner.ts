/** Whose socket answers at a run's address: nothing is sent there but GET /health before it is known to be the run's. */

import type { ServerAddress } from '../../address.ts';
import type { RunFolder } from '../../host/launch.ts';
import type { Readiness, Run } from '../../run/run.ts';
import type { Host } from '../../tools.ts';
import { holderWords } from '../port-taken.ts';

export type Owner =
  | { readonly kind: 'ours'; readonly proof: Readiness['proof'] }
  /** Not known yet. */
  | { readonly kind: 'unproved' }
  /** Somebody else's: a sentence that says whose. */
  | { readonly kind: 'foreign'; readonly text: string };

export async function ownerOf(
  {
    host,
    run,
    address,
    folder,
  }: {
    readonly host: Pick<Host, 'listener' | 'tree'>;
    readonly run: Run;
    readonly address: ServerAddress;
    readonly folder: RunFolder;
  },
  signal: AbortSignal,
): Promise<Owner> {
  const { started } = run;
  if (started === null) return { kind: 'unproved' };
  const [listener, tree] = await Promise.all([
    host.listener(address, signal),
    host.tree({ ...folder, started }, signal),
  ]);
  if (listener.kind === 'closed') return { kind: 'unproved' };
  if (listener.kind === 'known') {
    if (tree.some(({ pid }) => pid === listener.pid)) return { kind: 'ours', proof: 'socket' };
    return { kind: 'foreign', text: `Another process answers at this run's address: ${holderWords(listener)}.` };
  }
  const isLikely = run.reading.readyServers > 0 && tree.some(({ pid }) => pid === started.main.pid);
  return isLikely ? { kind: 'ours', proof: 'inferred' } : { kind: 'unproved' };
}
