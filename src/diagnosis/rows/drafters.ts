/** Causes in speculative decoding: a drafter that fits neither target nor version. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const DRAFTER_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'drafter-of-another-target',
    category: 'drafter_mismatch',
    title: 'The drafter was made for another target',
    why: "The drafter's target_layer_ids name layers that this target does not have, so fewer hidden states arrive than it was trained with.",
    pattern: /expects (?<expected>\d{1,9}) concatenated aux hidden\s{1,2}features but received (?<received>\d{1,9})/,
    samples: [
      "ValueError: DFlash drafter expects 25600 concatenated aux hidden features but received 15360. This usually means the draft model's target_layer_ids reference layers that do not exist in the target model (incompatible draft/target pair).",
      'ValueError: DFlash expects 25600 concatenated aux hidden features but received 15360.',
    ],
    remedy: ({ expected = '', received = '' }) =>
      `Compare target_layer_ids in the drafter's config.json with the target's num_hidden_layers, or give the drafter of this target in --speculative-config: it wants ${expected} features, the target gives ${received}.`,
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'drafter-needs-v2-runner',
    category: 'drafter_mismatch',
    title: 'The drafter mixes sliding and full attention, which the old model runner can not',
    why: 'Layers of both kinds in one DFlash drafter work only in the V2 model runner.',
    pattern: /requires?\s{1,2}the V2 model runner/,
    samples: [
      'NotImplementedError: DFlash drafters with mixed sliding/full attention require the V2 model runner; relaunch with VLLM_USE_V2_MODEL_RUNNER=1.',
    ],
    remedy: () => "Set VLLM_USE_V2_MODEL_RUNNER=1 in the recipe's environment.",
    link: PAGES.variables,
    retry: 'no',
  },
  {
    id: 'drafter-without-window',
    category: 'drafter_mismatch',
    title: "The drafter's sliding window is missing",
    why: 'Its config.json has sliding_attention layers and no size of their window.',
    pattern: /sliding attention requires a window size/,
    samples: [
      'ValueError: DFlash sliding attention requires a window size configured in dflash_config.swa_window_size or the top-level sliding_window.',
    ],
    remedy: () =>
      "Set sliding_window (2048 is usual) in the drafter's config.json, or use the config.json that its training wrote; --speculative-config names the folder.",
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'drafter-vocabulary',
    category: 'drafter_mismatch',
    title: 'Target and drafter have different vocabularies',
    why: 'A draft model proposes token ids, which must mean the same to the target.',
    pattern:
      /Target and draft model should have the same vocabulary size\.(?:.{0,60}?vocab_size=(?<target>\d{1,9})\.)?(?:.{0,60}?vocab_size=(?<draft>\d{1,9})\.)?|mask_token_id does not match/s,
    samples: [
      'ValueError: Target and draft model should have the same vocabulary size. Target model vocab_size=152064. Draft model vocab_size=151936. Using models with different tokenizers can cause out-of-bounds errors',
    ],
    remedy: ({ target, draft }) =>
      `Give a drafter of the same model family in --speculative-config.${target === undefined ? '' : ` The target has ${target} tokens, the drafter ${draft}.`}`,
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'draft-parallel-size',
    category: 'drafter_mismatch',
    title: "The drafter's tensor parallel size is not allowed",
    why: 'A drafter runs on one GPU or on as many as the target.',
    pattern:
      /draft_tensor_parallel_size.{0,60}cannot be\s{1,2}other value than 1|pass 'draft_tensor_parallel_size' instead/s,
    samples: [
      'ValueError: speculative_draft_tensor_parallel_size=3 cannot be other value than 1 or target model tensor_parallel_size',
    ],
    remedy: () =>
      "Set draft_tensor_parallel_size in --speculative-config to 1 or to the target's --tensor-parallel-size.",
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'draft-tokens-not-divisible',
    category: 'drafter_mismatch',
    title: 'num_speculative_tokens does not fit the drafter',
    why: 'A drafter with several prediction layers drafts a multiple of their number, and one must be asked for.',
    pattern:
      /num_speculative_tokens:(?<asked>\d{1,4}) must be divisible by n_predict=(?<by>\d{1,4})|num_speculative_tokens` was not provided|num_speculative_tokens must be provided|num_speculative_tokens to be greater\s{1,2}than zero/,
    samples: [
      'ValueError: num_speculative_tokens:5 must be divisible by n_predict=2',
      'ValueError: A speculative model was provided, but `num_speculative_tokens` was not provided',
    ],
    remedy: ({ asked, by }) =>
      `Set num_speculative_tokens in --speculative-config (block_size - 1 for DFlash)${asked === undefined ? '' : `: ${asked} is no multiple of ${by}`}.`,
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'speculative-method-unknown',
    category: 'drafter_mismatch',
    title: "This vLLM doesn't know the speculative method",
    why: 'dflash exists from 0.20 on, eagle3 from 0.8.5 on; the method may also be one that the target has no support for.',
    pattern:
      /Unsupported speculative method: '?(?<method>[^'\n]{1,40})|(?:eagle3?|dflash|mtp|dspark)\b.{0,40}(?:is only supported for|only supports?\b|not supported)/i,
    samples: [
      "NotImplementedError: Unsupported speculative method: 'dflash'",
      'ValueError: Eagle3 is only supported for Llama models.',
    ],
    remedy: ({ method }) =>
      `Upgrade vLLM (\`pip install -U vllm\`), or correct "method" in --speculative-config${method === undefined ? '' : `: it is \`${method}\``}.`,
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'drafter-weights-do-not-fit',
    category: 'drafter_mismatch',
    title: "The drafter's weights don't fit",
    why: 'Its checkpoint is not one for this target, this method or this vLLM.',
    pattern:
      /There is no module or parameter named|size mismatch|shapes? (?:mismatch|cannot be)|must match the size|AssertionError|KeyError/,
    inTraceback:
      /\/(?:vllm|sglang)\/[^"\n]{0,200}(?:spec_decode|speculative|proposer|drafter|dflash|eagle)[^"\n]{0,60}", line \d{1,6}, in (?:_?load|__init__|_?init|_?create|build)/i,
    samples: ["ValueError: There is no module or parameter named 'midlayer' in LlamaForCausalLMEagle3"],
    frame: '  File "/x/vllm/v1/spec_decode/eagle.py", line 2, in load_model',
    remedy: () =>
      'Check "model" and "method" in --speculative-config, and the drafter\'s config.json: its checkpoint is not one for this target or this vLLM.',
    link: PAGES.speculatorsInVllm,
    retry: 'no',
  },
  {
    id: 'speculation-not-combined',
    category: 'bad_argument',
    title: "Speculative decoding doesn't go with another setting",
    why: 'This version can not do both at once; the message names the other one.',
    pattern:
      /(?:not (?:yet |currently )?supported|does not support|incompatible|cannot be used).{0,60}speculative decoding|speculative decoding.{0,60}(?:not (?:yet |currently )?supported|incompatible|cannot be used|does not support)/i,
    samples: ['ValueError: Speculative decoding is not supported with pipeline parallelism'],
    remedy: () =>
      'Drop that other setting, or --speculative-config; a newer vLLM may have both (`pip install -U vllm`).',
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'drafter-mismatch',
    category: 'drafter_mismatch',
    title: "The drafter doesn't fit the target or this version",
    why: 'Drafter, target and vLLM were not made for each other in every detail.',
    pattern: /(?<![\w/.-])(?:draft(?:er)?\b|speculat\w{1,10}|eagle3?\b|dflash|target_layer_ids|aux_hidden_state)/i,
    beside: /mismatch|must (?:be|match|have)|does not match|not support|expected|divisible|differ|invalid|require/i,
    shape: 'exception',
    samples: ['AssertionError: Expected aux_hidden_states to be 3 layers for the draft model, they differ'],
    remedy: () =>
      "Compare the drafter's config.json (target_layer_ids, layer_types, sliding_window, block_size, vocabulary) with the target; try a start without --speculative-config to be sure.",
    link: PAGES.speculation,
    retry: 'no',
  },
];
