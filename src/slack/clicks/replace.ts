import { startRun } from '../commands/start.ts';
import { REPLACE_ACTION } from '../offer.ts';
import type { Button } from './define.ts';
import { offeredIn } from './queue.ts';

/** The Replace button of an offer: the runs that its question named end, and the launch of that command goes before all who wait. */
export const replace: Button = {
  action: REPLACE_ACTION,
  verb: 'replace',
  whenClosed: 'Not accepted: Redis does not answer, nothing was stopped or started. Try the button again in a minute.',
  replaces: true,
  carryOut(value, call) {
    const { runs, ...wanted } = offeredIn(value, call);
    return startRun({ ...wanted, mode: { kind: 'replace', runs } }, call);
  },
};
