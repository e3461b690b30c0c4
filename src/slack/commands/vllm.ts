import { KINDS } from '../kinds.ts';
import { defineCheck } from './check.ts';
import type { SlashCommand } from './define.ts';
import { defineExplain } from './explain.ts';
import { defineHelp } from './help.ts';
import { defineHistory } from './history.ts';
import { launch } from './launch.ts';
import { defineLogs } from './logs.ts';
import { defineNote } from './note.ts';
import { defineRestart } from './restart.ts';
import { defineStatus } from './status.ts';
import { defineStop } from './stop.ts';
import { verify } from './verify.ts';
import { defineWatch } from './watch.ts';

const { slash } = KINDS.serve;
const verbs = [
  launch,
  defineCheck('serve'),
  defineStatus('serve'),
  defineStop('serve'),
  defineRestart('serve'),
  verify,
  defineLogs('serve'),
  defineExplain('serve'),
  defineWatch('serve'),
  defineHistory('serve'),
  defineNote('serve'),
];

/** `/vllm`: what it understands. */
export const vllm: SlashCommand = {
  name: slash,
  kind: 'serve',
  description: 'Launch and watch vLLM servers',
  usageHint: 'launch HOST RECIPE | status | stop RUN | help',
  verbs: [...verbs, defineHelp('serve', verbs)],
};
