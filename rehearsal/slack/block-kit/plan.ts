/** plan and task_card: steps of some work, each with its state. */
import { z } from 'zod';
import { id } from './parts.ts';
import { richText } from './rich-text.ts';

export const taskCard = z.strictObject({
  type: z.literal('task_card'),
  task_id: z.string().min(1),
  title: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
  details: richText.optional(),
  output: richText.optional(),
  sources: z
    .array(z.strictObject({ type: z.literal('url'), url: z.string().min(1), text: z.string().min(1) }))
    .optional(),
  block_id: id,
});

export const plan = z.strictObject({
  type: z.literal('plan'),
  title: z.string().min(1),
  tasks: z.array(taskCard).optional(),
  block_id: id,
});

export type TaskCard = z.infer<typeof taskCard>;
