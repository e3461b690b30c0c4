/** table and data_table: rows of cells. The limit of all their characters together is judged with the message's other sums. */
import { z } from 'zod';
import { id } from './parts.ts';
import { richText } from './rich-text.ts';

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
  richText,
]);

const rows = (most: number) => z.array(z.array(cell).min(1).max(20)).min(1).max(most);

export const table = z.strictObject({
  type: z.literal('table'),
  rows: rows(100),
  column_settings: z
    .array(
      z
        .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
        .nullable(),
    )
    .max(20)
    .optional(),
  block_id: id,
});

export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    caption: z.string().min(1),
    // A row of headings, then up to 100 of data.
    rows: rows(101),
    page_size: z.number().int().min(1).max(100).optional(),
    row_header_column_index: z.number().int().min(0).optional(),
    block_id: id,
  })
  .refine(
    ({ rows: [first = [], ...others] }) => others.every((row) => row.length === first.length),
    'all rows must have as many cells as the first',
  );

export type Cell = z.infer<typeof cell>;
