/** A training's causes in its arguments. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const TRAIN_SETTING_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'mask-token-missing',
    only: 'train',
    category: 'bad_argument',
    title: 'The drafter has no mask token',
    why: 'A DFlash drafter fills its block with one token, and the tokenizer names none.',
    pattern: /mask_token_id is not set on the config/,
    samples: [
      'ValueError: mask_token_id is not set on the config. Pass --mask-token-id during training or ensure the config was saved with mask_token_id set.',
    ],
    remedy: () => 'Add --mask-token-id with the id of a token that the data never holds.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'attention-indices-invalid',
    only: 'train',
    category: 'bad_argument',
    title: '--full-attention-indices names layers that the drafter does not have',
    why: 'They count layers of the drafter, from 0 to --num-layers minus 1, not layers of the target.',
    pattern: /Full attention indices must be valid draft layer ids/,
    samples: ['ValueError: Full attention indices must be valid draft layer ids in range [0, num_layers).'],
    remedy: () => 'Give --full-attention-indices numbers below --num-layers, or leave it out.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'speculator-type-unknown',
    only: 'train',
    category: 'bad_argument',
    title: "This version of speculators doesn't know the kind of drafter",
    why: 'Kinds come with versions; the name must be one of those in the message.',
    pattern: /Unknown (?:speculator type|draft architecture): (?<name>[\w-]{1,60})/,
    samples: ["ValueError: Unknown speculator type: dflsh. Available: ['eagle3', 'dflash']"],
    remedy: ({ name = '' }) =>
      `Correct --speculator-type (or --draft-arch) to a name of the list in the message, or run \`pip install -U speculators\`; it is \`${name}\`.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'overwrite-refused',
    only: 'train',
    category: 'bad_argument',
    title: '--overwrite would delete files that are not its own',
    why: 'The output folder holds files that the preparation did not write.',
    pattern: /--overwrite would delete files that do not look like/,
    samples: [
      'ValueError: --overwrite would delete files that do not look like prepare_data.py artifacts: notes.txt. Remove them manually or choose a different --output directory.',
    ],
    remedy: () => 'Choose an empty folder for --output, or move the files that the message names.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'deepspeed-loss-scale',
    only: 'train',
    category: 'nan_loss',
    title: 'The loss scale fell to its minimum',
    why: 'Gradients in float16 overflowed step after step, down to the smallest scale: the training had diverged.',
    pattern: /loss scale already at minimum|Minimum loss scale reached/,
    samples: ['Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.'],
    remedy: () =>
      'Train in bfloat16 instead of float16, or lower --lr, and go back to the last checkpoint whose losses were numbers.',
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'experiment-tracker-failed',
    only: 'train',
    category: 'unknown',
    title: 'The experiment tracker stopped the run',
    why: 'wandb (or another logger) wanted a key or its server, and got neither.',
    pattern:
      /wandb\.(?:sdk\.)?\w{0,20}\.?errors?\.|wandb: ERROR|api_key not configured \(no-tty\)|mlflow\.exceptions\./,
    samples: [
      'wandb.errors.CommError: Run initialization has timed out after 90.0 sec.',
      'wandb.errors.errors.UsageError: api_key not configured (no-tty). call wandb.login(key=[your_api_key])',
    ],
    remedy: () => "Give WANDB_API_KEY in the recipe's environment, set WANDB_MODE=offline, or drop --logger.",
    link: null,
    retry: 'may help',
  },
];
