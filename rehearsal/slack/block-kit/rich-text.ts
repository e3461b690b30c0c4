/** The rich_text block and what stands in it. */
import { z } from 'zod';
import { id } from './parts.ts';

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

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) });
const border = z.number().int().min(0).max(1).optional();

const part = z.discriminatedUnion('type', [
  section,
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
    elements: z.array(section),
    indent: z.number().int().optional(),
    offset: z.number().int().optional(),
    border,
  }),
]);

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  elements: z.array(part).min(1),
  block_id: id,
});

export type Inline = z.infer<typeof inline>;
export type RichText = z.infer<typeof richText>;
