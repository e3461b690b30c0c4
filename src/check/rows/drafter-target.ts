import type { Check, Judged, Sample } from '../check.ts';
import { draftsWithDflash, type Pair, pairsIn } from '../drafts.ts';
import { numberAt } from '../json.ts';
import { passed, refused, warning } from '../judged.ts';
import { DRAFTER, drafting, pair, serving } from '../samples.ts';
import { grouped } from '../words.ts';

/** A drafter of another target: it fails late with `concatenated aux hidden features`, or serves and drafts nonsense. */
export const DRAFTER_TARGET: Check = {
  id: 'drafter-target',
  label: 'Drafter and target',
  needs: ['models', 'hub'],
  concerns: ({ servers }) => servers.some(draftsWithDflash),
  judge: (facts, subject) => pairsIn(subject, facts).flatMap(judgePair),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', ...drafting()]);
    const at = (changes: object): Sample['facts'] => pair({ ...DRAFTER, ...changes });
    const speculators = {
      speculators_model_type: 'dflash',
      transformer_layer_config: { hidden_size: 5120, vocab_size: 248_320, num_hidden_layers: 5 },
    };
    return [
      { subject, facts: at({}), verdicts: ['passed'] },
      { subject, facts: pair(speculators), verdicts: ['passed'] },
      { subject, facts: at({ hidden_size: 4096 }), verdicts: ['refused'] },
      { subject, facts: at({ vocab_size: 151_936 }), verdicts: ['warning'] },
      { subject, facts: at({ num_target_layers: 36 }), verdicts: ['warning'] },
      { subject, facts: { models: new Map(), hub: new Map() }, verdicts: [] },
    ];
  },
};

const ADVICE = "Take the drafter that was trained for this target, or correct the drafter's `config.json`.";

function judgePair({ drafter, target, targetLayers }: Pair): readonly Judged[] {
  if (target === null) return [];
  const bad = [
    compare('has a hidden size of', {
      has: drafter.hiddenSize,
      wants: numberAt(target, 'hidden_size'),
      judged: refused,
    }),
    compare('has a vocabulary of', { has: drafter.vocabulary, wants: numberAt(target, 'vocab_size'), judged: warning }),
    compare('counts the layers of its target as', { has: drafter.targetLayers, wants: targetLayers, judged: warning }),
  ].filter((judged) => judged !== null);
  if (bad.length > 0) return bad;
  if (drafter.hiddenSize === null) return [];
  return [passed(`hidden size ${grouped(drafter.hiddenSize)} in both`)];
}

interface Comparison {
  readonly has: number | null;
  readonly wants: number | null;
  readonly judged: typeof refused;
}

/** null where they are the same, or one of them isn't told. */
function compare(what: string, { has, wants, judged }: Comparison): Judged | null {
  if (has === null || wants === null || has === wants) return null;
  return judged(`the drafter ${what} ${grouped(has)}`, {
    needed: `${grouped(wants)}, as the target's \`config.json\` has it`,
    advice: ADVICE,
  });
}
