/** A training's causes in how its data is named and shaped: rows, columns, templates. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const SAMPLE_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'no-samples-left',
    only: 'train',
    category: 'data_error',
    title: 'No sample is left after the preparation',
    why: 'Every row was dropped: wrong columns, no words of the assistant in it, or too few tokens to learn from.',
    pattern:
      /No samples remain after preprocessing|num_samples should be a positive integer value, but got num_samples=0/,
    samples: [
      'ValueError: No samples remain after preprocessing. Check the dataset schema, assistant masking, and --minimum-valid-tokens. Pass --allow-empty-output if an empty dataset is intentional.',
      'ValueError: num_samples should be a positive integer value, but got num_samples=0',
    ],
    remedy: () =>
      "Look at a few rows of the data: they need a conversation with an assistant's turn. Then lower --minimum-valid-tokens or raise --seq-length, and prepare the data again.",
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'dataset-not-conversations',
    only: 'train',
    category: 'data_error',
    title: 'The data set holds no conversations',
    why: 'The preparation reads one column of conversations, and the data set has others.',
    pattern:
      /is not in conversations format: expected a '(?<column>[\w-]{1,60})' column|Columns? (?:name )?\[?'(?<other>[\w-]{1,60})'\]? not in the dataset|Speculator-format row shape mismatch/,
    samples: [
      "ValueError: HuggingFace dataset 'org/data' (split 'train') is not in conversations format: expected a 'conversations' column but found ['text'].",
      "ValueError: Column name ['text'] not in the dataset. Current columns in the dataset: ['messages']",
    ],
    remedy: ({ column, other }) =>
      `Give a data set${(column ?? other) === undefined ? ' whose rows are whole' : ` with the column \`${column ?? other}\``} in --data, or rename its columns before the preparation.`,
    link: PAGES.datasets,
    retry: 'no',
  },
  {
    id: 'dataset-not-understood',
    only: 'train',
    category: 'data_error',
    title: 'The data set is named in a way that is not understood',
    why: '--data takes a .json or .jsonl file, a folder of them, `hf:ORG/NAME`, or one of the names that the script knows.',
    pattern:
      /Unsupported dataset: (?<name>\S{1,200}?)\.? Supported|No \.json\/\.jsonl files found in directory|Invalid hf: spec/,
    samples: [
      'ValueError: Unsupported dataset: sharegtp. Supported: local .json/.jsonl file, local directory of .json/.jsonl files',
      "ValueError: Invalid hf: spec 'hf:': missing dataset id.",
    ],
    remedy: ({ name }) =>
      `Correct --data${name === undefined ? '' : ` (it is \`${name}\`)`}: a file, a folder that holds .jsonl files, or \`hf:ORG/NAME\`.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'chat-template-absent',
    only: 'train',
    category: 'data_error',
    title: 'The model brings no chat template',
    why: 'Conversations become tokens by the chat template; a base model has none.',
    pattern: /does not support chat templates|tokenizer\.chat_template is not set|no template argument was passed/,
    samples: [
      'ValueError: Processor for /models/base does not support chat templates. Please use a model with a pre-configured chat template',
      'ValueError: Cannot use chat template functions because tokenizer.chat_template is not set and no template argument was passed!',
    ],
    remedy: () =>
      'Train on the chat variant of the model, or put a chat_template.jinja beside its tokenizer; data that holds `input_ids` already needs none.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'token-out-of-range',
    only: 'train',
    category: 'data_error',
    title: 'A token id is larger than the vocabulary',
    why: 'The data was made with another tokenizer, or with tokens that the model has no row for.',
    pattern: /Target (?<token>\d{1,9}) is out of bounds|index out of range in self/,
    samples: ['IndexError: Target 151936 is out of bounds.', 'IndexError: index out of range in self'],
    remedy: ({ token }) =>
      `Prepare the data again with the tokenizer of the target (scripts/prepare_data.py --model)${token === undefined ? '' : `: token ${token} is not in the vocabulary`}; of a smaller --draft-vocab-size remove d2t.npy and t2d.npy as well.`,
    link: PAGES.speculators,
    retry: 'no',
  },
];
