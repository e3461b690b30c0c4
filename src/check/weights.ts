/** Whether a model's folder is whole, told by names, sizes and headers alone: no weight is read. */

import type { ModelLook, Weight } from '../host/preflight.ts';
import { DAMAGE, type Damage, damageOf } from './damage.ts';
import { code, count, list, size, some } from './words.ts';

type Folder = ModelLook & { readonly kind: 'model' };

/** A longer list of names is cut there (preflight.ts). */
const MOST_NAMES = 500;

/** What is wrong with a folder: certain to fail, or only doubtful. */
export interface Hole {
  readonly isCertain: boolean;
  readonly found: string;
  readonly needed: string | null;
  /** What to do about it, without the download itself. */
  readonly advice: string;
}

/** In the order in which they matter; empty where the folder is whole. A drafter takes its target's tokenizer. */
export function holesIn(look: Folder, { isDrafter }: { readonly isDrafter: boolean }): readonly Hole[] {
  const files = weightsOf(look);
  return [
    ...indexHoles(look),
    ...(files.length === 0 && !hasOtherWeights(look) ? [noWeights(look)] : []),
    ...groupedHoles(files),
    ...configHoles(look),
    ...(isDrafter ? [] : tokenizerHoles(look)),
    ...partialHoles(look),
  ];
}

/** The files that vLLM loads: those of the index, else all of the first kind that is there (model_loader/default_loader.py). */
function weightsOf({ weights, index }: Folder): readonly Weight[] {
  if (Array.isArray(index)) return weights.filter(({ name }) => index.includes(name));
  const kind = KINDS.find((pattern) => weights.some(({ name }) => pattern.test(name)));
  return kind === undefined ? [] : weights.filter(({ name }) => kind.test(name));
}

const KINDS = [/^consolidated.{0,80}\.safetensors$/, /\.safetensors$/, /\.bin$/, /\.pt$/];

/** Bytes of all of them; null where one can't be told. */
export function weightBytes(look: Folder): number | null {
  const files = weightsOf(look);
  const sizes = files.map((file) => (damageOf(file) === null ? file.size : null)).filter((bytes) => bytes !== null);
  const isWhole = !Array.isArray(look.index) || look.index.length === files.length;
  return sizes.length > 0 && sizes.length === files.length && isWhole
    ? sizes.reduce((sum, bytes) => sum + bytes, 0)
    : null;
}

/** `15 files, 52.0 GiB`. */
export function wholeWords(look: Folder): string {
  const files = weightsOf(look);
  const bytes = files.reduce((sum, file) => sum + (file.size ?? 0), 0);
  return `${count(files.length, 'file')} of weights, ${size(bytes)}`;
}

function indexHoles({ index, weights, names }: Folder): readonly Hole[] {
  if (index === 'broken')
    return [
      {
        isCertain: true,
        found: '`model.safetensors.index.json` is no JSON',
        needed: null,
        advice: 'Download that file again.',
      },
    ];
  if (index === null) return [];
  const there = new Set(weights.map(({ name }) => name));
  const missing = index.filter((name) => !there.has(name) && !name.includes('/'));
  if (missing.length === 0) return [];
  return [
    {
      isCertain: names.length < MOST_NAMES,
      found: `${index.length - missing.length} of ${count(index.length, 'file')} of weights: ${some(missing.map(code))} ${missing.length === 1 ? 'is' : 'are'} missing`,
      needed: `${index.length}, as \`model.safetensors.index.json\` lists them`,
      advice: 'Download what is missing.',
    },
  ];
}

/** Formats that are not judged here. */
function hasOtherWeights({ names }: Folder): boolean {
  return names.some((name) => /\.(?:gguf|tensors|ckpt|pth|npz)$/i.test(name));
}

function noWeights({ names }: Folder): Hole {
  return {
    isCertain: names.length < MOST_NAMES,
    found: `no weights among its ${count(names.length, 'file')}`,
    needed: '`*.safetensors` or `*.bin`',
    advice: 'Download the model into it, or correct the path.',
  };
}

/** One finding a kind of damage, with the first file's numbers. */
function groupedHoles(files: readonly Weight[]): readonly Hole[] {
  const damaged = files.flatMap((file) => {
    const damage = damageOf(file);
    return damage === null ? [] : [{ file, damage }];
  });
  const kinds = [...new Set(damaged.map(({ damage }) => damage.kind))];
  return kinds.flatMap((kind) => {
    const same = damaged.filter(({ damage }) => damage.kind === kind);
    const [first] = same;
    if (first === undefined) return [];
    const more = same.length === 1 ? '' : `, and ${same.length - 1} more like it`;
    const { wanted } = first.damage;
    const bytes = first.file.size ?? 0;
    const shown = size(bytes) === size(wanted ?? 0) ? exact : size;
    return [
      {
        isCertain: kind !== 'unreadable',
        found: `${code(first.file.name)} ${DAMAGE[kind](shown(bytes))}${more}`,
        needed: wanted === null ? null : `${shown(wanted)}, as its header says`,
        advice: whatToDo(kind, same.length),
      },
    ];
  });
}

function whatToDo(kind: Damage['kind'], count: number): string {
  const files = count === 1 ? 'that file' : `those ${count} files`;
  if (kind === 'unreadable') return `Let the user that serves read ${files}.`;
  return `Download ${files} again${kind === 'pointer' ? ' (`git lfs pull` in the folder does it too)' : ''}.`;
}

function exact(bytes: number): string {
  return count(bytes, 'byte');
}

function configHoles({ config, names }: Folder): readonly Hole[] {
  if (config !== null || names.includes('params.json') || names.some((name) => name.endsWith('.gguf'))) return [];
  return [
    {
      isCertain: true,
      found: `no \`config.json\` among its ${count(names.length, 'file')}`,
      needed: null,
      advice: 'Download that file, or correct the path: vLLM takes a folder without it for no model.',
    },
  ];
}

/** Any of these is enough for one kind of tokenizer. */
const TOKENIZERS =
  /^(?:tokenizer\.json|tokenizer\.model(?:\.v\d{1,3})?|tekken\.json|vocab\.(?:json|txt)|spiece\.model|.{1,80}\.(?:tiktoken|gguf)|tokenization_.{1,80}\.py)$/;

function tokenizerHoles({ names }: Folder): readonly Hole[] {
  if (names.some((name) => TOKENIZERS.test(name)) || names.length >= MOST_NAMES) return [];
  return [
    {
      isCertain: false,
      found: 'no tokenizer among its files',
      needed: '`tokenizer.json` or `tokenizer.model`',
      advice: 'Download the tokenizer files too, or name another `--tokenizer`.',
    },
  ];
}

/** Seconds: a download writes at least so often. */
const RECENT = 120;

function partialHoles({ partial }: Folder): readonly Hole[] {
  return partial.length === 0 ? [] : [partialHole(partial)];
}

/** What a download left, or writes right now. */
export function partialHole(partial: Folder['partial']): Hole {
  const youngest = Math.min(...partial.map((one) => one.age));
  const bytes = partial.reduce((sum, one) => sum + one.size, 0);
  const files = `${count(partial.length, 'unfinished file')}, ${size(bytes)}`;
  const names = list(partial.slice(0, 1).map(({ name }) => code(name)));
  if (youngest < RECENT)
    return {
      isCertain: false,
      found: `${files}, written to ${Math.round(youngest)} s ago: a download is going on`,
      needed: null,
      advice: 'Wait until it has ended, then check again.',
    };
  return {
    isCertain: false,
    found: `${files} of a download that broke off (${names})`,
    needed: null,
    advice: 'Run the download again: it goes on where it stopped. If all else is there, remove them.',
  };
}
