/** A training's causes in what its target server answers. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const TARGET_ANSWER_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'target-model-name',
    only: 'train',
    category: 'bad_argument',
    title: "The target server serves the model under another name than the trainer's",
    why: 'The name in the request must be one of the served ones: a hub id on one side and a local path on the other is enough to fail.',
    pattern:
      /explicit model name was passed(?: \((?<wanted>[^)\n]{1,200})\)|, but '(?<quoted>[^'\n]{1,200})')?(?:.{0,40}?found model[_ ]id '?(?<served>[^\s'{]{1,200}))?/,
    samples: [
      "ValueError: An explicit model name was passed (Qwen/Qwen3-8B) which doesn't match found model_id /models/Qwen3-8B.Please make sure --endpoint is set to the correct vllm instance.",
      "ValueError: An explicit model name was passed (Qwen/Qwen3-8B) which doesn't matchfound model_id {model_id}.Please make sure --endpoint is set to the correct vllm instance.",
      "ValueError: An explicit model name was passed, but 'Qwen/Qwen3-8B' doesn't match found model_id '/models/Qwen3-8B'",
    ],
    remedy: ({ wanted, quoted, served }) => {
      const name = served?.replace(/\.(?:Please)?$/, '');
      const names = [
        (wanted ?? quoted) === undefined ? '' : ` The trainer asks for \`${wanted ?? quoted}\`.`,
        name === undefined ? '' : ` The target serves \`${name}\`.`,
      ];
      return `Give the same string on both sides: --verifier-name-or-path of the trainer must be the id in the target's /v1/models.${names.join('')}`;
    },
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'target-model-unknown',
    only: 'train',
    category: 'bad_argument',
    title: "The target server doesn't serve the model that the trainer asks for",
    why: 'The name in the request must be one of the served ones, letter by letter.',
    pattern: /NotFoundError: .{0,200}The model [`'](?<wanted>[^`'\n]{1,200})[`'] does not exist/,
    samples: [
      "openai.NotFoundError: Error code: 404 - {'error': {'message': 'The model `Qwen/Qwen3-8B` does not exist.', 'type': 'NotFoundError', 'param': 'model', 'code': 404}}",
    ],
    remedy: ({ wanted = '' }) =>
      `Give the target \`--served-model-name ${wanted}\`, or the trainer the id that \`curl URL/models\` shows.`,
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'target-key-refused',
    only: 'train',
    category: 'gated_or_auth',
    title: "The target server refused the trainer's key",
    why: 'The target was started with --api-key (or VLLM_API_KEY), and the trainer sends none or another one.',
    pattern: /(?:openai|httpx|requests|aiohttp)\.[\w.]{0,60}Error: .{0,200}\b401\b/,
    beside: /openai|localhost|127\.0\.0\.1|:\d{4,5}\/v1/,
    samples: ["openai.AuthenticationError: Error code: 401 - {'error': 'Unauthorized'}"],
    remedy: () => 'Start the target without --api-key, or give the trainer the same key in OPENAI_API_KEY.',
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'target-context-too-short',
    only: 'train',
    category: 'data_error',
    title: 'A sample is longer than the target server takes',
    why: "The data was prepared with a longer --seq-length than the target's --max-model-len.",
    pattern:
      /maximum (?:context|model) length(?: is| of) (?<length>\d{1,9})(?:.{0,200}?(?:requested|contains at least|has) (?<asked>\d{1,9}))?/s,
    samples: [
      "openai.BadRequestError: Error code: 400 - {'error': {'message': \"This model's maximum context length is 4096 tokens. However, you requested 8193 tokens",
    ],
    remedy: ({ length = '', asked }) =>
      `Start the target with a longer --max-model-len (it is ${length}${asked === undefined ? '' : `, ${asked} are wanted`}; the answer takes one token more than the sample), or prepare the data with a shorter --seq-length.`,
    link: PAGES.hiddenStates,
    retry: 'no',
  },
  {
    id: 'target-engine-dead',
    only: 'train',
    category: 'engine_dead',
    title: 'The target server answers that its engine died',
    why: "The target's HTTP part still lives and refuses every request; its own log says why the engine died.",
    pattern: /(?:openai|httpx|requests|aiohttp)\.[\w.]{0,60}Error: .{0,200}(?:EngineCore|EngineDead|\b500\b|\b503\b)/,
    isOfTarget: true,
    samples: [
      "openai.InternalServerError: Error code: 500 - {'error': {'message': 'Internal server error', 'type': 'Internal Server Error'}}",
    ],
    remedy: () =>
      "Read the target server's own log (the recipe's `target.log`): its first failure is the cause. Restart it and resume from the last checkpoint.",
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
];
