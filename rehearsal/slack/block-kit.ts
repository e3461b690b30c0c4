/** The blocks that Slack takes in a message, with its limits, as schemas. To take another block, add it to the union at the end. */
import { z } from 'zod';

const plain = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() });
const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });
const text = (max: number) => z.discriminatedUnion('type', [plain(max), mrkdwn(max)]);
const id = z.string().max(255).optional();
const style = z.enum(['primary', 'danger']).optional();

const confirm = z.strictObject({
  title: plain(100),
  text: text(300),
  confirm: plain(30),
  deny: plain(30),
  style,
});

const button = z.strictObject({
  type: z.literal('button'),
  text: plain(75),
  action_id: id,
  url: z.string().max(3000).optional(),
  value: z.string().max(2000).optional(),
  style,
  confirm: confirm.optional(),
  accessibility_label: z.string().max(75).optional(),
});

/** Taken and stored, but not looked into: this project sends none of them. */
const otherElement = z.looseObject({
  type: z.enum([
    'static_select',
    'users_select',
    'channels_select',
    'overflow',
    'datepicker',
    'radio_buttons',
    'checkboxes',
  ]),
  action_id: id,
});

const image = z.strictObject({
  type: z.literal('image'),
  alt_text: z.string().min(1).max(2000),
  image_url: z.string().max(3000).optional(),
  slack_file: z.looseObject({}).optional(),
  title: plain(2000).optional(),
  block_id: id,
});

const inlineStyle = z
  .strictObject({
    bold: z.boolean(),
    italic: z.boolean(),
    strike: z.boolean(),
    code: z.boolean(),
    underline: z.boolean(),
  })
  .partial()
  .optional();
const inline = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: inlineStyle }),
  z.strictObject({
    type: z.literal('link'),
    url: z.string().min(1),
    text: z.string().optional(),
    unsafe: z.boolean().optional(),
    style: inlineStyle,
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string(), style: inlineStyle }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style: inlineStyle }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style: inlineStyle }),
  z.strictObject({ type: z.literal('emoji'), name: z.string(), unicode: z.string().optional() }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']) }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.number().int(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
  }),
]);
const richSection = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });
const border = z.number().int().min(0).max(1).optional();
const richPart = z.discriminatedUnion('type', [
  richSection,
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(inline),
    border,
    language: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(richSection),
    indent: z.number().int().optional(),
    offset: z.number().int().optional(),
    border,
  }),
]);

export const block = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('section'),
      text: text(3000).optional(),
      fields: z.array(text(2000)).min(1).max(10).optional(),
      accessory: z.discriminatedUnion('type', [button, image, otherElement]).optional(),
      expand: z.boolean().optional(),
      block_id: id,
    })
    .refine(
      (section) => section.text !== undefined || section.fields !== undefined,
      'must define either `text` or `fields`',
    ),
  z.strictObject({
    type: z.literal('context'),
    elements: z
      .array(z.discriminatedUnion('type', [plain(3000), mrkdwn(3000), image]))
      .min(1)
      .max(10),
    block_id: id,
  }),
  z.strictObject({ type: z.literal('header'), text: plain(150), block_id: id }),
  z.strictObject({ type: z.literal('divider'), block_id: id }),
  image.refine(
    (it) => (it.image_url === undefined) !== (it.slack_file === undefined),
    'must define either `image_url` or `slack_file`',
  ),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(z.discriminatedUnion('type', [button, otherElement]))
      .min(1)
      .max(25),
    block_id: id,
  }),
  z.strictObject({ type: z.literal('rich_text'), elements: z.array(richPart).min(1), block_id: id }),
  z.strictObject({ type: z.literal('markdown'), text: z.string().min(1).max(12_000), block_id: id }),
  z.looseObject({
    type: z.enum([
      'plan',
      'task_card',
      'table',
      'data_table',
      'container',
      'card',
      'carousel',
      'context_actions',
      'data_visualization',
    ]),
    block_id: id,
  }),
]);

export type Block = z.infer<typeof block>;
export type Inline = z.infer<typeof inline>;
export type Button = z.infer<typeof button>;
