/** Logs and other files of a host. Sizes are bytes, times ms since the epoch on the host's clock. */

import type { HostFacts, RunFolder } from './launch.ts';

/** Which log, in which state: another generation is another file behind the same name. `sum` covers the first `summed` bytes (at most 256). */
export interface Generation {
  readonly device: string;
  readonly inode: string;
  readonly sum: string;
  readonly summed: number;
}

export interface LogPosition {
  readonly generation: Generation | null;
  /** Byte offset of the next byte to deliver. */
  readonly offset: number;
}

export interface FollowTarget extends RunFolder {
  readonly log: string;
  /**
   * Of a log whose path a person typed: what it is after `realpath` on the host, as it was allowed. At every opening the opened descriptor must
   * be a regular file at exactly that path, else following throws HostRefused: a link that was set in its place later leads nowhere. null for
   * a path that stands in vigil.yaml or was found by a patrol.
   */
  readonly real: string | null;
  /** Which of the run's logs: each has one follower at a time. */
  readonly role: 'main' | 'target';
  readonly from: LogPosition;
}

export type LogChunk =
  /** First of all, and again when another file is behind the name; delivery goes on at `offset` of this generation. */
  | {
      readonly kind: 'opened';
      readonly generation: Generation;
      readonly size: number;
      readonly offset: number;
      /** Bytes before `offset` that a first look passes over, since the log is too long to be read whole; else 0. */
      readonly skipped: number;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The file as it is known by now: a checksum over more of its first bytes takes the place of the one before. */
  | { readonly kind: 'known'; readonly generation: Generation }
  /** Bytes may have been lost before they could be read; how many can't be known. Comes right behind `opened`. */
  | { readonly kind: 'lost'; readonly why: LossReason }
  /** Nothing is behind the name: it is waited for. Said at once and every few seconds. */
  | { readonly kind: 'missing' };

/** 'cut' = the file was cut or overwritten, and begun anew; 'replaced' = another file stands in its place, and what came before can't be found. */
export type LossReason = 'cut' | 'replaced';

/** A file that a patrol's patterns match. */
export interface PatrolFile {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  /** Host time of the last write, ms. */
  readonly modified: number;
  /** Checksum of the first `summed` bytes (at most 64); null where the caller knew the file in this size. */
  readonly head: { readonly sum: string; readonly summed: number } | null;
}

/** What a patrol knew of a file: its checksum is not taken again while device, inode and size are these. */
export type KnownFile = Pick<PatrolFile, 'path' | 'device' | 'inode' | 'size'>;

export interface PatrolView {
  /** Host time, ms. */
  readonly now: number;
  readonly facts: Pick<HostFacts, 'bootId' | 'init'>;
  readonly files: readonly PatrolFile[];
}

/** Where a path that a person typed leads: told of the opened file, whatever its name means by then. */
export type LogLook =
  | {
      readonly kind: 'log';
      /** The real path: absolute, no part of it a link. */
      readonly path: string;
      readonly generation: Generation;
      readonly size: number;
      /** Host time of the last write, ms. */
      readonly modified: number;
      /** Host time, ms. */
      readonly now: number;
      readonly facts: Pick<HostFacts, 'bootId' | 'init'>;
    }
  /** It may not be watched; `real` is the real path where it could be opened, else null. */
  | { readonly kind: 'refused'; readonly why: LogRefusal; readonly real: string | null };

/** 'kernel' = a file of /proc or /sys; 'outside' = no glob matches its real path. */
export type LogRefusal = 'missing' | 'unreadable' | 'folder' | 'pipe' | 'device' | 'kernel' | 'outside';

/** A look into a file from a byte on. */
export interface Peek {
  readonly generation: Generation;
  readonly size: number;
  /** 1-based number of the line in which byte `from` stands; null where it was not asked for. */
  readonly line: number | null;
  /** The last bytes of what stands from `from` on, at most `most`, as UTF-8. */
  readonly text: string;
}
