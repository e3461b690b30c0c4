/** The modal that the app has opened for this person: a dialog over the page. */
import { appAvatar } from './authors.js';
import { renderBlock } from './blocks.js';
import { isConfirmed } from './confirm.js';
import { find, reconcile, toast } from './dom.js';
import { draftOf, forgetClosed, stateOf, statesBut } from './drafts.js';
import { createFields, elementsOf, showStates } from './form.js';
import { faultOf } from './press.js';
import { send } from './server.js';
import { names, state, topView } from './state.js';
import { plain } from './texts.js';

/** The id of the view that is shown, or null. */
let shown = null;

export function startModal() {
  find('modal-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  find('modal-cross').addEventListener('click', () => void leave());
  find('modal-close').addEventListener('click', () => void leave());
  // Escape closes a dialog by itself; closed by the page it is not shown any more.
  find('modal').addEventListener('close', () => void leave());
}

export function showModal() {
  const view = topView();
  const dialog = find('modal');
  forgetClosed();
  const isAnother = shown !== (view?.id ?? null);
  shown = view?.id ?? null;
  if (view === undefined) {
    if (dialog.open) dialog.close();
    return;
  }
  draw(view);
  if (!dialog.open) dialog.showModal();
  if (isAnother) focusFirst();
  else if (draftOf(view.id).isJudged) focusWrong(view.id);
}

function draw(record) {
  const { view, errors, trouble } = record;
  const draft = draftOf(record.id);
  find('modal-app').replaceChildren(appAvatar());
  find('modal-title').textContent = plain(view.title);
  find('modal-close').textContent = view.close ? plain(view.close) : 'Close';
  find('modal-submit').hidden = !view.submit;
  find('modal-submit').textContent = view.submit ? plain(view.submit) : '';
  find('modal-submit').ariaBusy = String(draft.isAway);
  find('modal-notice').textContent = draft.notice ?? trouble ?? '';
  keepFocus(() => drawBlocks(record, errors));
  showStates(find('modal-blocks'), (blockId, actionId) => stateOf(record, blockId, actionId));
}

function drawBlocks({ id, view }, errors) {
  const field = createFields({ errorOf: (blockId) => errors[blockId], use: (deed) => use(id, deed) });
  const entries = view.blocks.map((block, at) => ({
    key: `${id} ${block.block_id ?? at}`,
    signature: JSON.stringify([block, errors[block.block_id]]),
    create: () =>
      renderBlock(block, {
        names,
        key: `${id}/${block.block_id}`,
        field,
        press: (button, node) => void press({ id, blockId: block.block_id, button, node }),
      }),
  }));
  reconcile(find('modal-blocks'), entries);
}

/** Takes what the person did in a field; true if the app is told of it at once. */
function use(id, { blockId, element, state: done, value, dispatches }) {
  const { states } = draftOf(id);
  if (element.type !== 'overflow') states[blockId] = { ...states[blockId], [element.action_id]: done };
  if (!dispatches || value === null) return false;
  void choose({ id, blockId, element, value });
  return true;
}

async function press({ id, blockId, button, node }) {
  if (node.ariaBusy === 'true') return;
  if (button.url) window.open(button.url, '_blank', 'noreferrer');
  node.ariaBusy = 'true';
  await choose({ id, blockId, element: button, value: button.value ?? '' });
  node.ariaBusy = 'false';
}

async function choose({ id, blockId, element, value }) {
  const draft = draftOf(id);
  if (!(await isConfirmed(element.confirm))) {
    delete draft.states[blockId]?.[element.action_id];
    return showModal();
  }
  const values = statesBut(id, blockId, element.action_id);
  const outcome = await send('/page/choose', {
    user: state.user,
    viewId: id,
    actionId: element.action_id,
    value,
    values,
  });
  draft.notice = faultOf(outcome, 'choice');
  showModal();
}

async function submit() {
  const id = shown;
  if (id === null || draftOf(id).isAway) return;
  const draft = draftOf(id);
  Object.assign(draft, { isAway: true, notice: null });
  showModal();
  const outcome = await send('/page/submit', { user: state.user, viewId: id, values: statesBut(id, null, null) });
  Object.assign(draft, { isAway: false, isJudged: true });
  // What the app said, and Slack's own words for a failure, come with the view; only a failure of this page has no envelope.
  if (outcome.error && outcome.envelopeId === undefined) draft.notice = outcome.error;
  showModal();
}

/** Closes the modal with all that lies below it, and says so to the server. */
async function leave() {
  const record = state.views.get(shown);
  if (record === undefined) return;
  for (const [id, { root }] of state.views) if (root === record.root) state.views.delete(id);
  showModal();
  const outcome = await send('/page/dismiss', { user: state.user, viewId: record.id });
  if (outcome?.error) toast(outcome.error);
}

/** The errors of a submission may arrive before its answer or after it. */
function focusWrong(id) {
  const wrong = find('modal-blocks').querySelector('[aria-invalid=true]');
  if (wrong === null) return;
  draftOf(id).isJudged = false;
  (wrong.querySelector('input') ?? wrong).focus();
}

/** Where an update draws the focused field anew, its successor has the focus. */
function keepFocus(change) {
  const { field, of } = document.activeElement?.closest('#modal-blocks [data-field]')?.dataset ?? {};
  change();
  if (field === undefined || find('modal').contains(document.activeElement)) return;
  find('modal-blocks')
    .querySelector(`[data-field="${CSS.escape(field)}"][data-of="${CSS.escape(of)}"]`)
    ?.focus();
}

function focusFirst() {
  const record = state.views.get(shown);
  const wished = elementsOf(record?.view.blocks ?? []).find((it) => it.element.focus_on_load);
  const blocks = find('modal-blocks');
  const field = wished
    ? blocks.querySelector(`[data-field="${CSS.escape(wished.element.action_id)}"]`)
    : blocks.querySelector('select, input, textarea, button');
  (field ?? (find('modal-submit').hidden ? find('modal-close') : find('modal-submit'))).focus();
}
