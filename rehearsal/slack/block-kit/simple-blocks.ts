/** The blocks that messages and modals have in common. */
import { z } from 'zod';
import { action } from './elements.ts';
import { id, mrkdwn, plain, text } from './parts.ts';

const picture = z.strictObject({
  type: z.literal('image'),
  alt_text: z.string().min(1).max(2000),
  image_url: z.string().max(3000).optional(),
  slack_file: z.looseObject({}).optional(),
  title: plain(2000).optional(),
  block_id: id,
});

export const image = picture.refine(
  (it) => (it.image_url === undefined) !== (it.slack_file === undefined),
  'must define either `image_url` or `slack_file`',
);

export const section = z
  .strictObject({
    type: z.literal('section'),
    text: text(3000).optional(),
    fields: z.array(text(2000)).min(1).max(10).optional(),
    accessory: z.discriminatedUnion('type', [picture, ...action.options]).optional(),
    expand: z.boolean().optional(),
    block_id: id,
  })
  .refine((it) => it.text !== undefined || it.fields !== undefined, 'must define either `text` or `fields`');

export const context = z.strictObject({
  type: z.literal('context'),
  elements: z
    .array(z.discriminatedUnion('type', [plain(3000), mrkdwn(3000), picture]))
    .min(1)
    .max(10),
  block_id: id,
});

export const header = z.strictObject({ type: z.literal('header'), text: plain(150), block_id: id });

export const divider = z.strictObject({ type: z.literal('divider'), block_id: id });

export const actions = z.strictObject({
  type: z.literal('actions'),
  elements: z.array(action).min(1).max(25),
  block_id: id,
});
