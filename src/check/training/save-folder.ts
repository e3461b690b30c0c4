/** Whose file system gets the checkpoints. */

import type { Trainer } from '../subject.ts';

/** The save path, or of one that is new at each start the folder above what only the shell knows; null where nothing is known. */
export function saveFolder({ savePath, newSavePath }: Pick<Trainer, 'savePath' | 'newSavePath'>): string | null {
  if (newSavePath === undefined) return savePath;
  const open = newSavePath.search(/[$`]/);
  const start = open === -1 ? newSavePath : newSavePath.slice(0, open);
  const end = start.lastIndexOf('/');
  if (end === 0) return '/';
  return end === -1 ? null : start.slice(0, end);
}
