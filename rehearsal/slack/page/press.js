/** Pressing a button of the app's in a message. */
import { isConfirmed } from './confirm.js';
import { toast } from './dom.js';
import { send } from './server.js';
import { state } from './state.js';

/** Presses it, after its confirm dialog if it has one. */
export async function press({ ts, channel }, button, node) {
  if (node.ariaBusy === 'true' || !(await isConfirmed(button.confirm))) return;
  if (button.url) window.open(button.url, '_blank', 'noreferrer');
  // A disabled button would lose the focus.
  node.ariaBusy = 'true';
  const outcome = await send('/page/click', { user: state.user, channel, ts, actionId: button.action_id });
  node.ariaBusy = 'false';
  const fault = faultOf(outcome, 'click');
  if (fault !== null) toast(fault);
}

/** What to tell the person of what became of their click or choice, or null. */
export function faultOf({ error }, deed) {
  const { name } = state.app;
  if (error === 'operation_timeout') return `${name} did not answer this ${deed} within 3 seconds.`;
  if (error === 'dispatch_failed') return `${name} is not connected, so nobody heard this ${deed}.`;
  return error || null;
}
