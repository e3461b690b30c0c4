/** Something was chosen in the modal: what depends on it is changed, and once both are chosen the host is asked. */

import { UsageError } from '../../errors.ts';
import type { Call, Dialogs } from '../call.ts';
import { identify } from '../identify.ts';
import { type Carried, type Chosen, FIELDS } from './fields.ts';
import { type Offered, offeredTo, withOnlyOnes } from './offered.ts';
import { change, showPreview } from './preview.ts';
import { closedView, looking, TO_CHOOSE } from './view.ts';

interface Modal {
  readonly dialogs: Dialogs;
  readonly viewId: string;
  readonly carried: Carried;
}

/** `field`: the one that changed. Never rejects. */
export async function choose(
  modal: Modal,
  { field, chosen }: { readonly field: string; readonly chosen: Chosen },
  asking: Omit<Call, 'who'>,
): Promise<void> {
  if (field !== FIELDS.host && field !== FIELDS.recipe) return;
  try {
    const call: Call = { ...asking, who: await identify(asking, asking.from) };
    await showChosen({ ...modal, offered: offeredTo(call.who, modal.carried.kind, call.config) }, chosen, call);
  } catch (error) {
    if (error instanceof UsageError) return close(modal, error, asking);
    asking.log.error({ err: error, user: asking.from.user }, 'a choice in a modal failed');
  }
}

async function showChosen(modal: Modal & { readonly offered: Offered }, chosen: Chosen, call: Call): Promise<void> {
  const { dialogs, viewId, carried, offered } = modal;
  const { host, recipe } = withOnlyOnes(chosen, offered);
  if (host === null) return;
  const form = { carried, offered, host };
  const preview = recipe === null ? TO_CHOOSE : looking(host);
  const changed = await change({ dialogs, viewId, form: { ...form, preview }, hash: null }, call);
  if (recipe === null || changed === 'gone') return;
  const hash = changed === 'refused' ? null : changed.hash;
  await showPreview({ host, recipe }, { dialogs, viewId, form, hash }, call);
}

/** Nobody is left with a modal that can't come to anything. */
async function close({ dialogs, viewId, carried }: Modal, error: UsageError, { log, from }: Omit<Call, 'who'>) {
  log.info({ user: from.user }, 'a modal was closed to who has it open');
  try {
    await dialogs.update(viewId, closedView(carried, error.message));
  } catch (failure) {
    log.warn({ err: failure }, 'a modal could not say why it is closed');
  }
}
