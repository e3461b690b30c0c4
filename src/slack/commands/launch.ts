import { z } from 'zod';
import { oneOf, recipeOf } from './arguments.ts';
import { defineCommand } from './define.ts';
import { startRun } from './start.ts';

export const launch = defineCommand({
  name: 'launch',
  summary: 'Start a server on a host and watch it until it answers',
  usage: 'launch HOST RECIPE',
  notes: ['HOST and RECIPE are names of vigil.yaml.', 'One thread tells the whole story, to its end.'],
  right: 'launch',
  whenClosed: 'Not accepted: Redis does not answer, nothing was started.',
  args: ({ config }) => z.object({ host: oneOf('host', Object.keys(config.hosts)), recipe: recipeOf('serve', config) }),
  run: (wanted, call) => startRun(wanted, call),
});
