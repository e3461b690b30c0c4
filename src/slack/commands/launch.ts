import { z } from 'zod';
import { oneOf, recipeOf } from './arguments.ts';
import { defineCommand } from './define.ts';
import { DRY_RUN_NOTE, dryRun } from './dry-run.ts';
import { FORCE_NOTE, LINE_NOTE, LINE_OPTIONS, modeOf, startRun } from './start.ts';

export const launch = defineCommand({
  name: 'launch',
  summary: 'Start a server on a host and watch it until it answers',
  usage: 'launch HOST RECIPE [--queue | --replace | --dry-run] [--force]',
  notes: [
    'HOST and RECIPE are names of vigil.yaml.',
    'One thread tells the whole story, to its end.',
    LINE_NOTE,
    DRY_RUN_NOTE,
    FORCE_NOTE,
  ],
  right: 'launch',
  whenClosed: 'Not accepted: Redis does not answer, nothing was started.',
  options: { ...LINE_OPTIONS, 'dry-run': 'flag', force: 'flag' },
  args: ({ config }) =>
    z.object({
      host: oneOf('host', Object.keys(config.hosts)),
      recipe: recipeOf('serve', config),
      queue: z.boolean(),
      replace: z.boolean(),
      dryRun: z.boolean(),
      force: z.boolean(),
    }),
  run: ({ host, recipe, ...how }, call) => {
    const mode = modeOf(how);
    return how.dryRun
      ? dryRun({ host, recipe }, call)
      : startRun({ host, recipe, mode, isForced: how.force, trigger: call.from.trigger }, call);
  },
});
