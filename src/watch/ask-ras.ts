/** What NCCL's RAS says of a run's ranks. All processes with NCCL on a host listen on the same port, and the kernel chooses who answers. */

import type { Pid } from '../host/process.ts';
import type { RasView } from '../pulse/look.ts';
import { parseRas } from '../pulse/ras.ts';

/** So often it is asked again where anybody answers: a training and its target server are two jobs, and others may be there. */
const MORE = 2;

/** All that was said of these processes, together; null where nobody listens, or only others' jobs answer. */
export async function askRas(ask: () => Promise<string | null>, tree: readonly Pid[]): Promise<RasView | null> {
  const first = await ask();
  if (first === null) return null;
  const others = await Promise.all(Array.from({ length: MORE }, ask));
  const pids = tree.map(({ pid }) => pid);
  const views = [first, ...others].flatMap((text) => (text === null ? [] : (parseRas(text, pids) ?? [])));
  return views.length === 0 ? null : views.reduce(joined);
}

/** Of the same operation the answer that came first counts. */
function joined(view: RasView, more: RasView): RasView {
  const isNew = ({ communicator, operation }: RasView['mismatches'][number]): boolean =>
    !view.mismatches.some((known) => known.communicator === communicator && known.operation === operation);
  return {
    mismatches: [...view.mismatches, ...more.mismatches.filter(isNew)],
    troubles: [...new Set([...view.troubles, ...more.troubles])],
  };
}
