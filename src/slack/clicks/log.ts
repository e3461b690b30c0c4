import { LOG_ACTION } from '../../report/blocks.ts';
import { fileOf, LOG_FILE_ACTION, lastOf, NO_LOG } from '../commands/logs.ts';
import type { Button } from './define.ts';
import { seenRunOf } from './run-of.ts';

/** The Log button of a run's card: its value is the run's id. */
export const log: Button = {
  action: LOG_ACTION,
  verb: 'logs',
  whenClosed: NO_LOG,
  replaces: false,
  carryOut: async (id, call) => lastOf(call, await seenRunOf(id, call)),
};

/** The button under the last lines: they make room for what is said of the file. */
export const logFile: Button = {
  action: LOG_FILE_ACTION,
  verb: 'logs',
  whenClosed: 'Redis does not answer: nothing was posted. Try the button again in a minute.',
  replaces: true,
  async carryOut(value, call) {
    const [id = '', trigger = call.from.trigger] = value.split(' ');
    return fileOf(call, await seenRunOf(id, call), trigger);
  },
};
