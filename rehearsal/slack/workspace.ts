/** The state of the workspace and the only place that changes it; whoever listens hears of every change. */
import { findMarkup } from './markup.ts';
import type {
  AppIdentity,
  Change,
  Channel,
  Content,
  Ephemeral,
  Message,
  Metadata,
  OpenView,
  SharedFile,
  User,
  UserGroup,
} from './records.ts';

export interface WorkspaceOptions {
  readonly teamId: string;
  readonly app: AppIdentity;
  readonly channels: readonly Channel[];
  readonly users: readonly User[];
  readonly groups: readonly UserGroup[];
  readonly now: () => number;
}

export interface Draft extends Content {
  readonly channel: string;
  readonly thread: string | null;
  readonly broadcast: boolean;
  readonly author: string;
  readonly files?: readonly SharedFile[];
  readonly metadata: Metadata | null;
}

export class Workspace {
  readonly teamId: string;
  readonly app: AppIdentity;
  readonly channels = new Map<string, Channel>();
  readonly users = new Map<string, User>();
  readonly groups = new Map<string, UserGroup>();
  readonly #messages = new Map<string, Map<string, Message>>();
  readonly #ephemerals = new Map<string, Ephemeral>();
  readonly #views = new Map<string, OpenView>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #now: () => number;
  #lastTs = 0;

  constructor(options: WorkspaceOptions) {
    this.teamId = options.teamId;
    this.app = options.app;
    this.#now = options.now;
    for (const channel of options.channels) this.channels.set(channel.id, channel);
    for (const user of options.users) this.users.set(user.id, user);
    for (const group of options.groups) this.groups.set(group.id, group);
    const { userId, name } = options.app;
    this.users.set(userId, { id: userId, name, kind: 'bot', teamId: options.teamId });
  }

  on(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** Unique and increasing, in seconds with six decimals, as Slack's are. */
  nextTs(): string {
    this.#lastTs = Math.max(this.#lastTs + 1, this.#now() * 1000);
    const micros = String(this.#lastTs);
    return `${micros.slice(0, -6)}.${micros.slice(-6)}`;
  }

  /** Oldest first, deleted ones included. */
  messages(channel: string): Message[] {
    return [...(this.#messages.get(channel)?.values() ?? [])];
  }

  message(channel: string, ts: string): Message | undefined {
    return this.#messages.get(channel)?.get(ts);
  }

  /** What stands in a thread below its root, oldest first. */
  replies(channel: string, root: string): Message[] {
    return this.messages(channel).filter(({ thread, deleted }) => thread === root && !deleted);
  }

  ephemerals(): Ephemeral[] {
    return [...this.#ephemerals.values()];
  }

  ephemeral(ts: string): Ephemeral | undefined {
    return this.#ephemerals.get(ts);
  }

  /** Modals that are open now, newest last. */
  views(): OpenView[] {
    return [...this.#views.values()].filter(({ isOpen }) => isOpen);
  }

  /** A modal as it is from now on. */
  keepView(view: OpenView): OpenView {
    this.#views.set(view.id, view);
    this.announce({ kind: 'view', view });
    return view;
  }

  post(draft: Draft): Message {
    const markup = findMarkup(draft);
    const thread = this.#threadOf(draft);
    const message: Message = {
      files: [],
      ...draft,
      ...markup,
      ts: this.nextTs(),
      thread,
      // At the channel's top level there is nothing to broadcast.
      broadcast: draft.broadcast && thread !== null,
      byApp: draft.author === this.app.userId,
      edits: 0,
      editedTs: null,
      deleted: false,
      reactions: [],
      notified: markup.mentions,
    };
    this.#keep(message);
    this.announce({ kind: 'posted', message });
    return message;
  }

  edit(message: Message, content: Content & { readonly metadata: Metadata | null }): Message {
    const edited = {
      ...message,
      ...content,
      ...findMarkup(content),
      edits: message.edits + 1,
      editedTs: this.nextTs(),
    };
    this.#keep(edited);
    this.announce({ kind: 'edited', message: edited });
    return edited;
  }

  react(message: Message, name: string, user: string): void {
    const others = message.reactions.filter((reaction) => reaction.name !== name);
    const users = message.reactions.find((reaction) => reaction.name === name)?.users ?? [];
    const reacted = { ...message, reactions: [...others, { name, users: [...users, user] }] };
    this.#keep(reacted);
    this.announce({ kind: 'reacted', message: reacted });
  }

  remove(message: Message): void {
    const deleted = { ...message, deleted: true };
    this.#keep(deleted);
    this.announce({ kind: 'deleted', message: deleted });
  }

  show(ephemeral: Omit<Ephemeral, 'ts' | 'isSeen' | 'edits' | 'deleted' | 'mentions' | 'links'>): Ephemeral {
    const { channel, thread, source } = ephemeral;
    const isSeen = source !== 'postEphemeral' || thread === null || this.replies(channel, thread).length > 0;
    const shown = { ...ephemeral, ...findMarkup(ephemeral), isSeen, ts: this.nextTs(), edits: 0, deleted: false };
    return this.#keepEphemeral(shown);
  }

  replaceEphemeral(ephemeral: Ephemeral, content: Content): Ephemeral {
    return this.#keepEphemeral({ ...ephemeral, ...content, ...findMarkup(content), edits: ephemeral.edits + 1 });
  }

  removeEphemeral(ephemeral: Ephemeral): void {
    this.#keepEphemeral({ ...ephemeral, deleted: true });
  }

  /** The app's direct message with a person, opened on first use. */
  direct(user: string): Channel {
    const id = `D${user.slice(1)}`;
    const known = this.channels.get(id);
    if (known !== undefined) return known;
    return this.keepChannel({
      id,
      name: 'directmessage',
      kind: 'dm',
      botIsMember: true,
      isArchived: false,
      members: [user],
      user,
    });
  }

  keepChannel(channel: Channel): Channel {
    this.channels.set(channel.id, channel);
    this.announce({ kind: 'channel', channel });
    return channel;
  }

  /** A reply whose root is gone lands at the channel's top level: slack-go#1571, langchain-ai/open-swe#2753. */
  #threadOf(draft: Draft): string | null {
    if (draft.thread === null) return null;
    const parent = this.message(draft.channel, draft.thread);
    if (parent === undefined || parent.deleted) return null;
    return parent.thread ?? parent.ts;
  }

  #keep(message: Message): void {
    const channel = this.#messages.get(message.channel) ?? new Map<string, Message>();
    channel.set(message.ts, message);
    this.#messages.set(message.channel, channel);
  }

  #keepEphemeral(ephemeral: Ephemeral): Ephemeral {
    this.#ephemerals.set(ephemeral.ts, ephemeral);
    this.announce({ kind: 'ephemeral', ephemeral });
    return ephemeral;
  }
}
