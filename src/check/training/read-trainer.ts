/** The trainer of a training, as its script starts it: speculators' train.py, by torchrun or alone. */

import { baseName } from '../../config/base-name.ts';
import { flagName, lastFlag } from '../../config/flags.ts';
import type { Trainer } from '../subject.ts';
import { mayHold } from '../unread.ts';
import { visibleDevices } from '../visible-devices.ts';
import { resolvePath } from './bash/substitute.ts';
import type { Value } from './bash/value.ts';
import { isSpeculators } from './pair.ts';
import type { Settled } from './settle.ts';
import { numbersBehind } from './words-behind.ts';

/** null for what is no trainer. `folder`: where the command runs. */
export function readTrainer({ argv, environment, unread }: Settled, folder: Value): Trainer | null {
  const start = findStart(argv);
  if (start === null) return null;
  const words = argv.slice(start.at);
  const devices = readDevices(argv.slice(0, start.at), environment);
  const own = unread.map(({ name }) => name);
  const isRead = (flag: string): boolean => !mayHold(own, flag) && lastFlag(words, '--config') === null;
  const pathOf = (flag: string, byDefault: string | null): string | null => {
    const given = lastFlag(words, flag)?.value ?? (isRead(flag) ? byDefault : null);
    if (given === null || /^[/~]/.test(given)) return given;
    return folder.unknown === null ? resolvePath(folder.text, given) : null;
  };
  // Upstream's defaults, which another trainer doesn't have.
  const isOwn = isSpeculators({ argv, unread: own });
  const data = pathOf('--data-path', isOwn ? './output' : null);
  const newPath = unread.find(({ name, why }) => flagName(name) === '--save-path' && NEW.test(why));
  return {
    argv,
    devices,
    ranks: readRanks(argv.slice(0, start.at), { launcher: start.launcher, devices, names: own }),
    verifier: lastFlag(words, '--verifier-name-or-path')?.value ?? null,
    savePath: pathOf('--save-path', isOwn ? './output/checkpoints' : null) ?? pathOf('--output-dir', null),
    hiddenStatesPath: pathOf('--hidden-states-path', data === null || !isOwn ? null : `${data}/hidden_states`),
    targetLayerIds: numbersBehind(words, '--target-layer-ids'),
    ...(newPath === undefined ? {} : { newSavePath: newPath.source }),
    ...(own.length === 0 ? {} : { unread: own }),
  };
}

/** What gives another text at each start: the time, a process id, a random number, a folder made for it. */
const NEW = /^(?:\$\(\s?date\b|`date\b|\$\$|\$\{?RANDOM\b|\$\{?EPOCHSECONDS\b|\$\(\s?mktemp\b|\$\(\s?uuidgen\b)/;

type Launcher = 'torchrun' | 'accelerate' | 'deepspeed' | null;

interface Start {
  /** Index behind the training's script, or module. */
  readonly at: number;
  readonly launcher: Launcher;
}

function findStart(argv: readonly string[]): Start | null {
  const launcher = launcherOf(argv);
  const at = argv.findIndex((word, index) => isTrainingScript(word) || isTrainingModule(argv, index));
  if (at !== -1) return launcher === 'none' ? null : { at: at + 1, launcher };
  const isGiven = lastFlag(argv, '--verifier-name-or-path') !== null;
  if (!isGiven || launcher === 'none') return null;
  const script = argv.findIndex((word, index) => index > 0 && /\.py$/.test(word));
  return { at: script + 1, launcher };
}

function isTrainingScript(word: string): boolean {
  return /^train[\w-]{0,60}\.py$/.test(baseName(word));
}

function isTrainingModule(argv: readonly string[], index: number): boolean {
  const word = argv[index] ?? '';
  if (word === 'train') return baseName(argv[index - 1] ?? '') === 'speculators';
  return argv[index - 1] === '-m' && /(?:^|\.)train(?:\.|$)/.test(word);
}

/** 'none': a program that runs no training (`cat train.py`). */
function launcherOf(argv: readonly string[]): Launcher | 'none' {
  const program = baseName(argv[0] ?? '');
  if (program === 'torchrun') return 'torchrun';
  if (program === 'accelerate' && argv[1] === 'launch') return 'accelerate';
  if (program === 'deepspeed') return 'deepspeed';
  if (program === 'speculators') return null;
  if (!/^python[\d.]{0,6}$/.test(program)) return 'none';
  const module = argv[argv.indexOf('-m') + 1] ?? '';
  if (argv.includes('-m') && /^torch\.distributed\.(?:run|launch)$/.test(module)) return 'torchrun';
  if (argv.includes('-m') && /^accelerate\.commands\.launch$/.test(module)) return 'accelerate';
  return null;
}

/** deepspeed's `--include localhost:2,3`; with other machines in it only they would know. */
const HERE = /^(?:localhost|127\.0\.0\.1):(?<gpus>\d{1,3}(?:,\d{1,3}){0,63})$/;

function readDevices(
  launch: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly string[] | null {
  const included = lastFlag(launch, '--include', '-i')?.value;
  const ids = lastFlag(launch, '--gpu-ids')?.value;
  const own = (included == null ? undefined : HERE.exec(included)?.groups?.gpus) ?? (ids === 'all' ? undefined : ids);
  const text = own ?? environment.CUDA_VISIBLE_DEVICES;
  return text === undefined || text === 'all' ? null : visibleDevices(text);
}

interface Launch {
  readonly launcher: Launcher;
  readonly devices: readonly string[] | null;
  /** Of what could not be read. */
  readonly names: readonly string[];
}

const COUNTS: Readonly<Record<'torchrun' | 'accelerate' | 'deepspeed', string>> = {
  torchrun: '--nproc-per-node',
  accelerate: '--num-processes',
  deepspeed: '--num-gpus',
};

/** torchrun starts one without being told; accelerate and deepspeed ask their own files, or take all GPUs. */
function readRanks(launch: readonly string[], { launcher, devices, names }: Launch): number | null {
  if (launcher === null) return 1;
  const flag = COUNTS[launcher];
  const value = lastFlag(launch, flag)?.value;
  if (value === undefined && mayHold(names, flag)) return null;
  if (value === undefined && launcher === 'deepspeed' && lastFlag(launch, '--include', '-i') !== null)
    return devices?.length ?? null;
  if (value === undefined) return launcher === 'torchrun' ? 1 : null;
  if (value === 'gpu' || value === 'auto') return devices?.length ?? null;
  if (value === null || !/^\d{1,4}$/.test(value)) return null;
  // accelerate counts those of all machines.
  const machines = launcher === 'accelerate' ? Number(lastFlag(launch, '--num-machines')?.value ?? 1) : 1;
  return Number.isInteger(Number(value) / machines) ? Number(value) / machines : null;
}
