import { defineCommand } from './define.ts';
import { START_NOTE, START_USAGE, startCommand } from './start-command.ts';

export const launch = defineCommand({
  ...startCommand('serve'),
  name: 'launch',
  alsoCalled: ['start', 'run', 'serve', 'up', 'deploy', 'create'],
  summary: 'Start a server on a host and watch it until it answers',
  usage: `launch HOST RECIPE ${START_USAGE}`,
  example: ['launch', 'HOST', 'RECIPE', '--queue'],
  notes: ['HOST and RECIPE are names of vigil.yaml.', START_NOTE],
});
