/** What a person has chosen and typed in a view, in the form of Slack's view.state.values. */
import { type Action, type Input, optionsOf } from './block-kit/elements.ts';
import { markedOption, type Option } from './block-kit/parts.ts';
import type { ViewBlock } from './block-kit/view.ts';

/** One element's state: its type, and `value`, `selected_option` or `selected_options`. */
export type ElementState = Readonly<Record<string, unknown>>;

/** By block_id, then by action_id. */
export type ViewValues = Readonly<Record<string, Readonly<Record<string, ElementState>>>>;

export interface Placed {
  readonly blockId: string;
  readonly element: Action | Input;
  /** Whether using it tells the app at once; otherwise it waits for the submission. */
  readonly dispatches: boolean;
}

/** Everything in a view that can be pressed, chosen or typed into, from top to bottom. */
export function elementsOf(blocks: readonly ViewBlock[]): Placed[] {
  return blocks.flatMap((block): Placed[] => {
    const blockId = block.block_id ?? '';
    if (block.type === 'input')
      return [{ blockId, element: block.element, dispatches: block.dispatch_action === true }];
    if (block.type === 'actions') return block.elements.map((element) => ({ blockId, element, dispatches: true }));
    const accessory = block.type === 'section' ? block.accessory : undefined;
    return accessory === undefined || accessory.type === 'image'
      ? []
      : [{ blockId, element: accessory, dispatches: true }];
  });
}

/** What a view begins with. What stood before in an element of the same block_id and action_id stays, as Slack keeps it through an update. */
export function valuesOf(blocks: readonly ViewBlock[], before: ViewValues): ViewValues {
  return elementsOf(blocks).reduce<ViewValues>((values, { blockId, element }) => {
    const first = initialState(element);
    if (first === null) return values;
    const kept = before[blockId]?.[element.action_id ?? ''];
    return withState(values, blockId, element, kept !== undefined && isStill(kept, element) ? kept : first);
  }, {});
}

/** The same values with one element's state changed. */
export function withState(
  values: ViewValues,
  blockId: string,
  { action_id: actionId = '' }: Action | Input,
  state: ElementState,
): ViewValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: state } };
}

/** The state after a person used an element: chose the option of this value (or none, where it is empty), turned a box on or off, typed a text. */
export function used(element: Action | Input, state: ElementState | undefined, value: string): ElementState {
  const { type } = element;
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
    case 'overflow':
      return { type, selected_option: value === '' ? null : optionOf(optionsOf(element), value) };
    case 'multi_static_select':
    case 'checkboxes': {
      const known = optionsOf(element);
      const chosen = new Set(chosenValues(state));
      if (!chosen.delete(optionOf(known, value).value)) chosen.add(value);
      return { type, selected_options: known.filter((one) => chosen.has(one.value)) };
    }
    case 'button':
      return { type };
    default:
      return { type, value: value === '' ? null : value };
  }
}

/** A state as somebody hands it in, with whole options for those that are named by their value alone. */
export function givenState(element: Action | Input, given: Readonly<Record<string, unknown>>): ElementState {
  const { type } = element;
  if (type === 'static_select' || type === 'radio_buttons') {
    const [value] = valuesIn([given.selected_option]);
    return { type, selected_option: value === undefined ? null : optionOf(optionsOf(element), value) };
  }
  if (type === 'multi_static_select' || type === 'checkboxes') {
    const known = optionsOf(element);
    return { type, selected_options: chosenValues(given).map((value) => optionOf(known, value)) };
  }
  // An emptied field has no value; Slack sends null.
  return { ...given, type, ...(given.value === '' && { value: null }) };
}

/** Whether nothing is chosen or typed. */
export function isBlank(state: ElementState): boolean {
  const { type: _, ...filled } = state;
  return Object.values(filled).every(
    (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
  );
}

/** What is chosen or typed, in words; empty for nothing. */
export function stateText(state: ElementState): string {
  const options = [state.selected_option, ...(Array.isArray(state.selected_options) ? state.selected_options : [])];
  const words = options.flatMap((one) => (isOption(one) ? [one.text.text] : []));
  return words.length > 0 ? words.join(', ') : String(state.value ?? '');
}

/** Whether what is done with it stays in the view: buttons and overflow menus only tell the app. */
export function isStateful({ type }: Action | Input): boolean {
  return type !== 'button' && type !== 'overflow';
}

function initialState(element: Action | Input): ElementState | null {
  const { type } = element;
  switch (type) {
    case 'button':
    case 'overflow':
      return null;
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null };
    case 'multi_static_select':
    case 'checkboxes':
      return { type, selected_options: element.initial_options ?? [] };
    case 'plain_text_input':
      return { type, value: element.initial_value ?? null };
    default:
      return { type, value: null };
  }
}

/** Whether a state fits an element still: of its type, with options that there are. */
function isStill(state: ElementState, element: Action | Input): boolean {
  if (state.type !== element.type) return false;
  const { type } = element;
  if (type !== 'static_select' && type !== 'radio_buttons' && type !== 'multi_static_select' && type !== 'checkboxes')
    return true;
  const known = optionsOf(element).map(({ value }) => value);
  return [...chosenValues(state), ...valuesIn([state.selected_option])].every((value) => known.includes(value));
}

function optionOf(known: readonly Option[], value: string): Option {
  const found = known.find((one) => one.value === value);
  if (found !== undefined) return found;
  const values = known.map((one) => one.value).join(', ');
  throw new Error(`no option ${value}; there are ${values}`);
}

function chosenValues(state: Readonly<Record<string, unknown>> | undefined): string[] {
  return Array.isArray(state?.selected_options) ? valuesIn(state.selected_options) : [];
}

function valuesIn(options: readonly unknown[]): string[] {
  return options.flatMap((one) =>
    typeof one === 'object' && one !== null && 'value' in one && typeof one.value === 'string' ? [one.value] : [],
  );
}

function isOption(value: unknown): value is Option {
  return markedOption.safeParse(value).success;
}
