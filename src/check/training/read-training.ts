/** What the command of a training starts: its target servers and its trainer, read from its script without running it. */

import { flagName, lastFlag } from '../../config/flags.ts';
import { list } from '../../list.ts';
import type { Server, Trainer } from '../subject.ts';
import { code } from '../words.ts';
import { Runner, type ShellCommand } from './bash/runner.ts';
import { Scope } from './bash/scope.ts';
import { known, type Value } from './bash/value.ts';
import { readTarget } from './read-target.ts';
import { readTrainer } from './read-trainer.ts';
import { scriptsOf } from './script-paths.ts';
import { type Settled, settle } from './settle.ts';

export interface TrainingCommand {
  readonly argv: readonly string[];
  /** The recipe's. */
  readonly environment: Readonly<Record<string, string>>;
  /** The recipe's working directory; null: the home of the SSH user. */
  readonly directory: string | null;
  /** Texts of the scripts that `scriptsOf` names, by those names. */
  readonly scripts: ReadonlyMap<string, string>;
  /** The recipe's shell text that runs before it. */
  readonly prelude?: string | null;
}

export interface TrainingParts {
  /** In the order in which they are started. */
  readonly servers: readonly Server[];
  readonly trainer: Trainer | null;
  /** A sentence each. */
  readonly unread: readonly string[];
}

/** Never fails: what it can't read is told in `unread`, and left out elsewhere. */
export function readTraining({ argv, environment, directory, scripts, prelude }: TrainingCommand): TrainingParts {
  const found = new Found(directory ?? '.');
  const runner = new Runner({ scripts, visit: (command) => found.visit(command) });
  const scope = new Scope(known(argv[0] ?? ''), { environment });
  scope.folder = known(directory ?? '.');
  if (prelude != null) runner.runText(prelude, scope, 1);
  runner.runWords(argv.map(known), { scope, prefix: [], depth: 0 });
  runner.runUncalled(scope);
  const missing = scriptsOf(argv).filter((path) => !scripts.has(path));
  const isLost = found.trainer === null && missing.length === 0;
  return {
    servers: found.servers,
    trainer: found.trainer,
    unread: [
      ...missing.map((path) => `${code(path)} ${UNREADABLE}`),
      ...(isLost ? [NO_TRAINER] : []),
      ...(runner.isCutOff ? [CUT_OFF] : []),
      ...found.unread,
    ],
  };
}

const UNREADABLE = 'could not be read, so nothing is known of what it starts: look at the path in argv.';
const NO_TRAINER =
  'No trainer (`torchrun … train.py`) was found in the command: its GPUs, layers and save path are not checked.';
const CUT_OFF = 'The script has too many commands to look at all of them: no check knows what its end starts.';

/** What checks look at of a trainer. */
const LOOKED_AT: readonly string[] = [
  'CUDA_VISIBLE_DEVICES',
  '--nproc-per-node',
  '--num-processes',
  '--num-gpus',
  '--verifier-name-or-path',
  '--save-path',
  '--data-path',
  '--hidden-states-path',
  '--target-layer-ids',
  '--vllm-endpoint',
];

/** Some word of it may be a path below the folder that nobody knows. */
function needsFolder({ argv }: Settled): boolean {
  return argv.some((word) => /^\.{1,2}\//.test(word));
}

const NO_FOLDER = 'Only the shell knows in which folder the target server starts: models below it are not looked into.';
/** Each is a question to the host and a row's finding. */
const MOST_SERVERS = 16;

class Found {
  readonly #directory: string;
  readonly #servers: { server: Server; isLoose: boolean }[] = [];
  readonly #unread: string[] = [];
  #trainer: Trainer | null = null;
  #trainers = 0;
  #isTargetStopped = false;
  #samples: number | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  visit({ words, environment, folder, isOpen, isLoose }: ShellCommand): void {
    const settled = settle({ words, environment });
    const server = readTarget(settled, { folder: this.#placeOf(folder), isOpen });
    if (server !== null) {
      this.#servers.push({ server, isLoose });
      if (folder.unknown !== null && needsFolder(settled)) this.#unread.push(NO_FOLDER);
      this.#tell('the target server', settled.unread);
      return;
    }
    const trainer = readTrainer(settled, folder);
    if (trainer !== null) this.#addTrainer(trainer, settled, isLoose);
    else if (/^(?:kill|pkill|killall)$/.test(words[0]?.text ?? '') && !isLoose && this.#servers.length > 0)
      this.#isTargetStopped = true;
    else this.#samples = samplesOf(settled.argv) ?? this.#samples;
  }

  /** Paths of the launch's own folder stay as they are written: the host knows what that is. */
  #placeOf({ text, unknown }: Value): string | null {
    if (unknown !== null) return null;
    return text === this.#directory ? '' : text;
  }

  get servers(): readonly Server[] {
    return this.#servers
      .filter(({ isLoose }) => !isLoose || this.#servers.every((other) => other.isLoose))
      .slice(0, MOST_SERVERS)
      .map(({ server }) => server);
  }

  get trainer(): Trainer | null {
    return this.#trainer;
  }

  get unread(): readonly string[] {
    const others = `It starts ${this.#trainers} trainers one after the other, and only the first one was looked at: check the others yourself.`;
    const more = `It starts ${this.#servers.length} servers, and only the first ${MOST_SERVERS} were looked at: check the others yourself.`;
    return [
      ...new Set(this.#unread),
      ...(this.#trainers > 1 ? [others] : []),
      ...(this.#servers.length > MOST_SERVERS ? [more] : []),
    ];
  }

  #addTrainer(trainer: Trainer, { unread }: Settled, isLoose: boolean): void {
    if (isLoose && this.#trainer !== null) return;
    this.#trainers += 1;
    if (this.#trainers > 1) return;
    this.#trainer = {
      ...trainer,
      ...(this.#isTargetStopped ? { isOffline: true } : {}),
      ...(this.#samples === null ? {} : { samples: this.#samples }),
    };
    const told = unread.filter(({ name }) => {
      const flag = flagName(name);
      return LOOKED_AT.includes(flag) && (flag !== '--save-path' || trainer.newSavePath === undefined);
    });
    this.#tell('the trainer', told);
  }

  /** One sentence a command, whatever it leaves open. */
  #tell(what: string, unread: Settled['unread']): void {
    if (unread.length === 0) return;
    const names = unread.map(({ name, source }) => (name === source ? code(name) : `${code(name)} (${code(source)})`));
    this.#unread.push(`Only the shell knows ${list(names)} of ${what}: look at that part yourself, no check can.`);
  }
}

/** Of the command that prepares the data, or asks the target for all hidden states at once. */
function samplesOf(argv: readonly string[]): number | null {
  if (!argv.some((word) => /(?:^|\/)(?:prepare[_-]data|data_generation_offline)(?:\.py)?$/.test(word))) return null;
  const value = lastFlag(argv, '--max-samples')?.value ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}
