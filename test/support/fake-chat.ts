import type { Chat, Message, MessageKey, Person, Place, Snippet } from '../../src/chat.ts';

/** A workspace in memory: who is known, where the bot is a member, what was posted. */
export class FakeChat implements Chat {
  readonly people = new Map<string, Person>();
  readonly memberships = new Set<string>();
  readonly posted: { place: Place; thread: string | null; message: Message; key: MessageKey }[] = [];

  async post(where: { channel: string; thread: string | null }, message: Message, key: MessageKey): Promise<Place> {
    const place = { channel: where.channel, ts: `${this.posted.length + 1}.000000` };
    this.posted.push({ place, thread: where.thread, message, key });
    return place;
  }

  async edit(place: Place, message: Message): Promise<void> {
    const found = this.posted.find((post) => post.place.ts === place.ts);
    if (found !== undefined) found.message = message;
  }

  async find(_where: { channel: string; thread: string | null }, key: MessageKey): Promise<Place | 'none'> {
    return this.posted.find((post) => post.key.run === key.run && post.key.event === key.event)?.place ?? 'none';
  }

  readonly files: { id: string; snippet: Snippet; shared: { channel: string; thread: string } | null }[] = [];
  readonly whispers: { channel: string; thread: string | null; user: string; message: Message }[] = [];
  readonly groups = new Map<string, readonly string[]>();

  async upload(snippet: Snippet): Promise<string> {
    const id = `F${this.files.length + 1}`;
    this.files.push({ id, snippet, shared: null });
    return id;
  }

  async share(file: string, where: { channel: string; thread: string }): Promise<void> {
    const found = this.files.find(({ id }) => id === file);
    if (found !== undefined) found.shared = where;
  }

  async isShared(file: string, channel: string): Promise<boolean> {
    return this.files.find(({ id }) => id === file)?.shared?.channel === channel;
  }

  async whisper(where: { channel: string; thread: string | null }, user: string, message: Message): Promise<void> {
    this.whispers.push({ ...where, user, message });
  }

  async members(group: string): Promise<readonly string[]> {
    return this.groups.get(group) ?? [];
  }

  async isMember(channel: string): Promise<boolean> {
    return this.memberships.has(channel);
  }

  async permalink({ channel, ts }: Place): Promise<string | null> {
    return `https://example.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
  }

  async person(user: string): Promise<Person> {
    return this.people.get(user) ?? { kind: 'stranger', name: user };
  }
}
