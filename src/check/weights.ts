/** Whether a model's folder is whole, told by names, sizes and headers alone: no weight is read. */

import { lastFlag } from '../config/flags.ts';
import type { Weight } from '../host/preflight.ts';
import { configHoles, partialHoles, tokenizerHoles } from './beside-weights.ts';
import { DAMAGE, type Damage, damageOf } from './damage.ts';
import { type Folder, type Hole, MOST_NAMES } from './hole.ts';
import type { Server } from './subject.ts';
import { code, count, size, some } from './words.ts';

/** Who reads the folder, and what for. */
export interface Reading {
  readonly isDrafter: boolean;
  readonly server: Pick<Server, 'argv'>;
}

/** In the order in which they matter; empty where the folder is whole. A drafter takes its target's tokenizer. */
export function holesIn(look: Folder, { isDrafter, server }: Reading): readonly Hole[] {
  const files = weightsOf(look);
  const holes = [
    ...indexHoles(look),
    ...numberHoles(look, files),
    ...(files.length === 0 && !hasOtherWeights(look) ? [noWeights(look)] : []),
    ...groupedHoles(files),
  ];
  const format = lastFlag(server.argv, '--load-format')?.value?.toLowerCase() ?? 'auto';
  const isElsewhere = lastFlag(server.argv, '--hf-config-path') !== null;
  return [
    ...(FROM_FILES.includes(format) ? holes : holes.map((hole) => ({ ...hole, isCertain: false }))),
    ...(isElsewhere ? [] : configHoles(look)),
    ...(isDrafter || lastFlag(server.argv, '--tokenizer', '--skip-tokenizer-init') !== null
      ? []
      : tokenizerHoles(look)),
    ...partialHoles(look),
  ];
}

/** Formats that are loaded from the very files that are looked at; other loaders may take theirs from anywhere. */
const FROM_FILES: readonly string[] = [
  'auto',
  'hf',
  'safetensors',
  'pt',
  'npcache',
  'mistral',
  'bitsandbytes',
  'fastsafetensors',
  'runai_streamer',
];

/** The files that vLLM loads: those of the index, else all of the first kind that is there (model_loader/default_loader.py). */
function weightsOf({ weights, index }: Folder): readonly Weight[] {
  const listed = Array.isArray(index) ? weights.filter(({ name }) => index.includes(name)) : [];
  if (listed.length > 0 && (listed.length === index?.length || !hasOthers(weights))) return listed;
  const kind = KINDS.find((pattern) => weights.some(({ name }) => pattern.test(name)));
  return kind === undefined ? [] : weights.filter(({ name }) => kind.test(name));
}

const KINDS = [/^consolidated.{0,80}\.safetensors$/, /\.safetensors$/, /\.bin$/, /\.pt$/];

/** Mistral's own form, or torch's: with those an index of others means nothing. */
function hasOthers(weights: readonly Weight[]): boolean {
  return weights.some(({ name }) => KINDS[0]?.test(name)) || weights.every(({ name }) => !/\.safetensors$/.test(name));
}

/** Bytes of all of them; null where one can't be told. */
export function weightBytes(look: Folder): number | null {
  const files = weightsOf(look);
  const sizes = files.map((file) => (damageOf(file) === null ? file.size : null)).filter((bytes) => bytes !== null);
  const isWhole = !Array.isArray(look.index) || look.index.length === files.length || hasOthers(look.weights);
  return sizes.length > 0 && sizes.length === files.length && isWhole
    ? sizes.reduce((sum, bytes) => sum + bytes, 0)
    : null;
}

/** Weights are there, and none of a form that is judged here. */
export function hasOnlyOthers(look: Folder): boolean {
  return weightsOf(look).length === 0 && hasOtherWeights(look);
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
        isCertain: weights.length === 0 || !hasOthers(weights),
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
      isCertain: names.length < MOST_NAMES && (weights.length === 0 || !hasOthers(weights)),
      found: `${index.length - missing.length} of ${count(index.length, 'file')} of weights: ${some(missing.map(code))} ${missing.length === 1 ? 'is' : 'are'} missing`,
      needed: `${index.length}, as \`model.safetensors.index.json\` lists them`,
      advice: 'Download what is missing.',
    },
  ];
}

/** Without an index nothing but their own names says how many there are. */
function numberHoles({ index, names }: Folder, files: readonly Weight[]): readonly Hole[] {
  if (index !== null || names.length >= MOST_NAMES) return [];
  const all = files.map(({ name }) => Number(/-of-(?<count>\d{1,6})\.[a-z]{2,11}$/.exec(name)?.groups?.count ?? 0));
  const wanted = Math.max(0, ...all);
  const there = all.filter((count) => count === wanted).length;
  if (wanted <= there || wanted === 0) return [];
  return [
    {
      isCertain: false,
      found: `${there} of ${count(wanted, 'file')} of weights, and no index that lists them`,
      needed: `${wanted}, as their names say`,
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
        advice: whatToDo(kind, same.length === 1 ? code(first.file.name) : `those ${same.length} files`),
      },
    ];
  });
}

function whatToDo(kind: Damage['kind'], files: string): string {
  if (kind === 'unreadable') return `Let the user that serves read ${files}.`;
  return `Download ${files} again${kind === 'pointer' ? ' (`git lfs pull` in the folder does it too)' : ''}.`;
}

function exact(bytes: number): string {
  return count(bytes, 'byte');
}
