import type { Check, Judged, Known, Sample } from '../check.ts';
import { draftsWithDflash, type Pair, pairsIn } from '../drafts.ts';
import { numberAt } from '../json.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { lookOf } from '../looks.ts';
import { DRAFTER, draftFolder, drafting, models, pair, serving, TARGET } from '../samples.ts';
import { code, count, grouped } from '../words.ts';

/** Which of the target's layers the drafter reads: z-lab's ids count from 0, those of speculators one higher for the same layer. */
export const DRAFT_LAYERS: Check = {
  id: 'draft-layers',
  label: 'Layers that the drafter reads',
  needs: ['models', 'hub'],
  concerns: ({ servers }) => servers.some(draftsWithDflash),
  judge: (facts, subject) => pairsIn(subject, facts).flatMap((pair) => judgePair(pair, facts)),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', ...drafting()]);
    const ids = (...list: readonly number[]) => pair({ ...DRAFTER, dflash_config: { target_layer_ids: list } });
    const both = { ...DRAFTER, aux_hidden_state_layer_ids: [2, 17, 32, 47, 62] };
    const speculators = { speculators_model_type: 'dflash', aux_hidden_state_layer_ids: [2, 17, 32, 47, 64] };
    const [weight] = draftFolder(DRAFTER).weights;
    const header = '{"fc.weight":{"dtype":"BF16","shape":[5120,15360],"data_offsets":[0,1]}}';
    const narrow = draftFolder(DRAFTER, { weights: weight === undefined ? [] : [{ ...weight, header }] });
    return [
      { subject, facts: pair(), verdicts: ['passed'] },
      { subject, facts: pair(speculators), verdicts: ['passed'] },
      { subject, facts: ids(1, 16, 31, 46, 64), verdicts: ['refused'] },
      { subject, facts: pair({ ...speculators, aux_hidden_state_layer_ids: [2, 65] }), verdicts: ['refused'] },
      { subject, facts: ids(16, 1, 31, 31, 61), verdicts: ['warning'] },
      { subject, facts: pair(both), verdicts: ['warning'] },
      { subject, facts: pair({ ...DRAFTER, dflash_config: {} }), verdicts: ['warning'] },
      { subject, facts: { models: models({}, DRAFTER), hub: new Map() }, verdicts: ['unknown'] },
      {
        subject,
        facts: { ...pair(), models: new Map([...models(TARGET, DRAFTER), ['/models/drafter', narrow] as const]) },
        verdicts: ['refused'],
      },
    ];
  },
};

function judgePair(pair: Pair, facts: Pick<Known, 'models' | 'hub'>): readonly Judged[] {
  const { drafter, targetLayers, server } = pair;
  const { layerIds, form } = drafter;
  if (layerIds === null)
    return [
      warning('the drafter names no layers of its target', {
        needed: `\`${form === 'z-lab' ? 'dflash_config.target_layer_ids' : 'aux_hidden_state_layer_ids'}\``,
        advice: "Correct the drafter's `config.json`: without ids vLLM chooses some by itself.",
      }),
    ];
  const { key, ids } = layerIds;
  const found = `${code(key)} ${ids.join(', ')} (${COUNTS[form]})`;
  const last = targetLayers === null ? null : targetLayers - (form === 'z-lab' ? 1 : 0);
  const outside = ids.find((id) => id < 0 || (last !== null && id > last));
  if (outside !== undefined)
    return [
      refused(found, {
        needed:
          last === null
            ? 'ids from 0'
            : `ids from 0 to ${last}, since the target has ${count(targetLayers ?? 0, 'layer')}`,
        advice: `Correct ${code(key)} in the drafter's \`config.json\`: ${outside} is no layer of the target.`,
      }),
    ];
  const width = widthOf(pair, facts);
  const wanted = ids.length * (numberAt(pair.target, 'hidden_size') ?? 0);
  if (width !== null && wanted > 0 && width !== wanted)
    return [
      refused(`${found}: ${count(ids.length, 'layer')} of ${grouped(wanted / ids.length)} make ${grouped(wanted)}`, {
        needed: `${grouped(width)}, as the drafter's \`fc.weight\` takes them`,
        advice: `Correct ${code(key)}: these weights were trained with another number of layers, or another target.`,
      }),
    ];
  if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? -1)))
    return [
      warning(found, { needed: 'each id once, in rising order', advice: `Check ${code(key)} against the training.` }),
    ];
  if (form === 'z-lab' && namesOtherIds(server, facts))
    return [
      warning(`${found}, and \`aux_hidden_state_layer_ids\` beside it, which counts otherwise`, {
        needed: 'one of the two',
        advice: "Remove the other key from the drafter's `config.json`, so that nobody reads the wrong one.",
      }),
    ];
  if (targetLayers === null) return [unknown(`${found}; how many layers the target has is not known here`)];
  return [passed(`${found}, of ${targetLayers} layers`)];
}

const COUNTS = { 'z-lab': 'layers counted from 0', speculators: 'hidden states, the embedding is 0' } as const;

/** Its config.json has the ids of speculators as well. */
function namesOtherIds(server: Pair['server'], facts: Pick<Known, 'models' | 'hub'>): boolean {
  const look = server.drafter === null ? null : lookOf(server.drafter, facts);
  return look?.kind === 'model' && look.config?.includes('"aux_hidden_state_layer_ids"') === true;
}

/** Columns of the drafter's first projection: layers × hidden size. null where its header doesn't show it, or they are packed (FP4). */
function widthOf({ server }: Pair, facts: Pick<Known, 'models' | 'hub'>): number | null {
  const look = server.drafter === null ? null : lookOf(server.drafter, facts);
  if (look?.kind !== 'model') return null;
  for (const { header } of look.weights) {
    const width = PROJECTION.exec(header)?.groups?.width;
    if (width !== undefined) return Number(width);
  }
  return null;
}

const PROJECTION = /"(?:model\.)?fc\.weight":\{"dtype":"(?:BF|F)\d{2}","shape":\[\d{1,9},(?<width>\d{1,9})\]/;
