/** What people do in an open modal: choose and press, send, close. */
import { z } from 'zod';
import { formErrors } from './form.ts';
import { type Outcome, toOutcome, UNSENT } from './outcome.ts';
import { findUser, toPayloadUser } from './people.ts';
import type { OpenView } from './records.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Triggers } from './triggers.ts';
import {
  type ElementState,
  elementsOf,
  givenState,
  isStateful,
  used,
  type ViewValues,
  withState,
} from './view-state.ts';
import { toWireView, type Views } from './views.ts';
import type { Workspace } from './workspace.ts';

/** As Slack words it above a form whose submission came to nothing. */
const TROUBLE = 'We had some trouble connecting. Try again?';

const answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('clear') }),
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.object({ response_action: z.enum(['update', 'push']), view: z.unknown() }),
]);

interface Setting {
  readonly workspace: Workspace;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly sockets: SocketMode;
  readonly ackLimitMs: number;
}

/** Values by block_id and action_id. */
type Given = Readonly<Record<string, unknown>>;

export class Modals {
  readonly #setting: Setting;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** Chooses an option, turns a box on or off, types a text, presses a button. `values`: what else stands in the form by then. */
  async choose(input: {
    user: string;
    viewId: string;
    actionId: string;
    value: string;
    values?: Given | undefined;
  }): Promise<Outcome> {
    const { views, workspace } = this.#setting;
    const found = this.#theirs(input.user, input.viewId);
    const placed = elementsOf(found.view.blocks).find(({ element }) => element.action_id === input.actionId);
    if (placed === undefined) throw new Error(unknownAction(found, input.actionId));
    const { blockId, element, dispatches } = placed;
    const values = filledIn(found, input.values ?? {});
    const state = used(element, values[blockId]?.[input.actionId], input.value);
    const shown = views.change(found, {
      values: isStateful(element) ? withState(values, blockId, element, state) : values,
    });
    if (!dispatches) return UNSENT;
    const pressed = element.type === 'button' ? { text: element.text, value: element.value ?? '' } : {};
    const action = {
      ...state,
      ...pressed,
      action_id: input.actionId,
      block_id: blockId,
      action_ts: workspace.nextTs(),
    };
    return this.#send(shown, {
      type: 'block_actions',
      container: { type: 'view', view_id: shown.id },
      actions: [action],
    });
  }

  /** Sends the form; what Slack's own look at it finds wrong stays with the person. */
  async submit(input: { user: string; viewId: string; values: Given }): Promise<Outcome> {
    const { views } = this.#setting;
    const found = this.#theirs(input.user, input.viewId);
    const values = filledIn(found, input.values);
    const errors = formErrors(found.view.blocks, values);
    const shown = views.change(found, { values, errors, trouble: null });
    if (Object.keys(errors).length > 0) return { ...UNSENT, error: 'incomplete_form' };
    const outcome = await this.#send(shown, { type: 'view_submission', response_urls: [] });
    // The person may have closed it meanwhile.
    const still = this.#setting.workspace.views().find(({ id }) => id === shown.id);
    if (still === undefined) return outcome;
    const isUnderstood = outcome.acked && this.#carryOut(still, outcome.ack);
    if (!isUnderstood) views.change(still, { trouble: TROUBLE });
    return outcome.acked && !isUnderstood ? { ...outcome, error: 'invalid_view_response' } : outcome;
  }

  /** Closes the whole modal, and tells the app of the views that wished it. */
  async dismiss(input: { user: string; viewId: string }): Promise<void> {
    const { views } = this.#setting;
    const stack = views.stackOf(this.#theirs(input.user, input.viewId));
    for (const shown of stack) views.close(shown);
    const told = stack.filter(({ view }) => view.notify_on_close === true);
    await Promise.all(told.map((shown) => this.#send(shown, { type: 'view_closed', is_cleared: stack.length > 1 })));
  }

  /** What the ack of a submission asks for; false if Slack wouldn't understand it. */
  #carryOut(shown: OpenView, ack: unknown): boolean {
    const { views } = this.#setting;
    if (isEmpty(ack)) {
      views.close(shown);
      return true;
    }
    const parsed = answer.safeParse(ack);
    if (!parsed.success) return false;
    if (parsed.data.response_action === 'clear') {
      for (const view of views.stackOf(shown)) views.close(view);
      return true;
    }
    if (parsed.data.response_action === 'errors') return this.#showErrors(shown, parsed.data.errors);
    const verdict = views.check(parsed.data.view);
    if (verdict.kind === 'refused') return false;
    if (parsed.data.response_action === 'update') views.update(shown, verdict.view);
    else views.push(shown, verdict.view);
    return true;
  }

  /** Errors stand below input blocks; Slack takes none for others. */
  #showErrors(shown: OpenView, errors: Readonly<Record<string, string>>): boolean {
    const inputs = shown.view.blocks.flatMap(({ type, block_id: id }) => (type === 'input' ? [id] : []));
    const named = Object.keys(errors);
    if (named.length === 0 || named.some((id) => !inputs.includes(id))) return false;
    this.#setting.views.change(shown, { errors });
    return true;
  }

  async #send(shown: OpenView, payload: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const { workspace, triggers, sockets, ackLimitMs } = this.#setting;
    const isOver = payload.type === 'view_closed';
    const triggerId = isOver ? '' : triggers.create(shown.user);
    const common = {
      team: { id: workspace.teamId, domain: 'rehearsal' },
      user: toPayloadUser(findUser(workspace, shown.user)),
      api_app_id: workspace.app.appId,
      token: 'legacy',
      enterprise: null,
      is_enterprise_install: false,
      ...(isOver ? {} : { trigger_id: triggerId }),
      view: toWireView(shown, workspace),
    };
    const { envelopeId, delivery } = sockets.send('interactive', { ...common, ...payload }, ackLimitMs);
    return toOutcome(await delivery, triggerId, envelopeId);
  }

  #theirs(user: string, viewId: string): OpenView {
    const { views, workspace } = this.#setting;
    findUser(workspace, user);
    const shown = views.mustBeOpen(viewId);
    if (shown.user !== user) throw new Error(`view ${viewId} is open for ${shown.user}, not for ${user}`);
    return shown;
  }
}

/** The view's values with those given over them; throws for what the view hasn't. */
function filledIn({ view, values }: OpenView, given: Given): ViewValues {
  const placed = elementsOf(view.blocks);
  return Object.entries(given).reduce((filled, [blockId, actions]) => {
    if (typeof actions !== 'object' || actions === null) throw new Error(`the values of ${blockId} are no object`);
    return Object.entries(actions).reduce((of, [actionId, state]: [string, ElementState]) => {
      const found = placed.find((it) => it.blockId === blockId && it.element.action_id === actionId);
      if (found === undefined) throw new Error(`the view has no ${actionId} in a block ${blockId}`);
      return withState(of, blockId, found.element, givenState(found.element, state));
    }, filled);
  }, values);
}

function unknownAction({ id, view }: OpenView, actionId: string): string {
  const names = elementsOf(view.blocks).map(({ element }) => element.action_id);
  return `nothing in view ${id} is called ${actionId}; it has: ${names.join(', ') || 'nothing'}`;
}

function isEmpty(ack: unknown): boolean {
  return typeof ack !== 'object' || ack === null || Object.keys(ack).length === 0;
}
