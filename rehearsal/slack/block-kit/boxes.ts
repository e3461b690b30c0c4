/** container, card, carousel and context_actions: blocks that hold others or buttons. */
import { z } from 'zod';
import { button } from './elements.ts';
import { confirm, id, mrkdwn, plain, text } from './parts.ts';
import { richText } from './rich-text.ts';
import { actions, context, divider, header, image, section } from './simple-blocks.ts';
import { table } from './tables.ts';

export const container = z
  .strictObject({
    type: z.literal('container'),
    title: plain(150).optional(),
    rich_text_title: richText.optional(),
    subtitle: text(150).optional(),
    child_blocks: z
      .array(z.discriminatedUnion('type', [section, context, header, divider, image, actions, richText, table]))
      .min(1)
      .max(10),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    icon: image.optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
    block_id: id,
  })
  .refine(
    (it) => it.title !== undefined || it.rich_text_title !== undefined,
    'must define either `title` or `rich_text_title`',
  )
  .refine(
    (it) => it.default_collapsed !== true || it.is_collapsible === true,
    '`default_collapsed` needs `is_collapsible`',
  );

export const card = z
  .strictObject({
    type: z.literal('card'),
    hero_image: image.optional(),
    icon: image.optional(),
    title: mrkdwn(150).optional(),
    subtitle: mrkdwn(150).optional(),
    body: mrkdwn(200).optional(),
    actions: z.array(button).max(3).optional(),
    block_id: id,
  })
  .refine(
    (it) => it.hero_image !== undefined || it.title !== undefined || it.actions !== undefined || it.body !== undefined,
    'must define `hero_image`, `title`, `actions` or `body`',
  );

export const carousel = z.strictObject({
  type: z.literal('carousel'),
  elements: z.array(card).min(1).max(10),
  block_id: id,
});

const feedbackButton = z.strictObject({
  text: plain(75),
  value: z.string().max(2000),
  accessibility_label: z.string().max(75).optional(),
});

export const contextActions = z.strictObject({
  type: z.literal('context_actions'),
  elements: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('feedback_buttons'),
          action_id: id,
          positive_button: feedbackButton,
          negative_button: feedbackButton,
        }),
        z.strictObject({
          type: z.literal('icon_button'),
          action_id: id,
          icon: z.string().min(1),
          text: plain(75),
          value: z.string().max(2000).optional(),
          accessibility_label: z.string().max(75).optional(),
          visible_to_user_ids: z.array(z.string()).optional(),
          confirm,
        }),
      ]),
    )
    .min(1)
    .max(5),
  block_id: id,
});
