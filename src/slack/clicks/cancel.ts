import { launchRequest } from '../../place/request.ts';
import { code } from '../../report/escape.ts';
import { lower } from '../../report/phase-words.ts';
import { stateWords } from '../../report/words.ts';
import { isEnd } from '../../run/run.ts';
import { mustHave } from '../commands/define.ts';
import { KINDS } from '../kinds.ts';
import { CANCEL_ACTION } from '../offer.ts';
import { say } from '../say.ts';
import type { Button } from './define.ts';
import { offeredIn } from './queue.ts';

/** The Cancel button of an offer: the offer goes away. What another button of it did stays, and is told. */
export const cancel: Button = {
  action: CANCEL_ACTION,
  verb: 'cancel',
  whenClosed: 'Redis does not answer. Nothing was started by this offer unless one of its other buttons was used.',
  replaces: true,
  async carryOut(value, call) {
    const { user: by, channel } = call.from;
    const { host, recipe, trigger } = offeredIn(value, call);
    const { id } = launchRequest(call.config, { host, recipe, trigger, by, channel }, 0);
    const known = await call.desk.run(id);
    if (known === null) return say('Cancelled: nothing was started.');
    mustHave(call, 'see', host);
    const { run } = known;
    const { name, kind } = run.request;
    const state = `${code(name)} is ${lower(stateWords(run))}.`;
    return say(isEnd(run.phase) ? state : `${state} ${code(`${KINDS[kind].slash} stop ${name}`)} ends that.`);
  },
};
