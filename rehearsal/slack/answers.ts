/** What an app says back to a command or a click: in the ack itself, or later to its response_url. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { BlocksVerdict } from './blocks.ts';
import type { Content } from './records.ts';
import type { Workspace } from './workspace.ts';

/** Where an answer belongs. */
export interface AnswerPlace {
  readonly channel: string;
  readonly user: string;
  /** The clicked message: null for commands, since nothing of an app stands there yet. */
  readonly original: { readonly ts: string; readonly isEphemeral: boolean; readonly thread: string | null } | null;
  /** What the user typed: shown to everybody when the answer is in_channel. */
  readonly typed: string | null;
}

const answer = z.object({
  text: z.string().default(''),
  blocks: z.unknown().optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  delete_original: z.boolean().default(false),
});

export class Answers {
  readonly #workspace: Workspace;
  readonly #check: (blocks: unknown) => BlocksVerdict;

  /** `check`: judges blocks. */
  constructor(workspace: Workspace, check: (blocks: unknown) => BlocksVerdict) {
    this.#workspace = workspace;
    this.#check = check;
  }

  /** Carries out an answer; returns Slack's error, or null. */
  give(place: AnswerPlace, body: unknown, source: 'ack' | 'response_url'): string | null {
    const parsed = answer.safeParse(body);
    if (!parsed.success) return 'invalid_payload';
    const { text, blocks: raw, ...how } = parsed.data;
    if (how.delete_original && place.original !== null) return this.#replace(place, null);
    const verdict = this.#check(raw ?? []);
    if (verdict.kind === 'refused') return verdict.error;
    const content = { text, blocks: verdict.blocks };
    const isEmpty = text === '' && content.blocks.length === 0;
    if (how.replace_original && place.original !== null) return isEmpty ? 'no_text' : this.#replace(place, content);
    if (how.response_type === 'ephemeral') return isEmpty ? 'no_text' : this.#whisper(place, content, source);
    this.#sayAloud(place, content, isEmpty);
    return null;
  }

  #whisper(place: AnswerPlace, content: Content, source: 'ack' | 'response_url'): null {
    const thread = place.original?.thread ?? null;
    this.#workspace.show({ channel: place.channel, user: place.user, thread, source, ...content });
    return null;
  }

  #sayAloud(place: AnswerPlace, content: Content, isEmpty: boolean): void {
    const { channel, user } = place;
    const where = { channel, thread: place.original?.thread ?? null, broadcast: false };
    if (place.typed !== null) {
      this.#workspace.post({ ...where, author: user, text: place.typed, blocks: [], metadata: null });
    }
    if (isEmpty) return;
    this.#workspace.post({ ...where, author: this.#workspace.app.userId, ...content, metadata: null });
  }

  #replace({ channel, original }: AnswerPlace, content: Content | null): string | null {
    if (original === null) return null;
    if (original.isEphemeral) {
      const shown = this.#workspace.ephemeral(original.ts);
      if (shown === undefined) return 'message_not_found';
      if (content === null) this.#workspace.removeEphemeral(shown);
      if (content !== null) this.#workspace.replaceEphemeral(shown, content);
      return null;
    }
    const message = this.#workspace.message(channel, original.ts);
    if (message === undefined || message.deleted) return 'message_not_found';
    if (content === null) this.#workspace.remove(message);
    if (content !== null) this.#workspace.edit(message, { ...content, metadata: message.metadata });
    return null;
  }
}

const USES = 5;
const LIFE_MS = 30 * 60_000;

/** response_urls: 5 uses within 30 minutes each. */
export class ResponseUrls {
  readonly #open = new Map<string, { place: AnswerPlace; left: number; until: number }>();
  readonly #setting: { origin: () => string; now: () => number; answers: Answers };

  constructor(setting: { origin: () => string; now: () => number; answers: Answers }) {
    this.#setting = setting;
  }

  create(place: AnswerPlace): string {
    const key = randomUUID();
    this.#open.set(key, { place, left: USES, until: this.#setting.now() + LIFE_MS });
    return `${this.#setting.origin()}/response/${key}`;
  }

  /** Takes one post to a response_url: HTTP status and body, as Slack answers. */
  use(key: string, body: unknown): { status: number; text: string } {
    const entry = this.#open.get(key);
    if (entry === undefined || entry.until < this.#setting.now()) return { status: 404, text: 'expired_url' };
    if (entry.left === 0) return { status: 404, text: 'used_url' };
    entry.left -= 1;
    const error = this.#setting.answers.give(entry.place, body, 'response_url');
    return error === null ? { status: 200, text: 'ok' } : { status: 500, text: error };
  }
}
