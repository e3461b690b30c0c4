/** What is asked of a run, or what was found of it: fixed from then on. */

import type { ServerAddress } from '../address.ts';

/** What a person asked for, or what a patrol found: fixed from then on. Holds no secret. */
export type Request = ServeRequest | TrainRequest;

interface Asked {
  /** `<instance>-<host>-<hash of Slack's trigger_id>`. */
  readonly id: string;
  /** What people call it: `<host>-<n>`. */
  readonly name: string;
  readonly host: string;
  /** The recipe's name; of a training that was found, the log's file name. */
  readonly recipe: string;
  readonly argv: readonly string[];
  /** The recipe's log path, or null for the run folder's own. */
  readonly log: string | null;
  readonly gpus: readonly string[];
  readonly stopGrace: number;
  /** Slack user id and the channel of the command; '' where nobody asked. */
  readonly by: string;
  readonly channel: string;
  /** Our clock, ms. */
  readonly at: number;
}

export interface ServeRequest extends Asked {
  readonly kind: 'serve';
  readonly address: ServerAddress;
}

export interface TrainRequest extends Asked {
  readonly kind: 'train';
  /** Where the target server listens that the script starts, or null. */
  readonly address: ServerAddress | null;
  /** The target server's own log, or null. */
  readonly targetLog: string | null;
  /** What the patrol saw, of a training that somebody started by hand; null of one that Vigil launched. */
  readonly found: Found | null;
}

export interface Found {
  /** Who runs it on the host and its command line, cut to 200 characters; null where no process could be seen. */
  readonly process: {
    readonly pid: number;
    readonly group: number;
    readonly user: string | null;
    readonly command: string;
  } | null;
  /** Size of the log when it was found: what stood there then is history. */
  readonly size: number;
}

/** Somebody started it by hand: Vigil only watches. */
export function isFound({ request }: { readonly request: Request }): boolean {
  return request.kind === 'train' && request.found !== null;
}

/** A found training whose process nobody could see: all that is known is what its log says. */
export function isUnseen({ request }: { readonly request: Request }): boolean {
  return request.kind === 'train' && request.found !== null && request.found.process === null;
}
