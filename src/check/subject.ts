/** What is to be launched, as the checks see it: from recipe and placement alone, before the host is asked. */

import type { ServerAddress } from '../address.ts';
import type { Recipe } from '../config/config.ts';

export interface Subject {
  readonly host: string;
  readonly recipe: Recipe;
  readonly address: ServerAddress | null;
  /** The GPUs that it gets, as CUDA_VISIBLE_DEVICES takes them; null where they are not chosen. */
  readonly devices: readonly string[] | null;
  /** The vllm servers that it starts: the recipe's own command, or of a training what its script starts as target. */
  readonly servers: readonly Server[];
  /** Of a training: its trainer as far as its command could be read; else null. */
  readonly trainer: Trainer | null;
  /** Why a part of the command could not be read (a variable that only the shell knows), a sentence each. */
  readonly unread: readonly string[];
}

/** A `vllm serve` command, its flags as they count (the last one wins). */
export interface Server {
  readonly argv: readonly string[];
  /** Variables that the command has of its own: the recipe's, or a script's, and those that `env A=b` sets. They may hold secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** CUDA_VISIBLE_DEVICES of this command, or null where it takes the run's. */
  readonly devices: readonly string[] | null;
  readonly model: ModelRef | null;
  /** --speculative-config as an object, dotted and flat flags put in; null without; 'broken' where it is no JSON. */
  readonly speculative: Readonly<Record<string, unknown>> | null | 'broken';
  readonly drafter: ModelRef | null;
  /** GPUs that it takes on this node: tensor × pipeline × prefill-context × local data parallel, those above 1. */
  readonly sizes: readonly { readonly flag: string; readonly size: number }[];
  /** Of a training's target: what it gives out. */
  readonly extraction?: Extraction;
  /** Of a script's command: flags and variables whose values only the shell knows (`--port`); argv and environment are without them. */
  readonly unread?: readonly string[];
}

/** Hidden states that a target gives to its trainer. */
export interface Extraction {
  /** As the command names them, counted as speculators does; null: launch_vllm.py's own (2, half, last but three). */
  readonly layerIds: readonly number[] | null;
  /** launch_vllm.py adds the last layer to them. */
  readonly addsLast: boolean;
  /** Where it writes them, or null where that can't be read. */
  readonly folder: string | null;
}

export type ModelRef =
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** As the command names it, where a script has gone to another folder before. */
      readonly name?: string;
    }
  | {
      readonly kind: 'hub';
      readonly id: string;
      readonly revision: string;
      /** Where a folder of that name would win, for the same reason. */
      readonly local?: string;
    };

export interface Trainer {
  readonly argv: readonly string[];
  readonly devices: readonly string[] | null;
  /** --nproc_per_node × nodes on this host; null where it can't be read. */
  readonly ranks: number | null;
  /** --verifier-name-or-path. */
  readonly verifier: string | null;
  readonly savePath: string | null;
  readonly hiddenStatesPath: string | null;
  readonly targetLayerIds: readonly number[] | null;
  /** The save path as a script writes it where it holds the time of the start (`out/$(date +%s)`): nothing can stand there yet; savePath is null then. */
  readonly newSavePath?: string;
  /** The target is stopped before it begins: it reads hidden states from files. */
  readonly isOffline?: boolean;
  /** Of the data, as the script prepares it (--max-samples). */
  readonly samples?: number;
  /** As of a server. */
  readonly unread?: readonly string[];
}
