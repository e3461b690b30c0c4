/** A training's causes in its data and what is made of it. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const DATA_ROWS: readonly DiagnosisRow[] = [
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
      /DatasetNotFoundError|DataFilesNotFoundError|Couldn't find (?:a|any) (?:dataset|data)|No such file or directory: '(?<file>[^'\n]{0,200}(?<!config|tokenizer|index|vocab)\.(?:jsonl?|arrow|parquet|csv))'|(?:Directory|Path) \S{1,200} (?:not found|doesn't exist|is neither a)/,
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
    title: 'The data has other columns than the code that reads it expects',
    why: 'Every row must have the column that the preparation or the trainer reads; at least one has not.',
    pattern: /^KeyError: ['"](?<column>[^'"\n]{1,80})/,
    inTraceback: /prepare_data|preprocess|collat|torch\/utils\/data\/|datasets\/arrow_dataset/,
    samples: ["KeyError: 'conversations'"],
    frame: '  File "/x/prepare_data.py", line 9, in main',
    remedy: ({ column = '' }) =>
      `Give a --data-path whose rows have \`${column}\`, or rename the column that holds it.`,
    link: PAGES.datasets,
    retry: 'no',
  },
  {
    id: 'data-conversations',
    only: 'train',
    category: 'data_error',
    title: "The chat template can't take a conversation of the data",
    why: "The model's template refuses it: roles that do not alternate, a system message that it does not know, an empty conversation.",
    pattern:
      /TemplateError: .{0,300}\b(?:roles?|messages?|conversation|system|assistant)\b|Conversation roles must alternate/i,
    samples: [
      'jinja2.exceptions.TemplateError: Conversation roles must alternate user/assistant/user/assistant/...',
      'jinja2.exceptions.TemplateError: System role not supported',
    ],
    remedy: () =>
      'Find the rows of --data-path whose `messages` do not fit (two of the same role in a row, a system message) and mend or drop them, or give a chat template that takes them.',
    link: PAGES.datasets,
    retry: 'no',
  },
];
