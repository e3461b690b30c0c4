/** A training's causes in the hidden states that its target gives out. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const HIDDEN_STATE_ROWS: readonly DiagnosisRow[] = [
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
    id: 'hidden-states-missing',
    only: 'train',
    category: 'data_error',
    title: 'The hidden states of a sample are missing',
    why: 'They were skipped when they were made, or lie in another folder, and --on-missing raise allows no gap.',
    pattern: /^\w{0,40}Error: Failed to load hidden states for (?:sample|handle) (?<sample>\S{1,80}?)\.?$/m,
    samples: ['RuntimeError: Failed to load hidden states for sample 2118.'],
    remedy: ({ sample = '' }) =>
      `Make what is missing (run data_generation_offline.py again, which goes on), check --hidden-states-path, or set --on-missing skip: sample ${sample} has none.`,
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
];

/** How many layers' worth the two sides mean, where the sizes say so. */
function layers(sent: string | undefined, wanted: string | undefined, size: string | undefined): string {
  const [a, b, hidden] = [Number(sent), Number(wanted), Number(size)];
  if (!hidden || a % hidden !== 0 || b % hidden !== 0) return '';
  return ` ${a / hidden} layers were sent, ${b / hidden} expected.`;
}
