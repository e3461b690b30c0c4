import { EXPLAIN_ACTION } from '../../report/blocks.ts';
import { explained, NOT_EXPLAINED } from '../commands/explain.ts';
import type { Button } from './define.ts';
import { seenRunOf } from './run-of.ts';

/** The Explain button of a run's card: its value is the run's id. */
export const explainButton: Button = {
  action: EXPLAIN_ACTION,
  verb: 'explain',
  whenClosed: NOT_EXPLAINED,
  replaces: false,
  carryOut: async (id, call) => explained(call, await seenRunOf(id, call)),
};
