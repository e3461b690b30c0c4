/** Why drafts are not accepted, by the shape of their curve, the method and the engine's version: what to look at, the likeliest first. */

import { isFrom, isOwnBuild, parseVersion, saysNothing } from '../check/version.ts';
import { code } from '../check/words.ts';
import type { Shape } from './curve.ts';

export interface Drafting {
  /** `dflash`, `eagle3` …, or null where it isn't known. */
  readonly method: string | null;
  /** The drafter as the command names it. */
  readonly drafter: string | null;
  /** Draft tokens a step. */
  readonly tokens: number | null;
  /** vLLM's version, or null. */
  readonly version: string | null;
  /** Positions before a cliff. */
  readonly cliff: number | null;
  /** Hidden states that it is given, as the log says (`2, 17, 32`), or null. */
  readonly layers: string | null;
}

/** Sentences. Empty for methods that need no drafter: what they find depends on the text alone. */
export function causesOf(shape: Shape, drafting: Drafting): readonly string[] {
  const { method } = drafting;
  if (isUntrained(method)) return [];
  const rows = method !== null && /mtp$|nextn$/.test(method) ? HEAD : isDflash(method) ? DFLASH : DRAFTER;
  return rows[shape].flatMap((cause) => cause(drafting) ?? []);
}

/** They draft from the text itself: a low rate is no fault. */
export function isUntrained(method: string | null): boolean {
  return method !== null && /^(?:ngram|ngram_gpu|suffix|\[ngram\])$/.test(method);
}

/** Where nobody says the method, it is taken for the one that has most to lose. */
function isDflash(method: string | null): boolean {
  return method === null || /^(?:dflash|dspark)/.test(method);
}

type Cause = (drafting: Drafting) => string | null;
type Causes = Readonly<Record<Shape, readonly Cause[]>>;

const READS = '`/vllm check` reads it and compares it with the recipe’s `expect`.';

const offset: Cause = ({ version }) =>
  isBefore(version, '0.22')
    ? `vLLM ${version}${unlessFixed(version)} takes \`dflash_config.target_layer_ids\` literally: every hidden state is one layer off (vllm-project/vllm#40727). Install 0.22 or newer, and leave the ids as the drafter was trained with.`
    : null;

const given: Cause = ({ layers: ids }) =>
  ids === null
    ? null
    : `Its log says that the drafter is given the hidden states ${ids}. That must be each of \`dflash_config.target_layer_ids\` + 1 (of \`aux_hidden_state_layer_ids\` each as it is): compare.`;

const layers: Cause = (drafting) =>
  `Wrong layer ids: \`target_layer_ids\` (or \`aux_hidden_state_layer_ids\`) in ${configOf(drafting)} are others than in training. ${READS}`;

const raised: Cause = ({ version }) =>
  isBefore(version, '0.22')
    ? null
    : 'Layer ids that were raised by 1 by hand for a vLLM before 0.22: since then it adds the 1 itself (vllm-project/vllm#40727). Write them as they were trained.';

const windowLost: Cause = (drafting) =>
  `The sliding window is lost: \`layer_types\` in ${configOf(drafting)} must name each layer as in training, and \`sliding_window\` its size, or all layers run as full attention. ${READS}`;

const windowIgnored: Cause = ({ version }) =>
  isBefore(version, '0.25')
    ? `vLLM ${version}${unlessFixed(version)} runs sliding layers of a DFlash drafter as full attention (vllm-project/vllm#46104, #47914). Install 0.25 or newer where the drafter has any.`
    : null;

const anotherDrafter: Cause = ({ drafter }) =>
  `Another target's drafter: ${drafter === null ? 'it' : code(drafter)} fits only the model, and the tokenizer, that it was trained with. Look at its \`config.json\` and at where it came from.`;

const maskToken: Cause = (drafting) =>
  `Another \`mask_token_id\` in ${configOf(drafting)} than in training: it has to be an id of this target's tokenizer.`;

const zeros: Cause = () =>
  'The drafter was trained on hidden states of zeros (hybrid targets with vLLM between #43805 and #46301): then training looks fine and nothing is accepted. Read one hidden-state file: finite, not zero, layers differ.';

const runner: Cause = ({ version }) =>
  version !== null && /^v?0\.25\./.test(version)
    ? 'vLLM 0.25 accepts nothing of some drafters of speculators with its V2 runner (vllm-project/vllm#49559). Try `VLLM_USE_V2_MODEL_RUNNER=0` or a newer vLLM.'
    : null;

const trainedLittle: Cause = () =>
  'The drafter is trained little: the first position is learnt first. The length to expect is 1 + `val/eal_epoch` of its training; serve a later checkpoint.';

const prefixCache: Cause = ({ version }) =>
  isBefore(version, '0.23')
    ? `vLLM ${version}${unlessFixed(version)} spoils what DFlash drafts from by its prefix cache (vllm-project/vllm#42971, #43733). Install 0.23 or newer, or add \`--no-enable-prefix-caching\`.`
    : null;

const thinking: Cause = () =>
  'Thinking is on here and was off in training, or the other way round (25 % against 60 % in z-lab/dflash#133): set `enable_thinking` in `--default-chat-template-kwargs` as the training data has it.';

const otherData: Cause = () =>
  "The training data was not written by this target, or was other text than this (code, another language): have the target answer the training's prompts.";

const otherTarget: Cause = () =>
  'The target is another one than in training: quantized, fine-tuned, or with another `--kv-cache-dtype`.';

const sampling: Cause = () =>
  'Sampling: the higher the temperature that the model sets by default (`--generation-config`), the fewer drafts are accepted.';

const tooMany: Cause = ({ cliff, tokens }) =>
  cliff === null
    ? null
    : `The drafter drafts ${cliff} tokens well, and \`num_speculative_tokens\` is ${tokens ?? 'higher'}: of DFlash it may be \`block_size\` - 1 of its \`config.json\`. Set it to ${cliff}.`;

const otherBlock: Cause = (drafting) =>
  `Another \`block_size\` in ${configOf(drafting)} than in training: positions behind the trained ones were never learnt. ${READS}`;

const DFLASH: Causes = {
  none: [offset, given, anotherDrafter, layers, zeros, maskToken, runner, raised],
  hardly: [offset, given, layers, raised, windowLost, anotherDrafter, maskToken, zeros],
  steep: [windowLost, windowIgnored, otherBlock, trainedLittle, prefixCache],
  young: [trainedLittle, windowLost, windowIgnored, otherData],
  cliff: [tooMany, otherBlock],
  low: [prefixCache, thinking, otherData, otherTarget, sampling],
  even: [thinking, otherTarget, otherData, prefixCache],
};

const auxLayers: Cause = (drafting) =>
  `Other hidden states than in training: compare \`eagle_aux_hidden_state_layer_ids\` in ${configOf(drafting)} with the training's.`;

const depth: Cause = ({ tokens }) =>
  `It was trained for fewer tokens ahead than \`num_speculative_tokens\` (${tokens ?? 'unknown'}): lower that.`;

/** EAGLE, Medusa, a draft model of its own. */
const DRAFTER: Causes = {
  none: [anotherDrafter, auxLayers],
  hardly: [anotherDrafter, auxLayers, otherTarget],
  steep: [depth, trainedLittle],
  young: [trainedLittle, depth],
  cliff: [tooMany, depth],
  low: [thinking, otherData, otherTarget, sampling],
  even: [thinking, otherTarget, otherData],
};

const headLost: Cause = () =>
  "The checkpoint has lost its multi-token head: quantizing often drops or spoils it. Look for `mtp` weights in the model's `model.safetensors.index.json`.";

/** Multi-token heads of the target itself; most are trained for one token ahead. */
const HEAD: Causes = {
  none: [headLost],
  hardly: [headLost, otherTarget],
  steep: [depth],
  young: [depth],
  cliff: [tooMany, depth],
  low: [thinking, otherTarget, sampling],
  even: [thinking, otherTarget],
};

function configOf({ drafter }: Drafting): string {
  if (drafter === null) return "the drafter's `config.json`";
  return drafter.startsWith('/')
    ? code(`${drafter.replace(/\/$/, '')}/config.json`)
    : `\`config.json\` of ${code(drafter)}`;
}

/** Only what is known to be older. */
function isBefore(version: string | null, release: string): boolean {
  const found = version === null ? null : parseVersion(version);
  return found !== null && !saysNothing(found) && !isFrom(found, release);
}

/** A branch with the fix may be called like the release that it began from. */
function unlessFixed(version: string | null): string {
  const found = version === null ? null : parseVersion(version);
  return found !== null && isOwnBuild(found) ? ', unless your build has that fix,' : '';
}
