import { lastFlag } from '../../../config/flags.ts';
import { list } from '../../../list.ts';
import type { Check, Judged, Sample } from '../../check.ts';
import { passed, refused } from '../../judged.ts';
import type { Subject } from '../../subject.ts';
import { count } from '../../words.ts';
import { type Layers, readLayers } from '../layers.ts';
import { pairOf } from '../pair.ts';
import { shown, training } from '../samples.ts';

/** The target gives out the trainer's layers and the last one; with others the first forward fails, or the drafter learns from the wrong ones. */
export const TRAINING_LAYERS: Check = {
  id: 'training-layers',
  label: 'Layers of target and trainer',
  needs: ['models', 'hub'],
  concerns: (subject) => pairOf(subject)?.target != null && !isMtp(subject),
  judge: (facts, subject) => {
    const pair = pairOf(subject);
    return pair === null ? [] : judgeLayers(readLayers(pair, facts));
  },
  get samples(): readonly Sample[] {
    const facts = shown();
    const ids = (target: string, trainer: string) =>
      training({ target: `${target} -- --port 8000`, trainer: trainer === '' ? '' : `--target-layer-ids ${trainer}` });
    const last = (layerIds: readonly number[]) => {
      const hf = { hf_config: { eagle_aux_hidden_state_layer_ids: layerIds } };
      const config = { method: 'extract_hidden_states', num_speculative_tokens: 1, draft_model_config: hf };
      const server = `vllm serve /models/target --speculative-config '${JSON.stringify(config)}'`;
      return training({ server, trainer: '--target-layer-ids 2 32 61' });
    };
    const from = '--from-pretrained /models/first';
    return [
      { subject: training(), facts, verdicts: ['passed'] },
      { subject: ids('', ''), facts, verdicts: ['passed'] },
      { subject: ids('--target-layer-ids 1 16 31', '2 17 32'), facts, verdicts: ['refused'] },
      { subject: ids('--target-layer-ids 2 17', '2 17 32'), facts, verdicts: ['refused'] },
      { subject: ids('--target-layer-ids 2 17 32', '2 17 32 64'), facts, verdicts: ['refused'] },
      { subject: ids('--target-layer-ids 2 17 65', '2 17 65'), facts, verdicts: ['refused'] },
      { subject: ids('--target-layer-ids 3 17 32', ''), facts, verdicts: ['refused'] },
      { subject: ids('--no-include-last-layer --target-layer-ids 2 17', '2 17'), facts, verdicts: ['refused'] },
      { subject: last([2, 32, 61, 64]), facts, verdicts: ['passed'] },
      { subject: last([2, 32, 61]), facts, verdicts: ['refused'] },
      { subject: last([2, 32, 61, 64]), facts: { models: new Map(), hub: new Map() }, verdicts: ['passed'] },
      { subject: training({ trainer: from }), facts, verdicts: ['passed'] },
      { subject: training({ trainer: from }), facts: shown([1, 16, 31, 46, 61]), verdicts: ['refused'] },
      {
        subject: training({ trainer: `${from} --target-layer-ids 2 17 32 47 62` }),
        facts: shown([1, 16, 31, 46, 61]),
        verdicts: ['refused'],
      },
      { subject: training({ trainer: '--target-layer-ids $IDS' }), facts, verdicts: [] },
      { subject: training({ trainer: '--speculator-type mtp --target-layer-ids 64' }), facts, verdicts: [] },
    ];
  },
};

/** A multi-token head reads the last layer alone. */
function isMtp({ trainer }: Subject): boolean {
  return trainer !== null && lastFlag(trainer.argv, '--speculator-type')?.value === 'mtp';
}

function judgeLayers({ count: layers, given, addsLast, read, drafter }: Layers): readonly Judged[] {
  if (given === null || read === null) return [];
  const wrong = [...given, ...read.ids].find((id) => id < 0 || (layers !== null && id > layers));
  if (wrong !== undefined)
    return [
      refused(`layer ${wrong} is asked for`, {
        needed:
          layers === null
            ? 'layers from 0 on'
            : `layers from 0 to ${layers}, since the target has ${count(layers, 'layer')}`,
        advice: 'Correct `--target-layer-ids`.',
      }),
    ];
  if (drafter !== null && !isSame(drafter, read.ids))
    return [
      refused(
        `the trainer reads layers ${ids(read.ids)}, the drafter that it begins with was made for ${ids(drafter)}`,
        {
          needed: 'the same layers',
          advice: `Write \`--target-layer-ids ${drafter.join(' ')}\` at both, or begin with another drafter.`,
        },
      ),
    ];
  const { named, hasLast } = splitLast(given, { layers, addsLast, reads: read.ids.length });
  const last = layers === null ? 'the last one' : `the last one (${layers})`;
  const wanted = (read.by === 'default' ? named : read.ids).filter((id) => id !== layers);
  if (!isSame(named, read.ids))
    return [
      refused(`the target gives out layers ${ids(named)}, the trainer reads ${ids(read.ids)}${BY[read.by]}`, {
        needed: `the same layers on both sides, with ${last} at the target alone`,
        advice: `Write \`--target-layer-ids ${wanted.join(' ')}\` at both: else the first step fails, or the drafter learns from the wrong layers.`,
      }),
    ];
  if (!hasLast)
    return [
      refused(`the target gives out layers ${ids(given)}, not ${last}`, {
        needed: `${last}, too: the trainer takes the target's answer from it`,
        advice: `Add it to \`eagle_aux_hidden_state_layer_ids\` of the target${layers === null ? '' : ` (${[...given, layers].join(', ')})`}, or leave \`--no-include-last-layer\` out.`,
      }),
    ];
  return [passed(`layers ${ids(named)} on both sides, and ${last} at the target`)];
}

const BY = { flag: '', drafter: ', as the drafter that it begins with says', default: ' by default' } as const;

interface Last {
  readonly layers: number | null;
  readonly addsLast: boolean;
  /** How many the trainer reads. */
  readonly reads: number;
}

/** Where nobody knows how many layers there are, one more than the trainer reads counts as the last. */
function splitLast(given: readonly number[], { layers, addsLast, reads }: Last) {
  const isLast = layers === null ? !addsLast && given.length === reads + 1 : given.at(-1) === layers;
  return { named: isLast ? given.slice(0, -1) : given, hasLast: isLast || addsLast };
}

/** In their order: it is the order in which they stand in the files. */
function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

function ids(numbers: readonly number[]): string {
  return list(numbers.map(String));
}
