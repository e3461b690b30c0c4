/** What a person has done in open modals and the server may not know yet. */
import { elementsOf, fits } from './form.js';
import { state } from './state.js';

const drafts = new Map();

/**
 * The draft of an open view: by block_id and action_id the `states` of fields, whether it is away being sent, whether the errors of what was
 * sent are still to be looked at, and what came of telling the app.
 */
export function draftOf(id) {
  const draft = drafts.get(id) ?? { states: {}, isAway: false, isJudged: false, notice: null };
  drafts.set(id, draft);
  return draft;
}

export function forgetClosed() {
  for (const id of drafts.keys()) if (!state.views.has(id)) drafts.delete(id);
}

/** What stands in a field: what the person did last, while it fits, else what the server says. */
export function stateOf({ id, view, values }, blockId, actionId) {
  const own = draftOf(id).states[blockId]?.[actionId];
  const placed = elementsOf(view.blocks).find((it) => it.blockId === blockId && it.element.action_id === actionId);
  return own !== undefined && placed !== undefined && fits(own, placed.element) ? own : values[blockId]?.[actionId];
}

/** All that the person did and that still fits, without one field. */
export function statesBut(id, blockId, actionId) {
  const record = state.views.get(id);
  const placed = elementsOf(record?.view.blocks ?? []).filter(
    (it) => it.blockId !== blockId || it.element.action_id !== actionId,
  );
  const values = {};
  for (const it of placed) {
    const own = draftOf(id).states[it.blockId]?.[it.element.action_id];
    if (own === undefined || !fits(own, it.element)) continue;
    values[it.blockId] = { ...values[it.blockId], [it.element.action_id]: own };
  }
  return values;
}
