import type { Room } from '../../host/preflight.ts';
import type { Check, Sample } from '../check.ts';
import { ranksOf } from '../gpus.ts';
import { passed, refused, warning } from '../judged.ts';
import { GIB, serving } from '../samples.ts';
import type { Subject } from '../subject.ts';
import { count, size } from '../words.ts';

export const SHARED_MEMORY_PATH = '/dev/shm';

/** Too little for one segment of NCCL (some 10 MB); and what is enough for most. Docker's own default of 64 MiB does for some. */
const LEAST = 8 * 1024 ** 2;
const ENOUGH = 1024 ** 3;

const MOUNT = 'Mount it (`mount -t tmpfs tmpfs /dev/shm` as root), or start the container with `--shm-size`.';

/** `No space left on device` for /dev/shm/nccl-…, or SIGBUS: ranks and API server talk through it. */
export const SHARED_MEMORY: Check = {
  id: 'shared-memory',
  label: 'Shared memory',
  needs: ['room'],
  concerns: (subject) => ranksIn(subject) > 1,
  judge: ({ room }, subject) => {
    const look = room.get(SHARED_MEMORY_PATH);
    if (look === undefined || look.total === 0) return [];
    if (look.path !== SHARED_MEMORY_PATH)
      return [
        warning(`no \`${SHARED_MEMORY_PATH}\` on this host`, {
          needed: `one, for ${count(ranksIn(subject), 'rank')}`,
          advice: MOUNT,
        }),
      ];
    const found = `${size(look.free)} free in \`${SHARED_MEMORY_PATH}\``;
    if (look.free >= ENOUGH) return [passed(found)];
    const needed = `${size(ENOUGH)} or more for ${count(ranksIn(subject), 'rank')}`;
    const advice =
      look.total <= ENOUGH
        ? 'Start the container with `--ipc=host` or a larger `--shm-size`.'
        : `Remove what is left there (\`ls -la ${SHARED_MEMORY_PATH}\`), if nobody uses it.`;
    return [(look.free <= LEAST ? refused : warning)(found, { needed, advice })];
  },
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', '-tp', '2']);
    const at = (free: number, total: number, path = '/dev/shm'): Sample['facts'] => {
      const look: Room = { path, mount: '/dev/shm', free, total, isWritable: true };
      return { room: new Map([['/dev/shm', look]]) };
    };
    return [
      { subject, facts: at(60 * GIB, 64 * GIB), verdicts: ['passed'] },
      { subject, facts: at(GIB / 2, GIB / 2), verdicts: ['warning'] },
      { subject, facts: at(64 * 1024 ** 2, 64 * 1024 ** 2), verdicts: ['warning'] },
      { subject, facts: at(GIB, GIB, '/dev'), verdicts: ['warning'] },
      { subject, facts: at(1024, 64 * GIB), verdicts: ['refused'] },
      { subject: serving(['/models/target']), facts: at(1024, 1024), verdicts: [] },
    ];
  },
};

/** Processes that share memory: the largest server's, or a trainer's. */
function ranksIn({ servers, trainer }: Subject): number {
  return Math.max(0, trainer?.ranks ?? 0, ...servers.map(ranksOf));
}
