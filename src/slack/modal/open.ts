/** Opens the modal in which host and recipe are chosen, for a command with nothing behind it. */

import { ChatError } from '../../chat.ts';
import type { Call } from '../call.ts';
import type { Kind } from '../kinds.ts';
import { offeredTo, onlyOnes } from './offered.ts';
import { showPreview } from './preview.ts';
import { launchView, looking, TO_CHOOSE } from './view.ts';

/**
 * At once, before anything is asked of Redis: Slack's trigger lives for 3 s. 'not opened' where there is no trigger, or Slack refuses.
 * Throws UsageError with what is missing, where there is nothing that the person could choose.
 */
export async function openLaunch(kind: Kind, call: Call): Promise<'opened' | 'not opened'> {
  const { dialogs, url, from } = call;
  if (dialogs === null) return 'not opened';
  const offered = offeredTo(call.who, kind, call.config);
  const { host, recipe } = onlyOnes(offered);
  const form = { carried: { kind, channel: from.channel, url }, offered, host };
  const isChosen = host !== null && recipe !== null;
  try {
    const viewId = await dialogs.open(launchView({ ...form, preview: isChosen ? looking(host) : TO_CHOOSE }));
    call.log.info({ user: from.user, kind }, 'a modal was opened');
    if (isChosen) call.later(showPreview({ host, recipe }, { dialogs, viewId, form, hash: null }, call));
    return 'opened';
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    call.log.warn({ err: error, user: from.user }, 'Slack did not open a modal');
    return 'not opened';
  }
}
