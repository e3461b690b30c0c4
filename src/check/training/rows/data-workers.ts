import type { Check, Judged, Sample } from '../../check.ts';
import { passed, warning } from '../../judged.ts';
import { SHARED_MEMORY_PATH } from '../../rows/shared-memory.ts';
import { GIB } from '../../samples.ts';
import { count, size } from '../../words.ts';
import { dataSize } from '../data-size.ts';
import { room, shown, training } from '../samples.ts';

/** DataLoader workers hand batches over in /dev/shm; containers often have 64 MiB of it, and a worker then ends with `Bus error`. */
export const DATA_WORKERS: Check = {
  id: 'data-workers',
  label: 'Shared memory for data workers',
  needs: ['room', 'models', 'hub'],
  concerns: ({ trainer }) => trainer !== null,
  judge: (facts, subject): readonly Judged[] => {
    const at = facts.room.get(SHARED_MEMORY_PATH);
    const data = dataSize(subject, facts);
    if (at === undefined || data === null || data.workers === 0) return [];
    const needed = `${size(data.workers * data.batch)}: a batch of ${size(data.batch)} for each of ${count(data.workers, 'data worker')}`;
    const found = `${size(at.free)} free in \`${SHARED_MEMORY_PATH}\``;
    if (at.free >= data.workers * data.batch) return [passed(found, needed)];
    return [warning(found, { needed, advice: ADVICE })];
  },
  get samples(): readonly Sample[] {
    const facts = (free: number) => ({ ...shown(), room: room({ '/dev/shm': free }) });
    return [
      { subject: training(), facts: facts(100 * GIB), verdicts: ['passed'] },
      { subject: training(), facts: facts(GIB / 16), verdicts: ['warning'] },
      { subject: training({ trainer: '--num-workers 0' }), facts: facts(GIB / 16), verdicts: [] },
      { subject: training(), facts: { ...facts(GIB), models: new Map() }, verdicts: [] },
    ];
  },
};

const ADVICE =
  'Lower `--num-workers` or `--total-seq-len`, or give the container more by `--shm-size` or `--ipc=host`.';
