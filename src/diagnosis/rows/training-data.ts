/** A training's causes in its data and its hidden states. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const DATA_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'hidden-states-layers',
    only: 'train',
    category: 'drafter_mismatch',
    title: 'The hidden states have another number of layers than the drafter expects',
    why: 'The target was launched to give out other layers than the trainer was told.',
    pattern:
      /same reduction dim, but got \[\d{1,9}, (?<sent>\d{1,9})\] X \[(?<wanted>\d{1,9}), (?<out>\d{1,9})\]|mat1 and mat2 shapes cannot be multiplied \(\d{1,9}x(?<sent2>\d{1,9}) and (?<wanted2>\d{1,9})x(?<out2>\d{1,9})\)/,
    samples: [
      'RuntimeError: a and b must have same reduction dim, but got [8192, 16384] X [12288, 4096].',
      'RuntimeError: mat1 and mat2 shapes cannot be multiplied (8192x16384 and 12288x4096)',
    ],
    remedy: ({ sent, wanted, out, sent2, wanted2, out2 }) =>
      `Give the same --target-layer-ids to launch_vllm.py and train.py (train.py's without the last layer).${layers(sent ?? sent2, wanted ?? wanted2, out ?? out2)}`,
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'draft-config-of-another-target',
    only: 'train',
    category: 'drafter_mismatch',
    title: "--draft-config is not of the target's size",
    why: 'A drafter reads the hidden states of its target, so it must be as wide.',
    pattern:
      /--draft-config hidden_size \((?<draft>\d{1,9})\) must match the verifier hidden_size \((?<target>\d{1,9})\)/,
    samples: [
      'ValueError: --draft-config hidden_size (4096) must match the verifier hidden_size (5120). Draft/verifier hidden-size mismatch is not yet supported.',
    ],
    remedy: ({ draft = '', target = '' }) =>
      `Set hidden_size in --draft-config to ${target} (it is ${draft}), or leave --draft-config out.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'vocabulary-mapping',
    only: 'train',
    category: 'drafter_mismatch',
    title: 'The vocabulary mapping is of another size',
    why: 'd2t.npy and t2d.npy were made for another --draft-vocab-size than is asked for now.',
    pattern:
      /Explicit vocab mapping \(t2d & d2t\) files were provided, but don't\s{0,2}match the provided --draft-vocab-size (?<size>\d{1,9})|Both t2d and d2t must be provided together/,
    samples: [
      "ValueError: Explicit vocab mapping (t2d & d2t) files were provided, but don'tmatch the provided --draft-vocab-size 32000.d2t.shape=torch.Size([16000]), dim 0 should match provided value.",
    ],
    remedy: ({ size }) =>
      `Remove d2t.npy and t2d.npy from --data-path, so that they are made anew, or give the --draft-vocab-size that they were made for${size === undefined ? '' : ` (it is ${size})`}.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'hidden-states-tokens',
    only: 'train',
    category: 'data_error',
    title: "The target's tokens are not the prepared ones",
    why: 'Data was prepared with another model, chat template or length than the target serves with.',
    pattern:
      /Prompt token IDs mismatch|Token ids don't match expected|Sequence length of hidden states \d{1,9} doesn't match num tokens|Hidden-state payload is missing keys|[Ll]oaded token ids .{0,80}don't match|token_ids? (?:mismatch|do(?:es)? not match)/,
    samples: [
      'ValueError: Prompt token IDs mismatch: expected [151644, 872], got [151644]',
      "ValueError: Sequence length of hidden states 511 doesn't match num tokens 512",
      "ValueError: Loaded token ids for sample 7 don't match the dataset",
    ],
    remedy: () =>
      'Use the same model, chat template and --max-model-len for preparing and serving, and prepare the data again (scripts/prepare_data.py).',
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'hidden-states-not-finite',
    only: 'train',
    category: 'data_error',
    title: 'The hidden states hold values that are no numbers',
    why: "The target's own arithmetic overflowed, by its data type or quantization.",
    pattern: /[Hh]idden states contain non-finite values(?:.{0,120}?slots=(?<slots>\[[^\]\n]{0,80}\]))?/,
    samples: ['ValueError: Hidden states contain non-finite values (12 of 40960, affected layer slots=[3])'],
    remedy: ({ slots }) =>
      `Check the target's --dtype and --quantization${slots === undefined ? '' : ` (layer slots ${slots})`}: bfloat16 instead of float16 is the usual cure.`,
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'hidden-states-generation',
    only: 'train',
    category: 'data_error',
    title: 'The hidden states could not be made',
    why: 'It gives up after as many failures in a row as --concurrency.',
    pattern: /^Data generation failed/,
    samples: ['Data generation failed: Connection error.'],
    remedy: () =>
      'See whether the target server still answers (`curl URL/models`), then run the same command again: it goes on where it stopped.',
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
  {
    id: 'token-frequencies-missing',
    only: 'train',
    category: 'data_error',
    title: 'The token frequencies are missing',
    why: 'A smaller vocabulary for the drafter is chosen by token_freq.pt, which preparing the data writes.',
    pattern: /token_freq\.pt|Token frequency file not found/,
    samples: [
      'FileNotFoundError: Token frequency file not found: output/token_freq.pt',
      "FileNotFoundError: [Errno 2] No such file or directory: 'output/token_freq.pt'",
    ],
    remedy: () =>
      'Prepare the data again (scripts/prepare_data.py writes token_freq.pt beside it), or drop --draft-vocab-size.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'data-not-found',
    only: 'train',
    category: 'data_error',
    title: 'The data is not where the argument says',
    why: 'The path or the data set id is wrong, or the data was prepared elsewhere.',
    pattern:
      /DatasetNotFoundError|DataFilesNotFoundError|Couldn't find (?:a|any) (?:dataset|data)|No such file or directory: '(?<file>[^'\n]{0,200}\.(?:jsonl?|arrow|parquet|csv))'|(?:Directory|Path) \S{1,200} (?:not found|doesn't exist|is neither a)/,
    samples: [
      "datasets.exceptions.DatasetNotFoundError: Dataset 'org/data' doesn't exist on the Hub or cannot be accessed.",
      "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.jsonl'",
      'FileNotFoundError: Directory ./output not found',
    ],
    remedy: ({ file }) =>
      `Correct --data-path${file === undefined ? '' : `: \`${file}\` is not there`}, or prepare the data first.`,
    link: PAGES.datasets,
    retry: 'no',
  },
  {
    id: 'data-unreadable',
    only: 'train',
    category: 'data_error',
    title: "The data can't be read",
    why: 'A file of the data set is cut off, empty, or not of the kind that its name says.',
    pattern: /DatasetGenerationError|DatasetGenerationCastError|ArrowInvalid|JSON parse error|Error tokenizing data/,
    samples: [
      'datasets.exceptions.DatasetGenerationError: An error occurred while generating the dataset',
      'pyarrow.lib.ArrowInvalid: JSON parse error: Missing a closing quotation mark in string. in row 7',
    ],
    remedy: () => 'Check --data-path and the files in it; prepare the data again where they are incomplete.',
    link: PAGES.datasets,
    retry: 'no',
  },
  {
    id: 'data-columns',
    only: 'train',
    category: 'data_error',
    title: 'The data has other columns than the preparation expects',
    why: 'Rows must have the column that the preparation reads.',
    pattern: /^KeyError: ['"](?<column>[^'"\n]{1,80})/,
    inTraceback: /prepare_data|preprocess/,
    samples: ["KeyError: 'conversations'"],
    frame: '  File "/x/prepare_data.py", line 9, in main',
    remedy: ({ column = '' }) =>
      `Give a --data-path whose rows have \`${column}\`, or rename the column that holds it.`,
    link: PAGES.datasets,
    retry: 'no',
  },
];

/** How many layers' worth the two sides mean, where the sizes say so. */
function layers(sent: string | undefined, wanted: string | undefined, size: string | undefined): string {
  const [a, b, hidden] = [Number(sent), Number(wanted), Number(size)];
  if (!hidden || a % hidden !== 0 || b % hidden !== 0) return '';
  return ` ${a / hidden} layers were sent, ${b / hidden} expected.`;
}
