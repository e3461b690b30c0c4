import { UsageError } from '../../errors.ts';
import type { Call } from '../call.ts';
import { startRun } from '../commands/start.ts';
import { type Offered, QUEUE_ACTION, readOffered } from '../offer.ts';
import type { Button } from './define.ts';

/** The Queue button of an offer: the launch of that command waits in the line. */
export const queue: Button = {
  action: QUEUE_ACTION,
  verb: 'queue',
  whenClosed: 'Not accepted: Redis does not answer, nothing was queued. Try the button again in a minute.',
  replaces: true,
  carryOut(value, call) {
    const { runs: _, ...wanted } = offeredIn(value, call);
    return startRun({ ...wanted, mode: { kind: 'queue' } }, call);
  },
};

/** What a button of an offer stands for. Throws UsageError where that can't be launched any more. */
export function offeredIn(value: string, { config }: Call): Offered {
  const offered = readOffered(value);
  if (offered === null)
    throw new UsageError('This button is of an older Vigil and does nothing any more. Type the launch again.');
  const { host, recipe } = offered;
  if (Object.hasOwn(config.hosts, host) && Object.hasOwn(config.recipes, recipe)) return offered;
  throw new UsageError(`vigil.yaml no longer has both the host ${host} and the recipe ${recipe}: nothing was started.`);
}
