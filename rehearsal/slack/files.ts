/**
 * Uploads in Slack's three steps: a place to send the bytes to, the bytes, and a completion that shares them in a channel. The third answers
 * before the message stands: that appears later, and files.info tells of it later still, at times never.
 */
import { randomUUID } from 'node:crypto';
import type { Message } from './records.ts';
import type { Draft, Workspace } from './workspace.ts';

/** Slack tells no figure; an upload that takes longer than this is no upload any more. */
const URL_LIFE_MS = 60 * 60_000;

/** How slowly shared files come to be seen. */
export interface Sharing {
  /** Until the message stands in the channel, ms. */
  readonly appearAfterMs: number;
  /** So many looks by files.info find `shares` empty although the message stands. */
  readonly emptyLooks: number;
  /** So many completions from now on are answered with ok and never shared: paradigmxyz/centaur#311. */
  readonly lost: number;
}

const USUAL: Sharing = { appearAfterMs: 20, emptyLooks: 1, lost: 0 };

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  title: string;
  /** Bytes, as announced. */
  readonly length: number;
  readonly snippetType: string | null;
  /** ms. */
  readonly created: number;
  /** null until they were sent. */
  bytes: Buffer | null;
  /** Where it stands, oldest first. */
  readonly shares: Message[];
  looksLeft: number;
}

export class Files {
  readonly #setting: { readonly workspace: Workspace; readonly origin: () => string; readonly now: () => number };
  readonly #files = new Map<string, StoredFile>();
  readonly #tickets = new Map<string, { readonly file: StoredFile; readonly until: number }>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #sharing: Sharing;

  constructor(
    setting: { readonly workspace: Workspace; readonly origin: () => string; readonly now: () => number },
    sharing: Partial<Sharing>,
  ) {
    this.#setting = setting;
    this.#sharing = { ...USUAL, ...sharing };
  }

  /** Changes how slowly files come to be seen, from now on. */
  behave(sharing: Partial<Sharing>): void {
    this.#sharing = { ...this.#sharing, ...sharing };
  }

  /** A place for the bytes: the URL takes them once. */
  announce(announced: { name: string; length: number; snippetType: string | null }): { file: StoredFile; url: string } {
    const id = `F${String(this.#files.size + 1).padStart(4, '0')}`;
    const { origin, now } = this.#setting;
    const file = { ...announced, id, title: announced.name, created: now(), bytes: null, shares: [], looksLeft: 0 };
    this.#files.set(id, file);
    const ticket = randomUUID();
    this.#tickets.set(ticket, { file, until: now() + URL_LIFE_MS });
    return { file, url: `${origin()}/upload/${ticket}` };
  }

  /** Takes the bytes: HTTP status and body. */
  receive(ticket: string, bytes: Buffer): { status: number; text: string } {
    const open = this.#tickets.get(ticket);
    if (open === undefined || open.until < this.#setting.now()) return { status: 404, text: 'no such upload' };
    if (bytes.length !== open.file.length) {
      return { status: 400, text: `${open.file.length} bytes were announced and ${bytes.length} came` };
    }
    this.#tickets.delete(ticket);
    open.file.bytes = bytes;
    return { status: 200, text: `OK - ${bytes.length}` };
  }

  /** A file whose bytes are there. */
  find(id: string): StoredFile | undefined {
    const file = this.#files.get(id);
    return file?.bytes === null ? undefined : file;
  }

  /** Lets the message with these files appear after a while. Nothing is remembered: twice asked for is twice seen, as in python-slack-sdk#1165. */
  share(files: readonly StoredFile[], where: Omit<Draft, 'files'>): void {
    const { appearAfterMs, emptyLooks, lost } = this.#sharing;
    if (lost > 0) {
      this.behave({ lost: lost - 1 });
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const message = this.#setting.workspace.post({ ...where, files: files.map(toShared) });
      for (const file of files) {
        file.shares.push(message);
        file.looksLeft = emptyLooks;
      }
    }, appearAfterMs);
    this.#timers.add(timer);
  }

  /** Where files.info says that the file stands; each look brings the truth nearer. */
  seenShares(file: StoredFile): readonly Message[] {
    if (file.looksLeft === 0) return file.shares;
    file.looksLeft -= 1;
    return [];
  }

  /** What was to appear doesn't any more. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

function toShared({ id, name, title, bytes }: StoredFile) {
  return { id, name, title, text: bytes?.toString('utf8') ?? '' };
}
