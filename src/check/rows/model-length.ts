import type { Check, Judged, Known, Sample } from '../check.ts';
import { asObject, type JsonObject, numberAt, textAt } from '../json.ts';
import { passed, refused, warning } from '../judged.ts';
import { targetConfig, textConfig } from '../looks.ts';
import { wholeFlag } from '../numbers.ts';
import { ALLOWS_LENGTH } from '../prelude.ts';
import { DRAFTER, models, serving, TARGET } from '../samples.ts';
import type { Server } from '../subject.ts';
import { isUnread } from '../unread.ts';
import { grouped } from '../words.ts';

/** `User-specified max_model_len is greater than the derived` (config/model.py). */
export const MODEL_LENGTH: Check = {
  id: 'model-length',
  label: 'Model length',
  needs: ['models', 'hub'],
  concerns: ({ servers }) => servers.some(({ argv }) => wholeFlag(argv, '--max-model-len') !== null),
  judge: (facts, { servers }) => servers.flatMap((server) => judgeServer(server, facts)),
  get samples(): readonly Sample[] {
    const at = (target: unknown): Sample['facts'] => ({ models: models(target, DRAFTER), hub: new Map() });
    const yarn = { max_position_embeddings: 32_768, rope_scaling: { rope_type: 'yarn', factor: 4 } };
    const llama3 = { max_position_embeddings: 131_072, rope_scaling: { rope_type: 'llama3', factor: 8 } };
    const nested = { max_position_embeddings: 131_072, rope_parameters: { full_attention: { rope_type: 'yarn' } } };
    const asking = (...words: readonly string[]) => serving(['/models/target', '--max-model-len', ...words]);
    const environment = { VLLM_ALLOW_LONG_MAX_MODEL_LEN: '1' };
    return [
      { subject: asking('32768'), facts: at(TARGET), verdicts: ['passed'] },
      { subject: asking('300k'), facts: at(TARGET), verdicts: ['refused'] },
      { subject: asking('131072'), facts: at(yarn), verdicts: ['passed'] },
      { subject: asking('200000'), facts: at(yarn), verdicts: ['refused'] },
      { subject: asking('200000'), facts: at(llama3), verdicts: ['refused'] },
      { subject: asking('200000'), facts: at(nested), verdicts: ['warning'] },
      { subject: asking('300000', '--hf-overrides', '{"rope_scaling":{}}'), facts: at(TARGET), verdicts: ['warning'] },
      {
        subject: serving(['/models/target', '--max-model-len', '300000'], { recipe: { environment } }),
        facts: at(TARGET),
        verdicts: ['warning'],
      },
      { subject: asking('32768'), facts: at({}), verdicts: [] },
    ];
  },
};

function judgeServer(server: Server, facts: Pick<Known, 'models' | 'hub'>): readonly Judged[] {
  const asked = wholeFlag(server.argv, '--max-model-len');
  const whole = targetConfig(server, facts);
  const config = whole === null ? null : textConfig(whole);
  const most = numberAt(config, 'max_position_embeddings');
  if (asked === null || config === null || most === null) return [];
  const { limit, isSure } = limitOf(config, most);
  const found = `\`--max-model-len\` ${grouped(asked)}`;
  const needed = `at most ${grouped(limit)}, as the model's \`config.json\` allows`;
  if (asked <= limit) return [passed(found, needed)];
  const isAllowed =
    !isSure ||
    server.argv.some((word) => /^--(?:hf[-_]overrides|rope[-_]scaling)/.test(word)) ||
    server.environment[ALLOWS_LENGTH] !== undefined ||
    isUnread(server, ALLOWS_LENGTH) ||
    asked <= (numberAt(config, 'model_max_length') ?? numberAt(whole, 'model_max_length') ?? 0);
  const advice = `Set it to ${limit} or less: beyond that the model was not trained.`;
  return [(isAllowed ? warning : refused)(found, { needed, advice })];
}

/** Types of scaling whose factor max_position_embeddings has in it already (config/model.py). */
const INCLUDED = ['default', 'su', 'longrope', 'llama3', 'mrope'];

/** As vllm derives it. Not sure where the scaling has a part for every kind of layer. */
function limitOf(config: JsonObject, most: number): { readonly limit: number; readonly isSure: boolean } {
  const scaling = asObject(config.rope_scaling) ?? asObject(config.rope_parameters);
  const type = textAt(scaling, 'rope_type') ?? textAt(scaling, 'type') ?? 'default';
  const isNested = Object.values(scaling ?? {}).some((part) => asObject(part) !== null);
  if (INCLUDED.includes(type)) return { limit: most, isSure: !isNested };
  const from = (type === 'yarn' ? numberAt(scaling, 'original_max_position_embeddings') : null) ?? most;
  return { limit: Math.floor(from * Math.max(1, numberAt(scaling, 'factor') ?? 1)), isSure: true };
}
