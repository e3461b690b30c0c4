import { KINDS } from '../kinds.ts';
import type { SlashCommand } from './define.ts';
import { defineHelp } from './help.ts';
import { defineLogs } from './logs.ts';
import { defineStatus } from './status.ts';
import { defineStop } from './stop.ts';
import { train } from './train.ts';

const { slash } = KINDS.train;
const verbs = [train, defineStatus('train'), defineStop('train'), defineLogs('train')];

/** `/dflash`: what it understands. */
export const dflash: SlashCommand = {
  name: slash,
  description: 'Train DFlash drafters and watch the trainings',
  usageHint: 'train [HOST] [RECIPE] | status [RUN] | stop RUN | logs RUN | help',
  verbs: [...verbs, defineHelp('train', verbs)],
};
