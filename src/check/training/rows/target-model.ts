import { lastFlag } from '../../../config/flags.ts';
import { list } from '../../../list.ts';
import type { Check, Judged, Sample } from '../../check.ts';
import { passed, refused } from '../../judged.ts';
import { nameOf } from '../../model-ref.ts';
import type { Server } from '../../subject.ts';
import { isUnread } from '../../unread.ts';
import { code } from '../../words.ts';
import { asksTarget, type Pair, pairOf } from '../pair.ts';
import { training } from '../samples.ts';
import { wordsBehind } from '../words-behind.ts';

/** The trainer compares its verifier with the id in the target's /v1/models, letter by letter; a hub id and a path of the same model differ. */
export const TARGET_MODEL: Check = {
  id: 'target-model',
  label: 'Model of target and trainer',
  needs: [],
  concerns: (subject) => pairOf(subject)?.target != null,
  judge: (_, subject) => {
    const pair = pairOf(subject);
    return pair === null ? [] : judgePair(pair);
  },
  get samples(): readonly Sample[] {
    const served = '--target-layer-ids 2 -- --served-model-name big target --port 8000';
    return [
      { subject: training(), facts: {}, verdicts: ['passed'] },
      { subject: training({ verifier: 'Qwen/Qwen3.6-27B' }), facts: {}, verdicts: ['refused'] },
      { subject: training({ verifier: '/models/target/' }), facts: {}, verdicts: ['refused'] },
      { subject: training({ target: served }), facts: {}, verdicts: ['refused'] },
      { subject: training({ target: served, verifier: 'target' }), facts: {}, verdicts: ['passed'] },
      { subject: training({ verifier: '$MODEL' }), facts: {}, verdicts: [] },
      { subject: training({ verifier: 'x', trainer: '--on-missing raise' }), facts: {}, verdicts: [] },
    ];
  },
};

function judgePair({ trainer, target }: Pair): readonly Judged[] {
  const names = target === null ? null : namesOf(target);
  if (names === null || trainer.verifier === null || !asksTarget(trainer)) return [];
  if (names.includes(trainer.verifier)) return [passed(`${code(trainer.verifier)} on both sides`)];
  if ([...names, trainer.verifier].some((name) => name.startsWith('~'))) return [];
  return [
    refused(`the target serves ${list(names.map(code))}, the trainer asks for ${code(trainer.verifier)}`, {
      needed: 'the same text on both sides',
      advice: `Write ${code(names[0] ?? '')} behind \`--verifier-name-or-path\`, or the same at the target: every data worker compares them and ends at its first batch.`,
    }),
  ];
}

/** What /v1/models will list; null where it can't be read. */
function namesOf(server: Server): readonly string[] | null {
  const { argv, model } = server;
  if (isUnread(server, '--served-model-name')) return null;
  if (lastFlag(argv, '--served-model-name') !== null) return wordsBehind(argv, '--served-model-name');
  return model === null ? null : [nameOf(model)];
}
