/** What is asked of a run, or what was found of it: fixed from then on. */

import type { ServerAddress } from '../address.ts';
import type { Pid } from '../host/process.ts';

/** What a person asked for, or what was found running: fixed from then on. Holds no secret. */
export type Request = ServeRequest | TrainRequest;

interface Asked {
  /** `<instance>-<host>-<hash of Slack's trigger_id>`. */
  readonly id: string;
  /** What people call it: `<host>-<n>`. */
  readonly name: string;
  readonly host: string;
  /** The recipe's name; of what was found, the log's file name. */
  readonly recipe: string;
  readonly argv: readonly string[];
  /** The recipe's log path, or null for the run folder's own. */
  readonly log: string | null;
  /** Devices by name, as CUDA_VISIBLE_DEVICES takes them, or how many: then they are chosen when it starts (Run.placement). */
  readonly gpus: number | readonly string[];
  readonly stopGrace: number;
  /** Slack user id and the channel of the command; '' where nobody asked. */
  readonly by: string;
  readonly channel: string;
  /** Our clock, ms. */
  readonly at: number;
  /** Of what somebody started by hand: what was seen of it when it was found; null of what Vigil launched. */
  readonly found: Found | null;
  /** Whoever asked for it wants it to wait where something is in its way. */
  readonly mayWait?: true;
  /** Who wants it started although its checks may refuse it (a Slack user id). */
  readonly forcedBy?: string;
  /** The recipe's seconds of silence by phase (vigil.yaml's `budgets`), where it gives any. */
  readonly budgets?: Readonly<Partial<Record<string, number>>>;
  /** Of a restart: the run that it takes the place of, and Slack's trigger_id of the command or click that asked for it. */
  readonly again?: { readonly run: string; readonly name: string; readonly trigger: string };
}

export interface ServeRequest extends Asked {
  readonly kind: 'serve';
  /** null where a server that was found doesn't say on its command line where it serves. */
  readonly address: ServerAddress | null;
}

export interface TrainRequest extends Asked {
  readonly kind: 'train';
  /** Where the target server listens that the script starts, or null. */
  readonly address: ServerAddress | null;
  /** The target server's own log, or null. */
  readonly targetLog: string | null;
}

export interface Found {
  /** Who runs it on the host and its command line, cut to 200 characters; null where no process could be seen. */
  readonly process: {
    readonly pid: number;
    readonly group: number;
    readonly user: string | null;
    readonly command: string;
    /** The process whose command line is a server's, where that is another one than the first: a script's child. */
    readonly server: Pid | null;
  } | null;
  /** Size of the log when it was found: what stood there then is history. */
  readonly size: number;
  /** Slack's trigger_id of the command that named the log; null where a patrol found it. */
  readonly trigger: string | null;
  /** A server that answered when it was found: it was ready before. */
  readonly answered: boolean;
  /** A server whose process says on its command line that it serves HTTPS. */
  readonly isTls?: true;
}

/** The target server's own log, of a training that names one. */
export function targetLogOf(
  of: { readonly kind: 'serve' } | { readonly kind: 'train'; readonly targetLog: string | null },
): string | null {
  return of.kind === 'train' ? of.targetLog : null;
}

/** Somebody started it by hand: Vigil only watches. */
export function isFound({ request }: { readonly request: Request }): boolean {
  return request.found !== null;
}

/** Somebody started it by hand, and somebody named its log to have it watched: no patrol found it. */
export function isNamed({ request }: { readonly request: Request }): boolean {
  return request.found !== null && request.found.trigger !== null;
}

/** Somebody started it by hand, and nobody could see its process: all that is known is what its log says. */
export function isUnseen({ request }: { readonly request: Request }): boolean {
  return request.found !== null && request.found.process === null;
}
