import { KINDS } from '../kinds.ts';
import { defineCheck } from './check.ts';
import type { SlashCommand } from './define.ts';
import { defineExplain } from './explain.ts';
import { defineHelp } from './help.ts';
import { defineHistory } from './history.ts';
import { defineLogs } from './logs.ts';
import { defineNote } from './note.ts';
import { defineRestart } from './restart.ts';
import { defineStatus } from './status.ts';
import { defineStop } from './stop.ts';
import { train } from './train.ts';
import { defineWatch } from './watch.ts';

const { slash } = KINDS.train;
const verbs = [
  train,
  defineCheck('train'),
  defineStatus('train'),
  defineStop('train'),
  defineRestart('train'),
  defineLogs('train'),
  defineExplain('train'),
  defineWatch('train'),
  defineHistory('train'),
  defineNote('train'),
];

/** `/dflash`: what it understands. */
export const dflash: SlashCommand = {
  name: slash,
  kind: 'train',
  description: 'Train DFlash drafters and watch the trainings',
  usageHint: 'train HOST RECIPE | status | stop RUN | help',
  verbs: [...verbs, defineHelp('train', verbs)],
};
