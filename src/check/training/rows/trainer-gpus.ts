import { deviceName, findDevices } from '../../../place/devices.ts';
import type { Check, Judged, Known, Sample } from '../../check.ts';
import { missingWords, NOBODY_KNOWS } from '../../gpus.ts';
import { passed, refused, unknown, warning } from '../../judged.ts';
import type { Subject, Trainer } from '../../subject.ts';
import { code, count } from '../../words.ts';
import { FOUR, training } from '../samples.ts';

/** One rank a GPU: torchrun starts them all, and those without one end with `invalid device ordinal`. */
export const TRAINER_GPUS: Check = {
  id: 'trainer-gpus',
  label: 'GPUs of the trainer',
  needs: ['gpus'],
  concerns: ({ trainer }) => trainer !== null,
  judge: ({ gpus }, subject) => (subject.trainer === null ? [] : judgeTrainer(subject.trainer, subject, gpus)),
  get samples(): readonly Sample[] {
    const facts = { gpus: FOUR };
    return [
      { subject: training(), facts, verdicts: ['passed'] },
      {
        subject: training({ trainerGpus: '', command: 'deepspeed --include localhost:2,3 train.py' }),
        facts,
        verdicts: ['passed'],
      },
      {
        subject: training({ trainerGpus: '', command: 'accelerate launch --gpu_ids all --num_processes 4 train.py' }),
        facts,
        verdicts: ['passed'],
      },
      { subject: training({ trainerGpus: '3' }), facts, verdicts: ['refused'] },
      { subject: training({ trainerGpus: '4,5' }), facts, verdicts: ['refused'] },
      { subject: training({ trainerGpus: '1,2,3' }), facts, verdicts: ['warning'] },
      { subject: training({ trainerGpus: '' }, { devices: ['0'] }), facts, verdicts: ['refused'] },
      { subject: training(), facts: { gpus: null }, verdicts: ['unknown'] },
      { subject: training({ trainerGpus: '$FREE' }), facts, verdicts: [] },
    ];
  },
};

function judgeTrainer(trainer: Trainer, subject: Subject, gpus: Known['gpus']): readonly Judged[] {
  const { ranks, devices, unread = [] } = trainer;
  // What only the shell knows is told by another row.
  if (unread.includes('CUDA_VISIBLE_DEVICES')) return [];
  const visible = devices ?? subject.devices ?? subject.recipe.gpus;
  const names = typeof visible === 'number' ? [] : visible;
  const seen = typeof visible === 'number' ? visible : visible.length;
  const found = `${count(seen, 'GPU')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
  if (ranks === null)
    return isCounted(trainer) ? [] : [unknown(`${found}; how many ranks it starts is not said`, { advice: SAY })];
  const needed = `${ranks}, one for each rank (${code(`--nproc_per_node ${ranks}`)})`;
  const where = devices === null ? "the recipe's `gpus`" : 'CUDA_VISIBLE_DEVICES of the trainer';
  if (seen < ranks)
    return [
      refused(found, { needed, advice: `Give ${where} ${count(ranks, 'GPU')}, or start ${count(seen, 'rank')}.` }),
    ];
  if (gpus === null) return [unknown(`${found} named; ${NOBODY_KNOWS}`, { needed })];
  const there = findDevices(names, subject.host, gpus);
  if (typeof there === 'string') {
    const missing = missingWords(names, subject.host, gpus) ?? there.split('. ', 1)[0] ?? there;
    return [refused(missing, { needed, advice: `Correct ${where}.` })];
  }
  if (devices !== null && seen > ranks)
    return [
      warning(found, {
        needed,
        advice: `Start ${count(seen, 'rank')}, or take fewer GPUs: ${count(seen - ranks, 'GPU')} would do nothing.`,
      }),
    ];
  return [passed(there.length === 0 ? found : `${count(seen, 'GPU')} (${there.map(deviceName).join(', ')})`, needed)];
}

/** Its number of ranks stands in the command, though only the shell knows it. */
function isCounted({ unread = [] }: Trainer): boolean {
  return unread.some((name) => /^--n(?:um[-_](?:processes|gpus)|proc[-_]per[-_]node)$/.test(name));
}

const SAY = 'Give `--num_processes` (accelerate) or `--num_gpus` (deepspeed) in the command.';
