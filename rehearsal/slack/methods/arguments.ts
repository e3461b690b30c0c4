/** The ways in which several methods look at their arguments. */
import { z } from 'zod';
import type { Block } from '../block-kit.ts';
import { checkBlocks } from '../blocks.ts';
import type { Channel, Message, Metadata } from '../records.ts';
import { type Scene, SlackError } from './method.ts';

/** Arguments arrive as form fields, so all are strings. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((word) => word === 'true' || word === '1')
  .default(false);
export const count = (preset: number) => z.coerce.number().int().positive().max(999).default(preset);
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is not JSON: ${String(error)}` });
    return z.NEVER;
  }
});

export function visibleChannel({ workspace }: Scene, id: string): Channel {
  const channel = workspace.channels.get(id);
  if (channel === undefined || (channel.kind === 'private' && !channel.botIsMember))
    throw new SlackError('channel_not_found');
  return channel;
}

/** The channel if the app may read in it: a private one without the app can't be told from none at all. */
export function openChannel(scene: Scene, id: string): Channel {
  const channel = visibleChannel(scene, id);
  if (!channel.botIsMember) throw new SlackError('not_in_channel');
  return channel;
}

/** The channel if something new may be said in it. */
export function writableChannel(scene: Scene, id: string): Channel {
  const channel = openChannel(scene, id);
  if (channel.isArchived) throw new SlackError('is_archived');
  return channel;
}

/** The channel if what stands in it may be changed. */
export function editableChannel(scene: Scene, id: string): Channel {
  const channel = openChannel(scene, id);
  if (channel.isArchived) throw new SlackError('is_inactive');
  return channel;
}

export function liveMessage({ workspace }: Scene, channel: string, ts: string): Message {
  const message = workspace.message(channel, ts);
  if (message === undefined || message.deleted) throw new SlackError('message_not_found');
  return message;
}

/** Blocks that Slack takes, or its refusal with pointers. */
export function takeBlocks(value: unknown, scene: Scene): readonly Block[] {
  const verdict = checkBlocks(value, scene.nextId, scene.refuses);
  if (verdict.kind === 'taken') return verdict.blocks;
  throw new SlackError(verdict.error, {
    errors: verdict.details,
    response_metadata: { messages: verdict.details.map((detail) => `[ERROR] ${detail}`) },
  });
}

/** Slack states no limit; this one is small enough to notice a log that strayed into it. */
const METADATA_LIMIT = 8000;

export function takeMetadata(value: unknown): Metadata {
  const parsed = z
    .strictObject({ event_type: z.string().min(1), event_payload: z.record(z.string(), z.unknown()) })
    .safeParse(value);
  if (!parsed.success) throw new SlackError('invalid_metadata_format');
  if (JSON.stringify(parsed.data).length > METADATA_LIMIT) throw new SlackError('metadata_too_large');
  return parsed.data;
}
