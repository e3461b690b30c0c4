/** The fields of a modal: their labels, hints and errors, and what the person has done in them. */
import { createControl, isGroup, optionsOf } from './controls.js';
import { element } from './dom.js';
import { plain } from './texts.js';

/** How a control is brought to a state, by its node. */
const SHOWS = new WeakMap();

/**
 * What blocks need to draw fields. `errorOf(blockId)`: a sentence or undefined; `use({blockId, element, state, value, dispatches})` hears of
 * what the person does, and returns whether the app is told at once.
 */
export function createFields({ errorOf, use }) {
  return {
    input(block) {
      const { element: field, block_id: blockId, label, hint, optional } = block;
      const id = idOf(blockId, field);
      const error = errorOf(blockId);
      const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || null;
      const attributes = {
        'aria-describedby': described,
        'aria-invalid': error ? 'true' : null,
        'aria-required': !optional,
      };
      const dispatches = block.dispatch_action === true;
      const control = place({ field, blockId, attributes, isOptional: optional === true, dispatches, use });
      const words = [plain(label), optional && element('i', {}, ' (optional)')];
      return element(
        'div',
        { class: error ? 'input wrong' : 'input', 'data-block': blockId },
        isGroup(field)
          ? element('div', { class: 'label', id: `${id}-label` }, ...words)
          : element('label', { class: 'label', for: id }, ...words),
        control,
        error && element('p', { class: 'error', id: `${id}-error` }, error),
        hint && element('p', { class: 'hint', id: `${id}-hint` }, plain(hint)),
      );
    },
    element(field, { block_id: blockId, text }) {
      const words = field.placeholder ? plain(field.placeholder) : (text?.text ?? field.action_id);
      return place({ field, blockId, attributes: { 'aria-label': words }, isOptional: false, dispatches: true, use });
    },
  };
}

function place({ field, blockId, attributes, isOptional, dispatches, use }) {
  const id = idOf(blockId, field);
  const control = createControl({
    element: field,
    id,
    attributes: {
      ...attributes,
      ...(isGroup(field) && !attributes['aria-label'] ? { 'aria-labelledby': `${id}-label` } : {}),
      'data-field': field.action_id,
      'data-of': blockId,
    },
    isOptional,
    use: (state, value) => use({ blockId, element: field, state, value, dispatches }),
  });
  if (control === null) return element('p', { class: 'unsupported' }, `Unsupported field: ${field.type}`);
  SHOWS.set(control.node, control.show);
  return control.node;
}

/** Brings every field below a node to the state that `stateOf(blockId, actionId)` tells. */
export function showStates(node, stateOf) {
  for (const field of node.querySelectorAll('[data-field]'))
    SHOWS.get(field)?.(stateOf(field.dataset.of, field.dataset.field));
}

/** Whether what the person did in a field still fits it after an update: of its type, with options that there are. */
export function fits(state, field) {
  if (state.type !== field.type) return false;
  const known = optionsOf(field).map(({ value }) => value);
  const chosen = [...(state.selected_options ?? []), state.selected_option].flatMap((option) => option?.value ?? []);
  return chosen.every((value) => known.includes(value));
}

/** By block_id and action_id, every field and button of some blocks. */
export function elementsOf(blocks) {
  return blocks.flatMap((block) => {
    const elements = [...(block.elements ?? []), block.accessory, block.element].filter((it) => it?.action_id);
    return elements.map((it) => ({ blockId: block.block_id, element: it }));
  });
}

function idOf(blockId, { action_id: actionId }) {
  return `field-${blockId}-${actionId}`;
}
