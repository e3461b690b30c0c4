/** Restarts, written down: a run that takes the place of a former one, once however often it is asked for. */

import { createHash } from 'node:crypto';
import type { Journal } from '../journal.ts';
import { restartRequest } from '../place/again.ts';
import { place } from '../place/place.ts';
import type { RestartAnswer, RestartOrder } from '../requests.ts';
import { isEnd, type Run } from '../run/run.ts';
import { stepAll } from '../run/step.ts';
import type { Clock } from '../tools.ts';
import { enqueue } from './launch.ts';
import { readStand } from './line.ts';

type Parts = Parameters<typeof enqueue>[0] & { readonly journal: Journal; readonly clock: Clock };

/** See Desk.restart. */
export async function restart(parts: Parts, order: RestartOrder): Promise<RestartAnswer> {
  const former = (await parts.journal.load(order.run))?.run ?? null;
  if (former === null) return { kind: 'unknown' };
  const { id, known } = await next(parts, former, order);
  if (known !== null) return { kind: 'same', request: known.request, former: former.phase };
  const request = restartRequest(former, order, { id, at: parts.clock.now() });
  if (isEnd(former.phase)) {
    const placing = place(request, await readStand(parts, request.host), 'unknown');
    if (placing.kind === 'impossible') return { kind: 'impossible', reason: placing.reason };
    if (placing.kind === 'blocked') return { kind: 'held' };
  }
  const answer = await enqueue(parts, request, { after: [former.request.id] });
  await mark(parts, former.request.id, { run: id, name: answer.request.name });
  return { kind: answer.kind, request: answer.request, former: former.phase };
}

/**
 * The id follows from the former run and its last restart: whoever asks at the same time, or again while that restart lives, asks for the same.
 * So does a redelivery, also later.
 */
async function next(
  { journal, config }: Parts,
  { request }: Run,
  { trigger }: RestartOrder,
): Promise<{ readonly id: string; readonly known: Run | null }> {
  for (let last = ''; ; ) {
    const hash = createHash('sha256').update(`${request.id}|${last}`).digest('hex').slice(0, 12);
    const id = `${config.instance}-${request.host}-${hash}`;
    const run = (await journal.load(id))?.run ?? null;
    if (run === null || !isEnd(run.phase) || run.request.again?.trigger === trigger) return { id, known: run };
    last = id;
  }
}

/** Both runs tell of each other. */
async function mark({ journal, clock }: Parts, id: string, as: { run: string; name: string }): Promise<void> {
  for (;;) {
    const entry = await journal.load(id);
    if (entry === null) return;
    const now = clock.now();
    const { run, happened } = stepAll(entry.run, [{ kind: 'restarted', as, at: now, seen: now }]);
    if (happened.length === 0) return;
    const write = { run, from: entry, fence: null, happened, checkpoint: null, tail: null, isNews: true };
    if ((await journal.append(write)) !== 'stale') return;
  }
}
