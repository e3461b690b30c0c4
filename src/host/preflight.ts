/**
 * What a preflight asks of a host, in one round trip, and what the host tells: bytes, sizes and counts, no verdicts (src/check judges them).
 * Nothing is imported or started there, and nothing is written. Sizes are bytes, paths absolute unless a name says otherwise.
 */

import type { ServerAddress } from '../address.ts';
import type { GpuUse } from './gpu.ts';
import type { LaunchSpec, Outlook } from './launch.ts';
import type { Listener } from './process.ts';

export interface PreflightQuestion {
  readonly launch: LaunchSpec;
  /** Of a training: its target server's. */
  readonly address: ServerAddress | null;
  /** Files whose bytes are wanted: from `/` or `~/` on, others from the launch's working directory on. */
  readonly files: readonly string[];
  /** Model folders, likewise: what weights, index and configuration files hold. */
  readonly models: readonly string[];
  /** Models by their hub ids, looked up in the cache that the process would use. */
  readonly hub: readonly HubId[];
  /** Save paths of a training, likewise: what checkpoints stand there. */
  readonly saves: readonly string[];
  /** Paths whose file system's room is asked for; the nearest folder that exists counts. */
  readonly room: readonly string[];
  /** The Python that runs it, or null: the one that argv[0]'s first line names. */
  readonly python: string | null;
  /** Folders of virtual environments that the prelude activates (`/opt/venv` of `source /opt/venv/bin/activate`), in its order. */
  readonly environments: readonly string[];
}

export interface HubId {
  /** `org/name`. */
  readonly id: string;
  /** Branch, tag or commit; `main` by default. */
  readonly revision: string;
}

/** Each question has its own time limit: one that the host doesn't answer leaves the others alone. `why`: a sentence for people. */
export type Told<Value> =
  | { readonly kind: 'told'; readonly value: Value }
  | { readonly kind: 'silent'; readonly why: string };

export interface PreflightFacts {
  /** Host time, ms. */
  readonly now: number;
  readonly outlook: Told<Outlook>;
  /** value null: no address was asked about. */
  readonly listener: Told<Listener | null>;
  /** value null: nvidia-smi is not there. */
  readonly gpus: Told<readonly GpuUse[] | null>;
  readonly driver: Told<Driver | null>;
  readonly packages: Told<Packages>;
  /** By the path as it was asked for; so are `models`, `saves` and `room`, and `hub` by its id. */
  readonly files: Told<ReadonlyMap<string, FileLook>>;
  readonly models: Told<ReadonlyMap<string, ModelLook>>;
  readonly hub: Told<ReadonlyMap<string, HubLook>>;
  readonly saves: Told<ReadonlyMap<string, SaveLook>>;
  readonly room: Told<ReadonlyMap<string, Room>>;
  readonly leftovers: Told<readonly LeftBehind[]>;
}

export interface Driver {
  /** `580.159.04`. */
  readonly version: string;
  /** The newest CUDA that it can run (`13.0`), or null where nvidia-smi doesn't say. */
  readonly cuda: string | null;
  /** Compute capability (`8.6`) by the GPU's UUID. */
  readonly capabilities: ReadonlyMap<string, string>;
}

/** A Python's packages, by the names of its dist-info folders: no Python is started. */
export interface Packages {
  /** null where no Python could be found; `why` says where it was looked for. */
  readonly python: string | null;
  readonly why: string | null;
  /** Its site-packages folders. */
  readonly folders: readonly string[];
  /** `name` normalised as PEP 503 has it (lower case, `-`); at most 2,000 a folder, in the order of import: the first of a name counts. */
  readonly distributions: readonly { readonly name: string; readonly version: string; readonly folder: string }[];
  /** Names that stand in the folder of the module `flash_attn` (`__init__.py`, `ops`, `cute`, …); null where there is no such folder. */
  readonly flashAttn: readonly string[] | null;
}

export type FileLook =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly size: number;
      /** null where it is longer than is read (1 MiB). */
      readonly text: string | null;
    }
  | { readonly kind: 'missing' | 'unreadable' | 'folder' };

export type ModelLook =
  | {
      readonly kind: 'model';
      /** Where the path leads. */
      readonly path: string;
      readonly weights: readonly Weight[];
      /** Distinct file names of `model.safetensors.index.json`'s weight_map; null where there is no index, 'broken' where it is no JSON. */
      readonly index: readonly string[] | null | 'broken';
      /** config.json, or null where there is none. */
      readonly config: string | null;
      /** What is left of a download that broke off, or of one that goes on. */
      readonly partial: readonly PartialFile[];
      /** Names of all its files, at most 500. */
      readonly names: readonly string[];
    }
  | { readonly kind: 'missing' | 'unreadable' | 'file' };

/** A file of weights, judged by its header alone. */
export interface Weight {
  readonly name: string;
  /** Of what a link leads to; null for a link that leads nowhere. */
  readonly size: number | null;
  /** Its first bytes, at most 64, as latin1: a Git LFS pointer and an HTML page show themselves there. */
  readonly first: string;
  /** Of *.safetensors: the header's own length, from the first eight bytes; null where the file is shorter or it can't be one (above 512 MiB). */
  readonly headerLength: number | null;
  /** The header's JSON, or its last 256 KiB where it is longer; '' where there is none. */
  readonly header: string;
}

export interface PartialFile {
  readonly name: string;
  readonly size: number;
  /** Seconds since its last write. */
  readonly age: number;
}

export interface HubLook {
  /** The cache folder that counts, whether or not it exists. */
  readonly cache: string;
  /** The snapshot of that revision, or null where it isn't cached. */
  readonly snapshot: ModelLook | null;
  readonly partial: readonly PartialFile[];
  /** Where a token for the hub was found; its value stays on the host. */
  readonly token: 'environment' | 'file' | null;
}

export type SaveLook =
  | {
      readonly kind: 'folder';
      /** Each folder whose name is a number, or `interrupted`, or `epoch_<n>_step_<n>`: what trainers save. */
      readonly checkpoints: readonly Checkpoint[];
      /** Its path may be written. */
      readonly isWritable: boolean;
    }
  | { readonly kind: 'missing' | 'file' };

export interface Checkpoint {
  readonly name: string;
  readonly names: readonly string[];
  readonly bytes: number;
  /** Seconds since its last write. */
  readonly age: number;
}

export interface Room {
  /** Where the nearest folder that exists is. */
  readonly path: string;
  readonly mount: string;
  readonly free: number;
  readonly total: number;
  /** This user may write there. */
  readonly isWritable: boolean;
}

/** A process of vLLM or of a trainer whose parent has ended: nobody will ask it for anything any more. */
export interface LeftBehind {
  readonly pid: number;
  /** Its title or command line, cut to 200 characters; it may hold secrets. */
  readonly command: string;
  readonly user: string | null;
  /** Host time of its start, ms. */
  readonly since: number | null;
  /** The run that it belongs to, of whatever Vigil, or null. */
  readonly run: string | null;
}
