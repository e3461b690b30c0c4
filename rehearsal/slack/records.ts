/** What a workspace is made of. Records are never changed in place: an edit replaces the record, so a listener may keep what it got. */
import type { ModalView } from './block-kit/view.ts';
import type { Block } from './block-kit.ts';
import type { ViewValues } from './view-state.ts';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'dm';
  readonly botIsMember: boolean;
  readonly isArchived: boolean;
  /** The people in it; null = everybody. */
  readonly members: readonly string[] | null;
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

export interface UserGroup {
  /** S… */
  readonly id: string;
  /** As people type it after @. */
  readonly handle: string;
  /** Users' ids. */
  readonly members: readonly string[];
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

/** A file as a message carries it: its text is shown collapsed. */
export interface SharedFile {
  readonly id: string;
  /** With its extension. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** A modal as a person has it open. */
export interface OpenView {
  readonly id: string;
  readonly user: string;
  /** Changes with every update. */
  readonly hash: string;
  /** As the app gave it, with a block_id and an action_id everywhere. */
  readonly view: ModalView;
  /** What is chosen and typed by now, as view.state.values. */
  readonly values: ViewValues;
  /** By block_id: what the app, or Slack's own look at the form, said is wrong with what was submitted; else empty. */
  readonly errors: Readonly<Record<string, string>>;
  /** What Slack itself says above the form when a submission came to nothing, else null. */
  readonly trouble: string | null;
  readonly isOpen: boolean;
  /** The view that this one was pushed onto, else null: that one is hidden until this one is closed. */
  readonly previous: string | null;
  /** The lowest view of the stack: its own id where nothing was pushed. */
  readonly root: string;
}

export interface Message extends Content {
  /** Empty for most. */
  readonly files: readonly SharedFile[];
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
  /** False for what the app posted into a thread without replies: Slack says ok and shows it to nobody. */
  readonly isSeen: boolean;
  readonly edits: number;
  readonly deleted: boolean;
  readonly mentions: readonly Mention[];
  readonly links: readonly Link[];
}

export type Change =
  | { readonly kind: 'posted' | 'edited' | 'deleted' | 'reacted'; readonly message: Message }
  | { readonly kind: 'ephemeral'; readonly ephemeral: Ephemeral }
  | { readonly kind: 'view'; readonly view: OpenView }
  | { readonly kind: 'channel'; readonly channel: Channel }
  | { readonly kind: 'connections'; readonly open: number };

export interface AppIdentity {
  readonly appId: string;
  readonly botId: string;
  readonly userId: string;
  readonly name: string;
}
