/** What has to lie beside a model's weights: configuration, tokenizer, and nothing that a download has left. */

import { list } from '../list.ts';
import { type Folder, type Hole, MOST_NAMES } from './hole.ts';
import { code, count, size } from './words.ts';

export function configHoles({ config, names }: Folder): readonly Hole[] {
  if (config !== null || names.includes('params.json') || names.some((name) => name.endsWith('.gguf'))) return [];
  if (names.includes('config.json'))
    return [
      {
        isCertain: false,
        found: "its `config.json` can't be read by this SSH user",
        needed: null,
        advice: 'Let the user that serves read that file; a link must lead to one.',
      },
    ];
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

export function tokenizerHoles({ names }: Folder): readonly Hole[] {
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

export function partialHoles({ partial }: Folder): readonly Hole[] {
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
