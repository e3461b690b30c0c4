/** Texts, names, options and questions that blocks and their elements are made of. */
import { z } from 'zod';

export const plain = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() });

export const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });

export const text = (max: number) => z.discriminatedUnion('type', [plain(max), mrkdwn(max)]);

export const id = z.string().max(255).optional();

export const style = z.enum(['primary', 'danger']).optional();

export const placeholder = plain(150).optional();

export const confirm = z
  .strictObject({ title: plain(100), text: text(300), confirm: plain(30), deny: plain(30), style })
  .optional();

/** One of a menu: its words are plain. */
export const option = z.strictObject({
  text: plain(75),
  value: z.string().min(1).max(150),
  description: plain(75).optional(),
});

/** One of a list of boxes or radio buttons: its words may be formatted. */
export const markedOption = z.strictObject({
  text: text(75),
  value: z.string().min(1).max(150),
  description: text(75).optional(),
});

export type Option = z.infer<typeof markedOption>;
