/** Modals, by the Web API: opened with the trigger of a command or a click, which is good for 3 s. */

import type { Dialogs } from './call.ts';
import { type ApiAccess, call, openClient } from './client.ts';

/** Leaves time to answer in words where a modal can't be opened. */
const MOST_MS = 1800;

/** The modals of each trigger; its calls are tried once. */
export function openDialogs(access: ApiAccess): (trigger: string) => Dialogs {
  const { gate } = access;
  const { views } = openClient({ ...access, timeoutMs: Math.min(access.timeoutMs, MOST_MS) }, 0);
  return (trigger) => ({
    async open(view) {
      const answer = await call('views.open', () => views.open({ trigger_id: trigger, view: gate.view(view) }));
      return answer.view?.id ?? '';
    },
    async update(id, view, hash = null) {
      const same = hash === null ? {} : { hash };
      const answer = await call('views.update', () => views.update({ view_id: id, view: gate.view(view), ...same }));
      return answer.view?.hash ?? null;
    },
  });
}
