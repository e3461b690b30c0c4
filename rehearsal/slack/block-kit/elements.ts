/** What a person can press, choose or type into. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { confirm, id, markedOption, type Option, option, placeholder, plain, style } from './parts.ts';

export const button = z.strictObject({
  type: z.literal('button'),
  text: plain(75),
  action_id: id,
  url: z.string().max(3000).optional(),
  value: z.string().max(2000).optional(),
  style,
  confirm,
  accessibility_label: z.string().max(75).optional(),
});

const focus = z.boolean().optional();
const options = z.array(option).min(1).max(100).optional();
const groups = z
  .array(z.strictObject({ label: plain(75), options: z.array(option).min(1).max(100) }))
  .min(1)
  .max(100)
  .optional();

interface Menu {
  readonly options?: readonly Option[] | undefined;
  readonly option_groups?: readonly { readonly options: readonly Option[] }[] | undefined;
  readonly initial_option?: Option | undefined;
  readonly initial_options?: readonly Option[] | undefined;
}

/** Everything that can be chosen in a menu, in a list of boxes or of radio buttons. */
export function optionsOf(menu: Menu): readonly Option[] {
  return [...(menu.options ?? []), ...(menu.option_groups ?? []).flatMap((group) => group.options)];
}

const eitherOptions = (menu: Menu): boolean => (menu.options === undefined) !== (menu.option_groups === undefined);
const EITHER_OPTIONS = 'must define either `options` or `option_groups`';

const knowsInitial = (menu: Menu): boolean =>
  [...(menu.initial_option === undefined ? [] : [menu.initial_option]), ...(menu.initial_options ?? [])].every(
    (first) => optionsOf(menu).some((known) => isDeepStrictEqual(known, first)),
  );
const KNOWS_INITIAL = 'an initial option must be one of the options, with all its fields';

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    action_id: id,
    placeholder,
    options,
    option_groups: groups,
    initial_option: option.optional(),
    confirm,
    focus_on_load: focus,
  })
  .refine(eitherOptions, EITHER_OPTIONS)
  .refine(knowsInitial, KNOWS_INITIAL);

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    action_id: id,
    placeholder,
    options,
    option_groups: groups,
    initial_options: z.array(option).min(1).optional(),
    max_selected_items: z.number().int().min(1).optional(),
    confirm,
    focus_on_load: focus,
  })
  .refine(eitherOptions, EITHER_OPTIONS)
  .refine(knowsInitial, KNOWS_INITIAL);

const fewOptions = z.array(markedOption).min(1).max(10);

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    action_id: id,
    options: fewOptions,
    initial_options: z.array(markedOption).min(1).optional(),
    confirm,
    focus_on_load: focus,
  })
  .refine(knowsInitial, KNOWS_INITIAL);

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    action_id: id,
    options: fewOptions,
    initial_option: markedOption.optional(),
    confirm,
    focus_on_load: focus,
  })
  .refine(knowsInitial, KNOWS_INITIAL);

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: id,
  options: z
    .array(option.extend({ url: z.string().max(3000).optional() }))
    .min(1)
    .max(5),
  confirm,
});

const plainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  action_id: id,
  placeholder,
  initial_value: z.string().max(3000).optional(),
  multiline: z.boolean().optional(),
  min_length: z.number().int().min(0).max(3000).optional(),
  max_length: z.number().int().min(1).max(3000).optional(),
  dispatch_action_config: z
    .strictObject({
      trigger_actions_on: z
        .array(z.enum(['on_enter_pressed', 'on_character_entered']))
        .min(1)
        .optional(),
    })
    .optional(),
  focus_on_load: focus,
});

/** Taken and stored, but neither looked into nor filled in. */
const otherMenu = z.looseObject({
  type: z.enum([
    'users_select',
    'channels_select',
    'conversations_select',
    'external_select',
    'multi_users_select',
    'multi_channels_select',
    'multi_conversations_select',
    'multi_external_select',
    'datepicker',
    'timepicker',
    'datetimepicker',
  ]),
  action_id: id,
});
const otherInput = z.looseObject({
  type: z.enum(['number_input', 'email_text_input', 'url_text_input', 'file_input', 'rich_text_input']),
  action_id: id,
});

const MENUS = [staticSelect, multiStaticSelect, checkboxes, radioButtons, otherMenu] as const;

/** In an `actions` block and beside a section. */
export const action = z.discriminatedUnion('type', [button, overflow, ...MENUS]);

/** In an `input` block. */
export const input = z.discriminatedUnion('type', [plainTextInput, otherInput, ...MENUS]);

export type Button = z.infer<typeof button>;
export type Action = z.infer<typeof action>;
export type Input = z.infer<typeof input>;
