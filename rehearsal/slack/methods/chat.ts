/** chat.*: posting, editing, deleting. */
import { z } from 'zod';
import type { Block } from '../block-kit.ts';
import type { Channel, Message } from '../records.ts';
import {
  editableChannel,
  flag,
  json,
  liveMessage,
  openChannel,
  takeBlocks,
  takeMetadata,
  writableChannel,
} from './arguments.ts';
import { defineMethod, invalidArguments, type Scene, SlackError } from './method.ts';
import { toWire } from './wire.ts';

const POST_TEXT_CUT = 40_000;
const UPDATE_TEXT_LIMIT = 4000;
/** Slack documents reply_broadcast only "in conjunction with thread_ts", and no answer to one alone: this names the fault. */
const NO_THREAD = ['missing required field: thread_ts [json-pointer:/reply_broadcast]'];

const content = {
  text: z.string().optional(),
  markdown_text: z.string().max(12_000).optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  metadata: json.optional(),
};

export const chat = {
  'chat.postMessage': defineMethod({
    args: { channel: z.string(), thread_ts: z.string().optional(), reply_broadcast: flag, ...content },
    run(args, scene) {
      const channel = postTarget(scene, args.channel);
      if (args.reply_broadcast && args.thread_ts === undefined) throw invalidArguments(NO_THREAD);
      const { text, blocks } = takeContent(args, scene);
      const message = scene.workspace.post({
        channel: channel.id,
        thread: args.thread_ts ?? null,
        broadcast: args.reply_broadcast,
        author: scene.workspace.app.userId,
        text: text.slice(0, POST_TEXT_CUT),
        blocks,
        metadata: args.metadata === undefined ? null : takeMetadata(args.metadata),
      });
      return { channel: channel.id, ts: message.ts, message: toWire(message, scene.workspace, true) };
    },
  }),

  'chat.update': defineMethod({
    args: { channel: z.string(), ts: z.string(), reply_broadcast: flag, ...content },
    run(args, scene) {
      const channel = editableChannel(scene, args.channel);
      if (args.reply_broadcast && (args.text ?? args.blocks) !== undefined) {
        throw new SlackError('no_dual_broadcast_content_update');
      }
      const message = ownMessage({ scene, channel, ts: args.ts, error: 'cant_update_message' });
      if ((args.text ?? '').length > UPDATE_TEXT_LIMIT) throw new SlackError('msg_too_long');
      const { text, blocks } = takeContent(args, scene);
      const edited = scene.workspace.edit(message, {
        text: args.text ?? args.markdown_text ?? (args.blocks === undefined ? message.text : text),
        // Text alone leaves the blocks as they are, so the message looks unchanged: python-slack-sdk#523.
        blocks: args.blocks === undefined ? message.blocks : blocks,
        metadata: args.metadata === undefined ? message.metadata : takeMetadata(args.metadata),
      });
      return { channel: channel.id, ts: edited.ts, text: edited.text, message: toWire(edited, scene.workspace, true) };
    },
  }),

  'chat.delete': defineMethod({
    args: { channel: z.string(), ts: z.string() },
    run({ channel: id, ts }, scene) {
      const channel = editableChannel(scene, id);
      scene.workspace.remove(ownMessage({ scene, channel, ts, error: 'cant_delete_message' }));
      return { channel: channel.id, ts };
    },
  }),

  'chat.postEphemeral': defineMethod({
    args: { channel: z.string(), user: z.string(), thread_ts: z.string().optional(), ...content },
    run(args, scene) {
      const channel = writableChannel(scene, args.channel);
      const isInside = channel.members?.includes(args.user) ?? scene.workspace.users.has(args.user);
      if (!isInside) throw new SlackError('user_not_in_channel');
      const { text, blocks } = takeContent(args, scene);
      const thread = args.thread_ts ?? null;
      const shown = scene.workspace.show({
        channel: channel.id,
        user: args.user,
        thread,
        source: 'postEphemeral',
        text,
        blocks,
      });
      return { message_ts: shown.ts };
    },
  }),

  'chat.getPermalink': defineMethod({
    args: { channel: z.string(), message_ts: z.string() },
    run({ channel: id, message_ts }, scene) {
      const { ts, thread, channel } = liveMessage(scene, openChannel(scene, id).id, message_ts);
      const query = thread === null ? '' : `?thread_ts=${thread}&cid=${channel}`;
      return { channel, permalink: `${scene.origin}/archives/${channel}/p${ts.replace('.', '')}${query}` };
    },
  }),
};

/** A user's id opens the direct message with the app. */
function postTarget(scene: Scene, id: string): Channel {
  return scene.workspace.users.has(id) ? scene.workspace.direct(id) : writableChannel(scene, id);
}

type ContentArgs = {
  text?: string | undefined;
  markdown_text?: string | undefined;
  blocks?: unknown;
  attachments?: unknown;
};

function takeContent(args: ContentArgs, scene: Scene): { text: string; blocks: readonly Block[] } {
  if (args.markdown_text !== undefined && (args.text !== undefined || args.blocks !== undefined)) {
    throw new SlackError('markdown_text_conflict');
  }
  const blocks = args.blocks === undefined ? [] : takeBlocks(args.blocks, scene);
  const text = args.text ?? args.markdown_text ?? '';
  if (text === '' && blocks.length === 0 && args.attachments === undefined) throw new SlackError('no_text');
  return { text, blocks };
}

function ownMessage(look: { scene: Scene; channel: Channel; ts: string; error: string }): Message {
  const message = liveMessage(look.scene, look.channel.id, look.ts);
  if (!message.byApp) throw new SlackError(look.error);
  return message;
}
