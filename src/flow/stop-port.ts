/** What is said of a run's port after its stop. */

import type { ServerAddress } from '../address.ts';
import type { Listener, Pid } from '../host/process.ts';
import { type Fact, gone, there, whoIs } from './stop-fact.ts';

interface Port {
  readonly address: ServerAddress;
  readonly now: Listener;
  /** Before the first signal; null where nobody was asked. */
  readonly before: Listener | null;
  /** Those of the run that still run. */
  readonly running: readonly Pid[];
}

/** Another process may have taken the port since: that is nothing against the stop. */
export function portFact({ address, now, before, running }: Port): Fact {
  const where = address.kind === 'tcp' ? `Port ${address.port}` : `Socket ${address.path}`;
  if (now.kind === 'closed') return gone(`${where} is closed.`);
  if (now.kind === 'unknown')
    return there(
      `${where} is still open, and by whom can't be proved here: this user may not see it. As root on the host: \`${search(address)}\`.`,
    );
  if (running.some(({ pid }) => pid === now.pid))
    return there(`${where} is still open: pid ${now.pid} of this run has it.`);
  if (before?.kind === 'known' && before.pid === now.pid)
    return there(
      `${where} is still open: ${whoIs(now)} has it, as before the stop, and is not known to belong to this run. If it does: \`kill ${now.pid}\` on the host.`,
    );
  return gone(`${where} is free of it: another process has it now, ${whoIs(now)}.`);
}

function search(address: ServerAddress): string {
  return address.kind === 'tcp' ? `ss -ltnp 'sport = :${address.port}'` : 'ss -lxp';
}
