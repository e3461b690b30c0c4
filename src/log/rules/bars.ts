/** Progress bars of a server's start: weights that are read, graphs that are captured, kernels that are compiled, files that are fetched. */

import { phase, progress, type Rule } from './rule.ts';

export const BAR_RULES: readonly Rule[] = [
  {
    sample: 'Loading safetensors checkpoint shards:  80% Completed | 12/15 [00:09<00:02,  1.3s/it]',
    starts: ['Loading ', 'Multi-thread loading'],
    pattern: /^[^%]{1,200}: +\d+% Completed \| (?<done>\d+)\/(?<total>\d+) \[/,
    find: (match) => [phase('loading'), progress('loading', match)],
  },
  {
    // InstantTensor counts bytes: 6.9G of 16.1G is no count of files.
    sample: 'Loading safetensors using InstantTensor loader:  43% Completed | 6.90G/16.1G [00:03<00:04, 2.12GB/s]',
    starts: ['Loading '],
    pattern: /^[^%]{1,200}: +\d+% Completed \|/,
    find: () => [phase('loading')],
  },
  {
    sample: 'Capturing CUDA graphs (decode, FULL):  50%|█████     | 4/8 [00:01<00:00,  4.7it/s]',
    starts: ['Capturing '],
    pattern:
      /^Capturing [\w ,-]{0,60}(?:graph|batches|num tokens)[^|%]{0,120}: +\d+%\|[^|]{0,300}\| (?<done>\d+)\/(?<total>\d+) \[/,
    find: (match) => [phase('capturing'), progress('capturing', match)],
  },
  {
    sample: 'DeepGEMM warmup:   0%|          | 3/9216 [00:11<9:23:01,  3.67s/it]',
    starts: [
      'DeepGEMM',
      'DeepGemm',
      '[AutoTuner]',
      '[Autotuner]',
      'Compiling CuTeDSL kernels',
      'Compiling num tokens',
      '[Aiter Triton] Pre-compiling',
    ],
    pattern: /^[^|%]{1,300}: +\d+%\|[^|]{0,300}\| (?<done>\d+)\/(?<total>\d+) \[/,
    find: (match) => [phase('compiling'), progress('compiling', match)],
  },
  {
    // Of transformers, which fetches the files of a model one after the other.
    sample: 'Downloading shards:  25%|██▌       | 1/4 [00:41<02:05, 41.8s/it]',
    starts: ['Downloading shards:'],
    pattern: /: +\d+%\|[^|]{0,300}\| (?<done>\d+)\/(?<total>\d+) \[/,
    find: (match) => [phase('downloading'), progress('downloading', match)],
  },
  {
    // Over all files of a snapshot. Those that are there already take no time: ten seconds show that bytes come.
    sample: 'Fetching 19 files:  42%|████▏     | 8/19 [01:10<01:31,  8.36s/it]',
    starts: ['Fetching '],
    pattern: /^Fetching \d+ files: +\d+%\|[^|]{0,300}\| (?<done>\d+)\/(?<total>\d+) \[(?!00:0)/,
    find: (match) => [phase('downloading'), progress('downloading', match)],
  },
];

/** Weight files from a hub, each with a bar of its own. huggingface_hub puts `(…)` before a long name, ModelScope `Downloading [` and `]` around it. */
const SHARD = /^(?:Downloading \[)?\S*?-(\d{1,6})-of-(\d{1,6})\.(?:safetensors|bin|pt|pth|gguf)\]?: +(\d+)%\|/;
const SINGLE_FILE =
  /^(?:Downloading \[)?(?:\S*\/)?(?:model|pytorch_model|adapter_model)\.(?:safetensors|bin|pt|pth)\]?: +(\d+)%\|/;
const CONSOLIDATED = /^(?:Downloading \[)?(?:\S*\/)?consolidated(?:\.\d\d)?\.(?:safetensors|pth)\]?: +(\d+)%\|/;
const GGUF = /^(?:Downloading \[)?\S+\.gguf\]?: +(\d+)%\|/;

/** The bars that `findDownload` knows. */
export const DOWNLOADS: readonly RegExp[] = [SHARD, SINGLE_FILE, CONSOLIDATED, GGUF];

/** A bar of a weight file that comes from a hub. */
export function findDownload(message: string): ReturnType<Rule['find']> | null {
  const shard = SHARD.exec(message);
  if (shard !== null) {
    const [, index, total, percent] = shard;
    return [
      phase('downloading'),
      { kind: 'file', index: Number(index), total: Number(total), isDone: percent === '100' },
    ];
  }
  const single = SINGLE_FILE.exec(message) ?? CONSOLIDATED.exec(message) ?? GGUF.exec(message);
  if (single === null) return null;
  return [phase('downloading'), { kind: 'file', index: 1, total: 1, isDone: single[1] === '100' }];
}

/** Every unnamed bar of tqdm holds one of these. */
export const UNNAMED_SIGN = /(?:it\/s|s\/it)\]/;
const UNNAMED = /^ {0,4}\d+%\|[^|]{0,300}\| (?<done>\d+)\/(?<total>\d+) \[/;

/** A bar without a name while graphs are captured. */
export function findUnnamed(message: string): ReturnType<Rule['find']> | null {
  const match = UNNAMED.exec(message);
  return match === null ? null : [progress('capturing', match)];
}
