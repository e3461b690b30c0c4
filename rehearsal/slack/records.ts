/** What a workspace is made of. Records are never changed in place: an edit replaces the record, so a listener may keep what it got. */
import type { Block } from './block-kit.ts';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'dm';
  readonly botIsMember: boolean;
  /** The other side of a direct message with the app, else null. */
  readonly user: string | null;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly kind: 'member' | 'guest' | 'bot';
  /** Differs from the workspace's own for people who come through Slack Connect. */
  readonly teamId: string;
}

export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, unknown>>;
}

export interface Mention {
  readonly kind: 'user' | 'group' | 'channel' | 'here' | 'everyone';
  /** The user's or user group's id, else empty. */
  readonly id: string;
  readonly where: 'text' | 'blocks';
}

export interface Link {
  readonly url: string;
  readonly label: string | null;
}

export interface Content {
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface Message extends Content {
  readonly channel: string;
  readonly ts: string;
  /** The root's ts, or null for a root. */
  readonly thread: string | null;
  /** A reply that stands in the channel too, as well as in its thread. */
  readonly broadcast: boolean;
  /** User id; the app's own bot user for what the app posts. */
  readonly author: string;
  readonly byApp: boolean;
  readonly metadata: Metadata | null;
  readonly edits: number;
  readonly editedTs: string | null;
  readonly deleted: boolean;
  readonly reactions: readonly { readonly name: string; readonly users: readonly string[] }[];
  /** Live mentions and links in the content as it stands now. */
  readonly mentions: readonly Mention[];
  readonly links: readonly Link[];
  /** Whom the message notified when it was posted; edits notify nobody. */
  readonly notified: readonly Mention[];
}

/** Seen by one person only, and gone with the stand-in: Slack does not store these either. */
export interface Ephemeral extends Content {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | null;
  readonly user: string;
  /** `slack`: Slack's own words, such as "failed with the error operation_timeout". */
  readonly source: 'ack' | 'response_url' | 'postEphemeral' | 'slack';
  readonly edits: number;
  readonly deleted: boolean;
  readonly mentions: readonly Mention[];
  readonly links: readonly Link[];
}

export type Change =
  | { readonly kind: 'posted' | 'edited' | 'deleted' | 'reacted'; readonly message: Message }
  | { readonly kind: 'ephemeral'; readonly ephemeral: Ephemeral }
  | { readonly kind: 'channel'; readonly channel: Channel }
  | { readonly kind: 'connections'; readonly open: number };

export interface AppIdentity {
  readonly appId: string;
  readonly botId: string;
  readonly userId: string;
  readonly name: string;
}
