import type { ServerAddress } from '../address.ts';
import type { Listener } from '../host/process.ts';
import { shownCommand } from '../log/shown-command.ts';

type Taken = Exclude<Listener, { kind: 'closed' }>;

/** Why a run can't start where somebody listens already. */
export function portTaken({ address, host }: { address: ServerAddress; host: string }, listener: Taken): string {
  const where = address.kind === 'tcp' ? `port ${address.port}` : address.path;
  return `${where} on ${host} is in use by ${holderWords(listener)}; it has to be closed before the start. End that process or give the recipe another port. Nothing was started.`;
}

/** Who that is, as people may see it: a stranger's `--api-key` is hidden. */
export function holderWords(listener: Taken): string {
  if (listener.kind === 'unknown') return 'a process that this SSH user may not see';
  const { pid, user, run, command } = listener;
  const owner = user === null ? '' : ` of ${user}`;
  const mark = run === null ? '' : `, a process of Vigil's run ${run}`;
  return `pid ${pid}${owner}${mark} (${shownCommand(command)})`;
}
