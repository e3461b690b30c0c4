/** Where a ready server serves, and how it is known that it is this run that answers there. */

import { authorityOf } from '../address.ts';
import type { Readiness, Run } from '../run/run.ts';
import { servingOfRun } from '../run/serving.ts';
import { clip, code, escapeText } from './escape.ts';
import type { Carrier } from './numbers.ts';

/** As lines of mrkdwn, perhaps none. A card says how it is known only where that is not sure: the thread has it. */
export function placeLines(run: Run, readiness: Readiness, carrier: Carrier): string[] {
  const place = servingLine(run, readiness);
  const isSure = readiness.proof === 'socket';
  const known = carrier === 'reply' ? proofWords(readiness) : isSure ? null : UNPROVED;
  return [place, known].filter((line) => line !== null);
}

/** How it is known, and what its first answer was; as mrkdwn. */
export function proofWords({ proof, completion }: Readiness): string {
  const ours = proof === 'socket' ? 'The listening socket belongs to this run.' : `${UNPROVED} ${WHY_LIKELY}`;
  return `${ours} ${escapeText(clip(completion, 500))}`;
}

const UNPROVED = "*Not proved ours*: who holds the socket can't be read on this host.";
const WHY_LIKELY = 'The port was closed before, the process lives and the log says started.';

/** null where its address isn't known. */
function servingLine(run: Run, { model }: Readiness): string | null {
  const { address } = run.request;
  if (address === null) return null;
  const { scheme } = servingOfRun(run, {});
  const url = address.kind === 'tcp' ? `${scheme}://${authorityOf(address)}/v1` : address.path;
  return `Serving at ${code(url)}${model === null ? '' : ` as ${code(model)}`}`;
}
