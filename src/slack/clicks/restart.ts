import { RESTART_ACTION } from '../../report/blocks.ts';
import { NOT_RESTARTED, restartRun } from '../commands/restart.ts';
import type { Button } from './define.ts';
import { runOf } from './run-of.ts';

/** The Restart button of a run's card: its value is the run's id. */
export const restart: Button = {
  action: RESTART_ACTION,
  verb: 'restart',
  whenClosed: NOT_RESTARTED,
  replaces: false,
  carryOut: async (id, call) => restartRun(call, await runOf(id, call)),
};
