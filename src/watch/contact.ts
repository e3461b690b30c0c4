import { wait } from '../flow/wait.ts';
import type { Watch } from './watch.ts';

/** Tells when the host has not been heard for too long; the way back is told by the next sample. */
export async function watchContact({ inbox, clock, hostTime, timings, contact, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    await wait(timings.contact / 10, signal);
    const now = clock.now();
    if (contact.isOver) return;
    if (signal.aborted || now - contact.last < timings.contact) continue;
    if (inbox.run().pulse !== 'out_of_contact') {
      inbox.put({ kind: 'out_of_contact', why: contact.why, at: hostTime.read().now, seen: now });
    }
  }
}
