/** conversations.*: what the app may know of a channel, and reading back what was said in it. */
import { z } from 'zod';
import type { Channel, Message } from '../records.ts';
import type { Workspace } from '../workspace.ts';
import { count, flag, openChannel, visibleChannel } from './arguments.ts';
import { defineMethod, type Scene, SlackError } from './method.ts';
import { toWire } from './wire.ts';

const range = {
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: flag,
  cursor: z.string().optional(),
  include_all_metadata: flag,
};

export const conversations = {
  'conversations.info': defineMethod({
    args: { channel: z.string() },
    run: ({ channel }, scene) => ({ channel: describe(visibleChannel(scene, channel)) }),
  }),

  /** Roots and broadcast replies, newest first. */
  'conversations.history': defineMethod({
    args: { channel: z.string(), limit: count(100), ...range },
    run(args, scene) {
      const channel = openChannel(scene, args.channel);
      const roots = scene.workspace
        .messages(channel.id)
        .filter((message) => message.thread === null || message.broadcast)
        .filter((message) => isShown(message, scene.workspace) && isWithin(message, args));
      return page({ messages: roots.reverse(), args, scene });
    },
  }),

  /** The root, then its replies, oldest first. */
  'conversations.replies': defineMethod({
    args: { channel: z.string(), ts: z.string(), limit: count(999), ...range },
    run(args, scene) {
      const channel = openChannel(scene, args.channel);
      const asked = scene.workspace.message(channel.id, args.ts);
      const root = asked?.thread ? scene.workspace.message(channel.id, asked.thread) : asked;
      if (root === undefined || !isShown(root, scene.workspace)) throw new SlackError('thread_not_found');
      const replies = scene.workspace.replies(channel.id, root.ts).filter((message) => isWithin(message, args));
      return page({ messages: [root, ...replies], args, scene });
    },
  }),

  'conversations.join': defineMethod({
    args: { channel: z.string() },
    run({ channel: id }, scene) {
      const channel = visibleChannel(scene, id);
      if (channel.kind === 'private') throw new SlackError('method_not_supported_for_channel_type');
      if (channel.isArchived) throw new SlackError('is_archived');
      return { channel: describe(scene.workspace.keepChannel({ ...channel, botIsMember: true })) };
    },
  }),

  'conversations.open': defineMethod({
    args: { users: z.string() },
    run({ users }, { workspace }) {
      const user = workspace.users.get(users);
      if (user === undefined) throw new SlackError('user_not_found');
      return { channel: describe(workspace.direct(user.id)) };
    },
  }),
};

function describe(channel: Channel): Record<string, unknown> {
  if (channel.kind === 'dm') return { id: channel.id, is_im: true, user: channel.user };
  const isPrivate = channel.kind === 'private';
  return {
    id: channel.id,
    name: channel.name,
    is_channel: true,
    is_im: false,
    is_private: isPrivate,
    is_member: channel.botIsMember,
    is_archived: channel.isArchived,
  };
}

function isShown(message: Message, workspace: Workspace): boolean {
  return !message.deleted || workspace.replies(message.channel, message.ts).length > 0;
}

function isWithin(
  { ts }: Message,
  { oldest, latest, inclusive }: { oldest?: string | undefined; latest?: string | undefined; inclusive: boolean },
): boolean {
  const at = Number(ts);
  const isAfter = oldest === undefined || at > Number(oldest) || (inclusive && at === Number(oldest));
  const isBefore = latest === undefined || at < Number(latest) || (inclusive && at === Number(latest));
  return isAfter && isBefore;
}

function page(listing: {
  messages: readonly Message[];
  args: { limit: number; cursor?: string | undefined; include_all_metadata: boolean };
  scene: Scene;
}): Record<string, unknown> {
  const { messages, args, scene } = listing;
  const start = args.cursor ? Number(Buffer.from(args.cursor, 'base64').toString()) : 0;
  if (!Number.isSafeInteger(start)) throw new SlackError('invalid_cursor');
  const end = start + args.limit;
  const hasMore = end < messages.length;
  return {
    messages: messages.slice(start, end).map((message) => toWire(message, scene.workspace, args.include_all_metadata)),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? Buffer.from(String(end)).toString('base64') : '' },
  };
}
