import { defineCommand } from './define.ts';
import { START_NOTES, START_USAGE, startCommand } from './start-command.ts';

export const launch = defineCommand({
  ...startCommand('serve'),
  name: 'launch',
  summary: 'Start a server on a host and watch it until it answers',
  usage: `launch HOST RECIPE ${START_USAGE}`,
  notes: ['HOST and RECIPE are names of vigil.yaml.', ...START_NOTES],
});
