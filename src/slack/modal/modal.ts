/** What comes back from a modal of ours: choices made in it, and its submission. */

import type { ModalView } from '@slack/types';
import type { Message } from '../../chat.ts';
import type { Asked, Edge, Followup } from '../call.ts';
import { orLater } from '../promptly.ts';
import { explain } from '../say.ts';
import { choose } from './choose.ts';
import { type Carried, readCarried, readChosen } from './fields.ts';
import { type Submitted, submit } from './submit.ts';
import { LAUNCH_CALLBACK } from './view.ts';

/** A modal as Slack sends it back; `channel` of Asked is the one that it was opened from (private_metadata). */
export interface Returned extends Asked {
  readonly viewId: string;
  readonly callback: string;
  /** The JSON of private_metadata: `channel` and `url` (response_url or null) always, the rest is the modal's own. */
  readonly metadata: string;
  /** What is chosen or typed, by block_id; null where nothing is. */
  readonly values: Readonly<Record<string, string | readonly string[] | null>>;
}

export interface Choice extends Returned {
  readonly action: string;
  readonly value: string;
}

/** What a submission comes to: Slack closes the modal, shows what is wrong in it by block_id, or shows another one. */
export type SubmissionAnswer =
  | { readonly kind: 'close' }
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'view'; readonly view: ModalView };

/** Something was chosen or clicked in a modal; the ack has gone already. Never rejects. */
export async function answerChoice(edge: Edge, choice: Choice, followup: Followup): Promise<void> {
  const { viewId, action, callback } = choice;
  const carried = carriedBy(choice);
  if (carried === null || followup.dialogs === null) {
    edge.log.info({ callback }, 'a choice in a modal of another version was passed over');
    return;
  }
  const modal = { dialogs: followup.dialogs, viewId, carried };
  const asking = askingOf(edge, choice, followup);
  return choose(modal, { field: action, chosen: readChosen(choice.values) }, asking);
}

/** Never rejects, and answers within Slack's 3 s: what takes longer is said by `respond`. */
export async function answerSubmission(edge: Edge, returned: Returned, followup: Followup): Promise<SubmissionAnswer> {
  const carried = carriedBy(returned);
  if (carried === null) {
    edge.log.info({ user: returned.user, callback: returned.callback }, 'a modal of another version was sent');
    followup.later(followup.respond(explain(OF_ANOTHER_VERSION, null)));
    return CLOSE;
  }
  const working = submit(carried.kind, readChosen(returned.values), askingOf(edge, returned, followup));
  const ways = { edge, followup, about: { user: returned.user, modal: returned.viewId } };
  const submitted = await orLater(ways, working, { meanwhile: CLOSE, messageOf });
  if (submitted.kind !== 'said') return submitted;
  followup.later(followup.respond(submitted.message));
  return CLOSE;
}

const CLOSE: SubmissionAnswer = { kind: 'close' };

const OF_ANOTHER_VERSION =
  'This form is of another version of Vigil: nothing was started. Type the command again for a new one.';

function carriedBy({ callback, metadata }: Returned): Carried | null {
  return callback === LAUNCH_CALLBACK ? readCarried(metadata) : null;
}

/** What is launched from a modal is launched by its id, which is the same however often Slack sends it. */
function askingOf(edge: Edge, { user, team, channel, viewId }: Returned, followup: Followup) {
  const deadline = edge.clock.now() + edge.limits.answer;
  return { ...edge, ...followup, from: { user, team, channel, trigger: viewId }, thread: null, deadline };
}

/** What is wrong, where the modal has gone already. */
function messageOf(submitted: Submitted): Message {
  if (submitted.kind === 'said') return submitted.message;
  return explain(Object.values(submitted.errors).join(' '), null);
}
