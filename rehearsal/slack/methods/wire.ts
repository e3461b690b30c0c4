/** Messages as the Web API shows them. */
import type { Message, SharedFile } from '../records.ts';
import type { Workspace } from '../workspace.ts';

/** Metadata only where it was asked for. */
export function toWire(message: Message, workspace: Workspace, withMetadata: boolean): Record<string, unknown> {
  const replies = message.thread === null ? workspace.replies(message.channel, message.ts) : [];
  const root = message.broadcast && message.thread !== null ? workspace.message(message.channel, message.thread) : null;
  const author = message.byApp ? { bot_id: workspace.app.botId, app_id: workspace.app.appId } : {};
  return {
    type: 'message',
    user: message.author,
    ...author,
    ts: message.ts,
    team: workspace.teamId,
    text: message.text,
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.files.length > 0 && { files: message.files.map(toWireFile), upload: false }),
    ...(message.thread !== null && { thread_ts: message.thread }),
    ...(root && { subtype: 'thread_broadcast', root: toWire(root, workspace, withMetadata) }),
    ...(replies.length > 0 && { thread_ts: message.ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts }),
    ...(message.editedTs !== null && { edited: { user: message.author, ts: message.editedTs } }),
    ...(message.reactions.length > 0 && {
      reactions: message.reactions.map((reaction) => ({ ...reaction, count: reaction.users.length })),
    }),
    ...(withMetadata && message.metadata !== null && { metadata: message.metadata }),
    // A deleted root that still has replies stays as a tombstone.
    ...(message.deleted && {
      subtype: 'tombstone',
      text: 'This message was deleted.',
      blocks: undefined,
      files: undefined,
      metadata: undefined,
    }),
  };
}

function toWireFile({ id, name, title, text }: SharedFile): Record<string, unknown> {
  return { id, name, title, size: Buffer.byteLength(text), mode: 'snippet' };
}
