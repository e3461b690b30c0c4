import type { Check, Judged, Sample } from '../check.ts';
import { draftsWithDflash, type Pair, pairsIn } from '../drafts.ts';
import { passed, refused, warning } from '../judged.ts';
import { DRAFTER, drafting, pair, serving } from '../samples.ts';
import { count } from '../words.ts';

/** Sliding layers without a window run as full attention, or not at all (`requires a window size`). */
export const DRAFTER_CONFIG: Check = {
  id: 'drafter-config',
  label: 'Drafter config',
  needs: ['models', 'hub'],
  concerns: ({ servers }) => servers.some(draftsWithDflash),
  judge: (facts, subject) => pairsIn(subject, facts).flatMap(judgePair),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', ...drafting()]);
    const at = (changes: object): Sample['facts'] => pair({ ...DRAFTER, ...changes });
    return [
      { subject, facts: at({}), verdicts: ['passed'] },
      {
        subject,
        facts: at({ layer_types: Array(5).fill('full_attention'), sliding_window: null }),
        verdicts: ['passed'],
      },
      { subject, facts: at({ layer_types: ['full_attention'] }), verdicts: ['refused'] },
      { subject, facts: at({ sliding_window: null }), verdicts: ['refused'] },
      { subject, facts: at({ use_sliding_window: false }), verdicts: ['warning'] },
      { subject, facts: at({ layer_types: undefined, sliding_window: null }), verdicts: [] },
    ];
  },
};

function judgePair({ drafter }: Pair): readonly Judged[] {
  const { layerTypes, layers, slidingWindow, dropsWindow } = drafter;
  if (layerTypes === null) return [];
  const sliding = layerTypes.filter((type) => type === 'sliding_attention').length;
  const found = `\`layer_types\` of ${count(layerTypes.length, 'layer')}, ${sliding === 0 ? 'none' : sliding} of them sliding`;
  if (layers !== null && layers !== layerTypes.length)
    return [
      refused(found, {
        needed: `${layers}, as \`num_hidden_layers\` says`,
        advice: "Correct the drafter's `config.json`: one type a layer.",
      }),
    ];
  if (sliding > 0 && slidingWindow === null)
    return [
      refused(`${found}, and no \`sliding_window\``, {
        needed: '`sliding_window` with the window of the training',
        advice: "Correct the drafter's `config.json` (2048 is what z-lab trains with).",
      }),
    ];
  if (sliding > 0 && dropsWindow)
    return [
      warning(`${found}, and \`use_sliding_window\` is false`, {
        needed: '`use_sliding_window` true',
        advice: "Correct the drafter's `config.json`: with false transformers may drop the window.",
      }),
    ];
  return [passed(slidingWindow === null || sliding === 0 ? found : `${found} with a window of ${slidingWindow}`)];
}
