/** What the checks of a training want to know of the host, beside what they share with servers. */

import type { PreflightQuestion } from '../../host/preflight.ts';
import { SHARED_MEMORY_PATH } from '../rows/shared-memory.ts';
import type { Subject } from '../subject.ts';
import { startOf } from './layers.ts';
import { saveFolder } from './save-folder.ts';

type Asked = Pick<PreflightQuestion, 'models' | 'saves' | 'room'>;

/** Nothing where there is no trainer. */
export function trainingAsks({ servers, trainer }: Pick<Subject, 'servers' | 'trainer'>): Asked {
  if (trainer === null) return { models: [], saves: [], room: [] };
  const folders = servers.map(({ extraction }) => extraction?.folder ?? null);
  return {
    models: [startOf(trainer.argv)].filter(isPath),
    saves: [trainer.savePath].filter(isPath),
    room: [saveFolder(trainer), trainer.hiddenStatesPath, ...folders, SHARED_MEMORY_PATH].filter(isPath),
  };
}

/** A hub id is none. */
function isPath(path: string | null): path is string {
  return path !== null && /^(?:[/~.]|[^/]+\/[^/]+\/)/.test(path);
}
