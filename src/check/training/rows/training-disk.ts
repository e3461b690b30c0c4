import { lastFlag } from '../../../config/flags.ts';
import type { Room } from '../../../host/preflight.ts';
import type { Check, Judged, Known, Sample } from '../../check.ts';
import { passed, refused, warning } from '../../judged.ts';
import { GIB } from '../../samples.ts';
import type { Subject, Trainer } from '../../subject.ts';
import { code, count, grouped, size } from '../../words.ts';
import { dataSize } from '../data-size.ts';
import { asksTarget, numberOf } from '../pair.ts';
import { checkpoint, room, saved, shown, training } from '../samples.ts';
import { saveFolder } from '../save-folder.ts';

/** A full disk leaves a broken checkpoint, or hidden states that are cut off. */
export const TRAINING_DISK: Check = {
  id: 'training-disk',
  label: 'Disk for checkpoints and hidden states',
  needs: ['room', 'saves', 'models', 'hub'],
  concerns: ({ trainer }) => trainer !== null,
  judge: (facts, subject) => {
    const { trainer } = subject;
    return trainer === null ? [] : [...judgeCheckpoints(trainer, facts), ...judgeStates(trainer, subject, facts)];
  },
  get samples(): readonly Sample[] {
    const facts = (free: Readonly<Record<string, number>>, saves = saved()) => ({
      ...shown(),
      saves,
      room: room(free),
    });
    const goesOn = saved(checkpoint('0'), checkpoint('1'));
    const offline = {
      between: 'kill $!; python data_generation_offline.py --max-samples 5000',
      trainer: '--target-layer-ids 2 17 32 47 62 --hidden-states-path /hs --on-missing raise',
    };
    return [
      { subject: training(), facts: facts({ '/w/out': 400 * GIB }), verdicts: ['passed'] },
      { subject: training(), facts: facts({ '/w/out': 9 * GIB }), verdicts: ['warning'] },
      { subject: training(), facts: facts({ '/w/out': 300 * GIB }, goesOn), verdicts: ['passed'] },
      { subject: training(), facts: facts({ '/w/out': 100 * GIB }, goesOn), verdicts: ['warning'] },
      { subject: training(), facts: facts({ '/w/out': 2 * GIB }, goesOn), verdicts: ['refused'] },
      {
        subject: training({ trainer: '--epochs 3' }),
        facts: facts({ '/w/out': 100 * GIB }, goesOn),
        verdicts: ['passed'],
      },
      {
        subject: training(offline),
        facts: facts({ '/w/out': 400 * GIB, '/hs': 9000 * GIB }),
        verdicts: ['passed', 'passed'],
      },
      {
        subject: training(offline),
        facts: facts({ '/w/out': 400 * GIB, '/hs': 90 * GIB }),
        verdicts: ['passed', 'warning'],
      },
      {
        subject: training(),
        facts: facts({ '/w/out': 400 * GIB, '/tmp/hidden_states': GIB }),
        verdicts: ['passed', 'warning'],
      },
      { subject: training({ save: '/w/o-$(date +%s)' }), facts: facts({ '/w': 400 * GIB }), verdicts: ['passed'] },
      { subject: training(), facts: facts({}), verdicts: [] },
    ];
  },
};

type Facts = Pick<Known, 'room' | 'saves' | 'models' | 'hub'>;

/** Where nothing tells how large a checkpoint gets. */
const LEAST = 20 * GIB;

function judgeCheckpoints(trainer: Trainer, { room: rooms, saves }: Facts): readonly Judged[] {
  const folder = saveFolder(trainer);
  const at = folder === null ? undefined : rooms.get(folder);
  if (at === undefined) return [];
  const look = saves.get(trainer.savePath ?? '');
  const checkpoints = look?.kind === 'folder' ? look.checkpoints : [];
  const one = Math.max(0, ...checkpoints.map(({ bytes }) => bytes));
  const found = `${size(at.free)} free for ${code(trainer.savePath ?? trainer.newSavePath ?? '')}`;
  if (one === 0) {
    if (at.free >= LEAST) return [passed(found)];
    return [
      warning(found, { needed: `about ${size(LEAST)}: nothing tells how large a checkpoint gets`, advice: FREE }),
    ];
  }
  const left = checkpointsLeft(trainer, checkpoints.length);
  const needed = `${size(one * left)} for ${count(left, 'more checkpoint')} of ${size(one)}`;
  if (at.free >= one * left) return [passed(found, needed)];
  const told = { needed, advice: FREE };
  return [at.free < one ? refused(found, told) : warning(found, told)];
}

const FREE = 'Make room, remove old checkpoints, or set `--save-best`, which keeps the best one only.';

/** One an epoch; while the best one is replaced there are two of it. */
function checkpointsLeft(trainer: Trainer, there: number): number {
  if (lastFlag(trainer.argv, '--save-best') !== null) return 2;
  return Math.max(1, (numberOf(trainer, '--epochs', 20) ?? 1) - there);
}

/** Samples are much shorter than --total-seq-len, which several of them share. */
const USUAL = 0.1;

/** All samples where they are kept; else what the workers have asked for and not yet read. */
function judgeStates(trainer: Trainer, subject: Subject, facts: Facts): readonly Judged[] {
  const data = dataSize(subject, facts);
  if (data === null) return [];
  const isKept = !asksTarget(trainer) || lastFlag(trainer.argv, '--on-generate')?.value === 'cache';
  const folder = isKept ? trainer.hiddenStatesPath : (subject.servers.at(-1)?.extraction?.folder ?? null);
  const at: Room | undefined = folder === null ? undefined : facts.room.get(folder);
  const samples = isKept ? (trainer.samples ?? null) : data.workers;
  if (at === undefined || folder === null || samples === null) return [];
  const tokens = isKept ? Math.round(data.tokens * USUAL) : data.tokens;
  const bytes = (samples * data.batch * tokens) / data.tokens;
  const found = `${size(at.free)} free for ${code(folder)}`;
  const what = isKept
    ? `${count(samples, 'sample')} of some`
    : `one sample for each of ${count(samples, 'data worker')}, of up to`;
  const needed = `about ${size(bytes)} (${what} ${grouped(tokens)} tokens, and ${data.layers} layers)`;
  if (at.free >= bytes) return [passed(found, needed)];
  return [warning(found, { needed, advice: 'Make room, or give the hidden states a folder on a larger disk.' })];
}
