/** A modal as views.open takes it. To let another block stand in modals, add it to the union. */
import { z } from 'zod';
import { input } from './elements.ts';
import { id, plain, text } from './parts.ts';
import { richText } from './rich-text.ts';
import { actions, context, divider, header, image, section } from './simple-blocks.ts';

const inputBlock = z.strictObject({
  type: z.literal('input'),
  label: plain(2000),
  element: input,
  hint: plain(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  block_id: id,
});

const alert = z.strictObject({
  type: z.literal('alert'),
  text: text(200),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  block_id: id,
});

const viewBlock = z.discriminatedUnion('type', [
  section,
  context,
  header,
  divider,
  image,
  actions,
  richText,
  inputBlock,
  alert,
]);

const common = {
  blocks: z.array(viewBlock).max(100),
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  external_id: z.string().max(255).optional(),
};

export const modalView = z
  .strictObject({
    type: z.literal('modal'),
    title: plain(24),
    submit: plain(24).optional(),
    close: plain(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    ...common,
  })
  .refine(
    ({ submit, blocks }) => submit !== undefined || blocks.every((block) => block.type !== 'input'),
    'must define `submit`, since it has `input` blocks',
  );

export const homeView = z.strictObject({ type: z.literal('home'), ...common });

export type ViewBlock = z.infer<typeof viewBlock>;
export type ModalView = z.infer<typeof modalView>;
