import { EXPLAIN_ACTION } from '../../report/blocks.ts';
import { mustHave } from '../commands/define.ts';
import { explained, NOT_EXPLAINED } from '../commands/explain.ts';
import type { Button } from './define.ts';
import { anyRunOf } from './run-of.ts';

/** The Explain button of a run's card: its value is the run's id. */
export const explainButton: Button = {
  action: EXPLAIN_ACTION,
  verb: 'explain',
  whenClosed: NOT_EXPLAINED,
  replaces: false,
  async carryOut(id, call) {
    const found = await anyRunOf(id, call);
    mustHave(call, 'see', 'past' in found ? found.past.host : found.run.request.host);
    return explained(call, found);
  },
};
