/** What a Web API method is, and the ways in which several of them look at their arguments. */
import { z } from 'zod';
import type { Block } from '../block-kit.ts';
import { checkBlocks } from '../blocks.ts';
import type { Channel, Message, Metadata } from '../records.ts';
import type { Workspace } from '../workspace.ts';

/** {ok: false, error} with the fields that go with it. */
export class SlackError extends Error {
  override readonly name = 'SlackError';
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

/** What a method may touch. */
export interface Scene {
  readonly workspace: Workspace;
  /** http://127.0.0.1:PORT */
  readonly origin: string;
  readonly views: StoredView[];
  /** A URL for one Socket Mode connection. */
  openSocket(): string;
  nextId(): string;
}

export interface StoredView {
  readonly id: string;
  readonly method: 'views.open' | 'views.update' | 'views.publish';
  readonly user: string | null;
  readonly view: Readonly<Record<string, unknown>>;
}

export interface Method {
  readonly token: 'bot' | 'app';
  run(args: Readonly<Record<string, string>>, scene: Scene): Record<string, unknown>;
}

/** A method whose arguments are checked first; a wrong one is answered with invalid_arguments, as Slack does. */
export function defineMethod<Shape extends z.ZodRawShape>(definition: {
  token?: 'bot' | 'app';
  args: Shape;
  run(args: z.output<z.ZodObject<Shape>>, scene: Scene): Record<string, unknown>;
}): Method {
  const schema = z.object(definition.args);
  return {
    token: definition.token ?? 'bot',
    run(raw, scene) {
      const parsed = schema.safeParse(raw);
      if (parsed.success) return definition.run(parsed.data, scene);
      const messages = parsed.error.issues.map(
        (issue) => `[ERROR] ${issue.message} [json-pointer:/${issue.path.join('/')}]`,
      );
      throw new SlackError('invalid_arguments', { response_metadata: { messages } });
    },
  };
}

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

/** The channel if the app may act in it: a private one without the app can't be told from none at all. */
export function openChannel(scene: Scene, id: string): Channel {
  const channel = visibleChannel(scene, id);
  if (!channel.botIsMember) throw new SlackError('not_in_channel');
  return channel;
}

export function visibleChannel({ workspace }: Scene, id: string): Channel {
  const channel = workspace.channels.get(id);
  if (channel === undefined || (channel.kind === 'private' && !channel.botIsMember))
    throw new SlackError('channel_not_found');
  return channel;
}

export function liveMessage({ workspace }: Scene, channel: string, ts: string): Message {
  const message = workspace.message(channel, ts);
  if (message === undefined || message.deleted) throw new SlackError('message_not_found');
  return message;
}

/** Blocks that Slack takes, or its refusal with pointers. */
export function takeBlocks(value: unknown, scene: Scene): readonly Block[] {
  const verdict = checkBlocks(value, scene.nextId);
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

/** A message as the Web API shows it. Metadata only where it was asked for. */
export function toWire(message: Message, scene: Scene, withMetadata: boolean): Record<string, unknown> {
  const { workspace } = scene;
  const replies = message.thread === null ? repliesTo(message, workspace) : [];
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
    ...(message.thread !== null && { thread_ts: message.thread }),
    ...(root && { subtype: 'thread_broadcast', root: toWire(root, scene, withMetadata) }),
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
      metadata: undefined,
    }),
  };
}

export function repliesTo(root: Message, workspace: Workspace): Message[] {
  return workspace.messages(root.channel).filter((message) => message.thread === root.ts && !message.deleted);
}
