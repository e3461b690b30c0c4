/** The blocks that Slack takes in a message, with its limits, as schemas. To take another block, add it to the union. */
import { z } from 'zod';
import { card, carousel, container, contextActions } from './block-kit/boxes.ts';
import { id } from './block-kit/parts.ts';
import { plan, taskCard } from './block-kit/plan.ts';
import { richText } from './block-kit/rich-text.ts';
import { actions, context, divider, header, image, section } from './block-kit/simple-blocks.ts';
import { dataTable, table } from './block-kit/tables.ts';

export const block = z.discriminatedUnion('type', [
  section,
  context,
  header,
  divider,
  image,
  actions,
  richText,
  z.strictObject({ type: z.literal('markdown'), text: z.string().min(1).max(12_000), block_id: id }),
  plan,
  taskCard,
  table,
  dataTable,
  container,
  card,
  carousel,
  contextActions,
  // Still being rolled out, and in no types yet: taken as it is.
  z.looseObject({ type: z.literal('data_visualization'), block_id: id }),
]);

export type Block = z.infer<typeof block>;
