/** What a person can choose or type into, and what Slack sends of it: the form of view.state.values. */
import { element } from './dom.js';
import { names } from './state.js';
import { plain, renderText } from './texts.js';

/**
 * Of each kind: `create({element, id, attributes, isOptional, use})` gives the node and `show(state)`, which brings the node to a state.
 * `use(state, value)` hears of what the person did: the whole state, and the one value that was chosen, turned or typed.
 */
const KINDS = {
  static_select: createMenu,
  radio_buttons: (setting) => createChoices(setting, 'radio'),
  checkboxes: (setting) => createChoices(setting, 'checkbox'),
  multi_static_select: (setting) => createChoices(setting, 'checkbox'),
  plain_text_input: createText,
  overflow: createOverflow,
};

/** null for kinds that this page doesn't draw. */
export function createControl(setting) {
  return KINDS[setting.element.type]?.(setting) ?? null;
}

/** Kinds of several parts are named by a legend, the others by a label. */
export function isGroup({ type }) {
  return type === 'radio_buttons' || type === 'checkboxes' || type === 'multi_static_select';
}

export function optionsOf({ options = [], option_groups: groups = [] }) {
  return [...options, ...groups.flatMap((group) => group.options)];
}

function createMenu({ element: menu, id, attributes, isOptional, use }) {
  const first = element(
    'option',
    { value: '', disabled: !isOptional, hidden: !isOptional },
    menu.placeholder ? plain(menu.placeholder) : 'Select an item',
  );
  const node = element('select', { ...attributes, id }, first, ...menuParts(menu));
  node.addEventListener('change', () => {
    const option = optionsOf(menu).find(({ value }) => value === node.value) ?? null;
    use({ type: menu.type, selected_option: option }, node.value);
  });
  return {
    node,
    show(state) {
      node.value = state?.selected_option?.value ?? '';
    },
  };
}

function menuParts({ options = [], option_groups: groups = [] }) {
  const entry = (option) => element('option', { value: option.value }, plain(option.text));
  return [
    ...options.map(entry),
    ...groups.map((group) => element('optgroup', { label: plain(group.label) }, ...group.options.map(entry))),
  ];
}

function createChoices({ element: list, id, attributes, use }, type) {
  const options = optionsOf(list);
  const inputs = options.map((option, at) =>
    element('input', { type, name: id, value: option.value, id: `${id}-${at}` }),
  );
  const rows = options.map((option, at) =>
    element(
      'label',
      { class: 'choice' },
      inputs[at],
      element(
        'span',
        {},
        ...renderText(option.text, names),
        option.description && element('small', {}, ...renderText(option.description, names)),
      ),
    ),
  );
  const node = element(
    'div',
    { ...attributes, id, class: 'choices-list', role: type === 'radio' ? 'radiogroup' : 'group' },
    ...rows,
  );
  node.addEventListener('change', (event) => {
    const chosen = options.filter((_, at) => inputs[at].checked);
    const state = type === 'radio' ? { selected_option: chosen[0] ?? null } : { selected_options: chosen };
    use({ type: list.type, ...state }, event.target.value);
  });
  return {
    node,
    show(state) {
      const chosen = (state?.selected_options ?? [state?.selected_option]).map((option) => option?.value);
      for (const input of inputs) input.checked = chosen.includes(input.value);
    },
  };
}

function createText({ element: input, id, attributes, use }) {
  const node = element(input.multiline ? 'textarea' : 'input', {
    ...attributes,
    id,
    rows: input.multiline ? 4 : null,
    maxlength: input.max_length,
    placeholder: input.placeholder && plain(input.placeholder),
  });
  const state = () => ({ type: input.type, value: node.value === '' ? null : node.value });
  node.addEventListener('input', () => use(state(), null));
  node.addEventListener('keydown', (event) => {
    // Enter tells the app where the app asked for it; elsewhere it sends the form.
    if (event.key !== 'Enter' || input.multiline) return;
    if (use(state(), node.value)) event.preventDefault();
  });
  return {
    node,
    show(shown) {
      if (node.value !== (shown?.value ?? '')) node.value = shown?.value ?? '';
    },
  };
}

/** A menu that remembers nothing. */
function createOverflow({ element: menu, id, attributes, use }) {
  const first = element('option', { value: '', hidden: true }, '⋯');
  const node = element(
    'select',
    { ...attributes, id, class: 'overflow', 'aria-label': 'More actions' },
    first,
    ...menuParts(menu),
  );
  node.addEventListener('change', () => {
    const option = optionsOf(menu).find(({ value }) => value === node.value);
    node.value = '';
    if (option?.url) window.open(option.url, '_blank', 'noreferrer');
    if (option) use({ type: menu.type, selected_option: option }, option.value);
  });
  return { node, show() {} };
}
