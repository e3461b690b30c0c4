/** What a train recipe says beyond its command: where its target server is, how long a stop takes, what Vigil adds to its environment. */

import { posix } from 'node:path';
import type { z } from 'zod';
import type { TrainRecipe } from './config.ts';
import { bare } from './fields.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import type { RecipeKeys } from './schema.ts';

type Fields = Partial<z.output<typeof RecipeKeys>>;

/** Seconds that a stop waits by default: SIGTERM makes the ranks save a checkpoint before they go; torchrun itself ends after 30 s those that don't. */
export const TRAINING_GRACE = 120;

/**
 * Without a terminal rich breaks a record at 80 columns and Python holds back what a process prints before it replaces itself: COLUMNS makes
 * one metric record one line, PYTHONUNBUFFERED keeps the target's command line in its log. Both only matter to what is read.
 */
const READABLE = { COLUMNS: '1000', PYTHONUNBUFFERED: '1' };

/** The variables of the process: the recipe's own, and what makes its log readable where the recipe doesn't set it. */
export function trainingEnvironment(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return bare(Object.entries({ ...READABLE, ...own }));
}

/** The script starts the target server on the same host, so it is asked on loopback. */
export function readTarget(
  { target, log }: Fields,
  { path, mistakes }: { path: Path; mistakes: Mistakes },
): Pick<TrainRecipe, 'address' | 'targetLog'> {
  const targetLog = target?.log ?? null;
  if (targetLog !== null && log !== undefined && posix.normalize(targetLog) === posix.normalize(log)) {
    const expected = "expected another file than log: the training's and the target server's are read apart";
    const advice = 'write the log that the server alone writes, or leave the key out where both share one';
    mistakes.add([...path, 'target', 'log'], `found ${showText(targetLog)}, ${expected}; ${advice}`);
  }
  const port = target?.port;
  return { address: port === undefined ? null : { kind: 'tcp', host: '127.0.0.1', port }, targetLog };
}
