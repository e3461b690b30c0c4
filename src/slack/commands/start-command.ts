/** What the two commands that start a run have in common: `/vllm launch` and `/dflash train`. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Call } from '../call.ts';
import type { Kind } from '../kinds.ts';
import { oneOf, recipeOf } from './arguments.ts';
import { DRY_RUN_NOTE, dryRun } from './dry-run.ts';
import { FORCE_NOTE, LINE_NOTE, LINE_OPTIONS, modeOf, startRun } from './start.ts';

export const START_USAGE = '[--queue | --replace | --dry-run] [--force]';

export const START_NOTES: readonly string[] = [
  'One thread tells the whole story, to its end.',
  LINE_NOTE,
  DRY_RUN_NOTE,
  FORCE_NOTE,
];

/** Spread into the definition of either. */
export function startCommand(kind: Kind) {
  return {
    right: 'launch',
    whenClosed: 'Not accepted: Redis does not answer, nothing was started.',
    options: { ...LINE_OPTIONS, 'dry-run': 'flag', force: 'flag' },
    args: (call: Call) => argsOf(kind, call),
    run,
  } as const;
}

function argsOf(kind: Kind, { config }: Call) {
  return z.object({
    host: oneOf('host', Object.keys(config.hosts)),
    recipe: recipeOf(kind, config),
    queue: z.boolean(),
    replace: z.boolean(),
    dryRun: z.boolean(),
    force: z.boolean(),
  });
}

function run({ host, recipe, ...how }: z.output<ReturnType<typeof argsOf>>, call: Call): Promise<Message> {
  const mode = modeOf(how);
  return how.dryRun
    ? dryRun({ host, recipe }, call)
    : startRun({ host, recipe, mode, isForced: how.force, trigger: call.from.trigger }, call);
}
