/** Which GPUs a recipe occupies, and whether they are enough for what a server's argv asks. */

import type { Recipe } from './config.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { isSpread, readSizes } from './sizes.ts';

interface Reading {
  readonly kind: Recipe['kind'];
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly prelude: string | undefined;
  /** The recipe's path. */
  readonly path: Path;
  readonly mistakes: Mistakes;
}

/** A number is how many, chosen at the start; where `environment` sets CUDA_VISIBLE_DEVICES it means the first ones of that. */
export function readGpus(gpus: number | readonly string[], reading: Reading): Recipe['gpus'] {
  const visible = readVisible(reading);
  const devices = typeof gpus === 'number' ? readCount(gpus, visible, reading) : checkList(gpus, visible, reading);
  // The flags of a training's script say nothing of what the processes in it take.
  if (reading.kind === 'serve') checkSizes(typeof devices === 'number' ? devices : devices.length, reading);
  return devices;
}

/** Whether the recipe says by itself which devices its process sees: then Vigil doesn't set CUDA_VISIBLE_DEVICES. */
export function choosesDevices(recipe: Chooser): boolean {
  return whatChooses(recipe) !== null;
}

function readVisible({ environment, path, mistakes }: Reading): readonly string[] | null {
  const value = environment.CUDA_VISIBLE_DEVICES;
  if (value === undefined) return null;
  const names = value.split(',').map((name) => name.trim());
  if (names.some((name) => !/^(?:\d+|(?:GPU|MIG)-\S+)$/.test(name)) || new Set(names).size < names.length) {
    const expected =
      'expected device numbers or UUIDs, each once, with commas between; write CUDA_VISIBLE_DEVICES: "0,1"';
    mistakes.add([...path, 'environment', 'CUDA_VISIBLE_DEVICES'], `found ${showText(value)}, ${expected}`);
    return null;
  }
  return names;
}

function readCount(count: number, visible: readonly string[] | null, reading: Reading): number | readonly string[] {
  const { path, mistakes } = reading;
  if (visible === null) {
    const isMistaken = Object.hasOwn(reading.environment, 'CUDA_VISIBLE_DEVICES');
    const chooser = isMistaken ? null : (whatChooses(reading) ?? containerIn(reading.argv));
    if (chooser !== null) {
      const expected = `expected a list of devices: ${chooser} decides which ones it gets, not Vigil`;
      mistakes.add([...path, 'gpus'], `found ${count}, ${expected}; list those, gpus: [0, 1] for example`);
    }
    return count;
  }
  if (visible.length < count) {
    const expected = `expected at most the ${visible.length} of environment's CUDA_VISIBLE_DEVICES (${visible.join(',')})`;
    mistakes.add([...path, 'gpus'], `found ${count}, ${expected}; list ${count} devices there, or lower gpus`);
    return Array.from({ length: count }, (_, index) => visible[index] ?? `?${index}`);
  }
  return visible.slice(0, count);
}

function checkList(names: readonly string[], visible: readonly string[] | null, reading: Reading): readonly string[] {
  const { path, mistakes } = reading;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    mistakes.add([...path, 'gpus'], `found ${twice} twice, expected each device once; remove one of the two`);
  }
  const listed = names.join(',');
  const unseen = visible === null ? undefined : names.find((name) => !visible.includes(name));
  if (unseen !== undefined) {
    const expected = `expected devices of environment's CUDA_VISIBLE_DEVICES (${visible?.join(',')})`;
    mistakes.add([...path, 'gpus'], `found ${unseen}, ${expected}; set it to "${listed}", or change gpus`);
  }
  const container = containerIn(reading.argv);
  if (visible === null && container !== null && !isFirstOnes(names) && whatChooses(reading) === null) {
    const expected = `expected device=${listed} in argv: without it ${container} takes 0 to ${names.length - 1}`;
    mistakes.add([...path, 'gpus'], `found ${listed}, ${expected}; write --gpus, then '"device=${listed}"'`);
  }
  return names;
}

/** gpus × sizes as vllm counts them for one node (config/parallel.py); more nodes or Ray are beyond this check. */
function checkSizes(given: number, { argv, path, mistakes }: Reading): void {
  if (isSpread(argv)) return;
  const sizes = readSizes(argv);
  const needed = sizes.reduce((product, { size }) => product * size, 1);
  if (needed <= given) return;
  const terms = sizes.map(({ flag, size }) => `${flag} ${size}`).join(' × ');
  const expected = `expected at least ${needed} for ${terms}; raise gpus to ${needed}, or lower a size in argv`;
  mistakes.add([...path, 'gpus'], `found ${given} GPU${given === 1 ? '' : 's'}, ${expected}`);
}

function isFirstOnes(names: readonly string[]): boolean {
  return names.every((name) => /^\d+$/.test(name) && Number(name) < names.length);
}

type Chooser = Pick<Recipe, 'argv' | 'environment'> & { readonly prelude?: string | null | undefined };

/** What in the recipe says which devices: its environment, `env CUDA_VISIBLE_DEVICES=…`, --device-ids, docker's device=2,3, its prelude. */
function whatChooses({ argv, environment, prelude }: Chooser): string | null {
  const variable = Object.keys(environment).find((name) => name.endsWith('VISIBLE_DEVICES'));
  if (variable !== undefined) return variable;
  const flag = containerIn(argv) === null ? CHOICE : CONTAINER_CHOICE;
  const word = argv.find((text) => flag.test(text));
  if (word !== undefined) return showText(word);
  return /VISIBLE_DEVICES=/.test(prelude ?? '') ? 'the prelude' : null;
}

const CHOICE = /VISIBLE_DEVICES=|^--device-ids(?:=|$)/;
const CONTAINER_CHOICE = /VISIBLE_DEVICES=|^--device(?:-ids)?(?:=|$)|device=/;

/** A container sees what its own options give it, whatever the environment of `docker run` says. */
function containerIn(argv: readonly string[]): string | null {
  const program = argv.find((word) => /(?:^|\/)(?:docker|podman|nerdctl)$/.test(word));
  return program === undefined ? null : 'the container';
}
