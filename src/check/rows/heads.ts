import { list } from '../../list.ts';
import type { Check, Judged, Known, Sample } from '../check.ts';
import { draftTensorSize, sizeOf } from '../gpus.ts';
import { numberAt } from '../json.ts';
import { passed, refused } from '../judged.ts';
import { configOf, targetConfig, textConfig } from '../looks.ts';
import { drafting, pair, serving } from '../samples.ts';
import type { Server } from '../subject.ts';

/** `Total number of attention heads must be divisible by tensor parallel size` (config/model.py), of target and drafter. */
export const HEADS: Check = {
  id: 'heads',
  label: 'Attention heads',
  needs: ['models', 'hub'],
  concerns: ({ servers }) => servers.some((server) => sizeOf(server, '--tensor-parallel-size') > 1),
  judge: (facts, { servers }) => servers.flatMap((server) => judgeServer(server, facts)),
  get samples(): readonly Sample[] {
    const facts = pair();
    const two = ['/models/target', '-tp', '2'];
    const odd = ['/models/target', '-tp', '5'];
    return [
      { subject: serving([...two, ...drafting()]), facts, verdicts: ['passed'] },
      { subject: serving(odd), facts, verdicts: ['refused'] },
      { subject: serving([...odd, ...drafting()]), facts, verdicts: ['refused', 'refused'] },
      { subject: serving([...odd, ...drafting({ draft_tensor_parallel_size: 1 })]), facts, verdicts: ['refused'] },
      { subject: serving(two), facts: { models: new Map(), hub: new Map() }, verdicts: [] },
    ];
  },
};

interface Part {
  readonly what: string;
  readonly heads: number | null;
  readonly tensor: number;
}

function judgeServer(server: Server, facts: Pick<Known, 'models' | 'hub'>): readonly Judged[] {
  const parts = partsOf(server, facts).filter(({ heads, tensor }) => heads !== null && tensor > 1);
  const bad = parts.filter(({ heads, tensor }) => (heads ?? 0) % tensor !== 0);
  if (bad.length === 0)
    return parts.length === 0
      ? []
      : [passed(list(parts.map(({ what, heads }) => `${heads} of the ${what}`)), `divisible by ${parts[0]?.tensor}`)];
  return bad.map(({ what, heads, tensor }) =>
    refused(`${heads} attention heads of the ${what}`, {
      needed: `divisible by ${tensor}, the tensor parallel size`,
      advice: `Choose a size that divides ${heads}${what === 'drafter' ? ', or set `draft_tensor_parallel_size` to 1' : ''}.`,
    }),
  );
}

function partsOf(server: Server, facts: Pick<Known, 'models' | 'hub'>): readonly Part[] {
  const [target, drafter] = [targetConfig(server, facts), configOf(server.drafter, facts)];
  const inner = drafter === null ? null : (drafter.transformer_layer_config ?? textConfig(drafter));
  const heads = target === null ? null : numberAt(textConfig(target), 'num_attention_heads');
  return [
    { what: 'model', heads, tensor: sizeOf(server, '--tensor-parallel-size') },
    { what: 'drafter', heads: numberAt(inner, 'num_attention_heads'), tensor: draftTensorSize(server) },
  ];
}
