/** What vigil.yaml and the environment say, checked: plain data, no defaults left to fill in. */

import type { ServerAddress } from '../address.ts';
import type { Category } from '../categories.ts';
import type { LinearPattern } from '../linear-pattern.ts';
import type { Floor } from '../verify/verification.ts';

export const VERBS = ['see', 'launch', 'force', 'stop', 'watch'] as const;
export type Verb = (typeof VERBS)[number];

export interface Config {
  /** Names this Vigil: stands in run ids, state folders and Redis keys. */
  readonly instance: string;
  readonly hosts: Readonly<Record<string, HostConfig>>;
  readonly recipes: Readonly<Record<string, Recipe>>;
  /** The team's own explanations of failures, tried in this order before Vigil's. */
  readonly diagnoses: readonly TeamRow[];
}

/** A team's own explanation of a failure: it gives title and remedy, and leaves the verdict and which trouble is the cause to us. */
export interface TeamRow {
  /** Looked for in `Type: message` of an exception, or in the line that says it. */
  readonly pattern: LinearPattern;
  readonly title: string;
  readonly advice: string;
  /** null: as the catalog says. */
  readonly category: Category | null;
  /** null: in servers and trainings alike. */
  readonly kind: 'serve' | 'train' | null;
}

/** What unlocks encrypted private keys. */
export interface Passphrase {
  /** The variable of Vigil's own environment. */
  readonly name: string;
  /** Empty where the variable isn't set. */
  readonly value: string;
}

export interface HostConfig {
  readonly name: string;
  /** Where to connect: spelled out, or an alias that ~/.ssh/config explains. */
  readonly connect:
    | {
        readonly kind: 'address';
        readonly address: string;
        readonly user: string;
        readonly port: number;
        readonly key: string;
        /** vigil.yaml names the key: no other one is tried, not even an agent's. */
        readonly isOnlyKey: boolean;
        readonly knownHosts: readonly string[];
        /** The host (its name) through which this one is reached, or null. */
        readonly jump: string | null;
        readonly passphrase: Passphrase | null;
      }
    | { readonly kind: 'alias'; readonly alias: string; readonly passphrase: Passphrase | null };
  /** Folder on the host for run folders; `~/` is the SSH user's home. */
  readonly stateDir: string;
  /** Days after which the folder of a run that has ended is removed from there. */
  readonly keepRuns: number;
  /** Channel id where threads go when the bot isn't in the command's channel. */
  readonly channel: string;
  /** Slack user ids, or 'anyone' (every full member of the own workspace). */
  readonly rights: Readonly<Record<Verb, 'anyone' | readonly string[]>>;
  /** Where to look for training that people start by hand, or null. */
  readonly patrol: Patrol | null;
  /** Globs of the logs on the host that people may have watched; `~/` is the SSH user's home there. Empty: none. */
  readonly watchLogs: readonly string[];
}

export interface Patrol {
  /** Globs of logs on the host; `~/` is the SSH user's home there. */
  readonly logs: readonly string[];
  /** Seconds between two looks. */
  readonly every: number;
  /** Channel id where threads of what is found go. */
  readonly channel: string;
}

export type Recipe = ServeRecipe | TrainRecipe;

interface Command {
  readonly name: string;
  readonly argv: readonly string[];
  /** Names to values; secret references are already replaced by their values. */
  readonly environment: Readonly<Record<string, string>>;
  /** The values of `environment` that came from secret references (or whose name says secret): masked everywhere. */
  readonly secrets: readonly string[];
  readonly prelude: string | null;
  readonly directory: string | null;
  readonly log: string | null;
  /** What the recipe occupies: device names as CUDA_VISIBLE_DEVICES lists them ('0', '1', a UUID), or how many, chosen at the start. */
  readonly gpus: number | readonly string[];
  /** Seconds that a stop waits for the process's own end before it escalates; a server's is at least --shutdown-timeout + 15. */
  readonly stopGrace: number;
  /** What files on the host must hold before a start. */
  readonly expect: readonly Expectation[];
  /** Versions of Python packages that it needs, by name (PEP 503: lower case, `-`): `>=0.22,<0.26` (PEP 440), or `none` for one that must not be there. */
  readonly versions: Readonly<Record<string, string>>;
  /** The Python that runs it, absolute or below ~/; null: the one that argv[0]'s first line names. */
  readonly python: string | null;
  /** Seconds that its log may be silent in a phase before that asks for evidence, until its own starts on the host have shown more. */
  readonly budgets: Readonly<Partial<Record<string, number>>>;
}

/** One value that a file on the host must hold. */
export interface Expectation {
  /** Absolute, or below ~/. */
  readonly file: string;
  /** Keys and list indexes, from the top of the JSON down. */
  readonly path: readonly (string | number)[];
  /** The value as JSON text, compact. */
  readonly value: string;
}

export interface ServeRecipe extends Command {
  readonly kind: 'serve';
  readonly address: ServerAddress;
  /** What its verification demands. */
  readonly floor: Floor;
}

export interface TrainRecipe extends Command {
  readonly kind: 'train';
  /** Where the target server listens that the script starts, or null where the recipe names none. */
  readonly address: ServerAddress | null;
  /** The target server's own log, or null where it has none. */
  readonly targetLog: string | null;
  /** A save path with checkpoints in it is wanted: the training goes on from there. */
  readonly resume: boolean;
}
