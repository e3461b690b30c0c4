/** What the two commands that start a run have in common: `/vllm launch` and `/dflash train`. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Call } from '../call.ts';
import type { Kind } from '../kinds.ts';
import { hostOf, recipeOf } from './arguments.ts';
import { dryRun } from './dry-run.ts';
import type { Options } from './options.ts';
import { modeOf, startRun } from './start.ts';

export const START_USAGE = '[--queue | --replace | --dry-run] [--force]';

export const START_NOTE = 'One thread tells the whole story, to its end.';

const OPTIONS = {
  queue: { value: null, summary: 'Where something is in its way: wait in the line, and start when the turn comes' },
  replace: {
    value: null,
    summary: 'Where something is in its way: end the runs of Vigil that have it, and go before all who wait',
    right: 'stop',
  },
  'dry-run': {
    value: null,
    summary: 'Start nothing: tell you alone its command, variables, GPUs and what stands in its way',
  },
  force: {
    value: null,
    summary: 'Start it although its checks refuse it; a start that would fail at once stays refused',
    right: 'force',
  },
} as const satisfies Options;

/** Spread into the definition of either. */
export function startCommand(kind: Kind) {
  return {
    group: 'Start',
    right: 'launch',
    whenClosed: 'Not accepted: Redis does not answer, nothing was started.',
    options: OPTIONS,
    args: (call: Call) => argsOf(kind, call),
    run,
  } as const;
}

function argsOf(kind: Kind, { config }: Call) {
  return z.object({
    host: hostOf(config),
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
