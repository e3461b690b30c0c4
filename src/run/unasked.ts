/** A server that was found without a word on where it serves: nobody can ask it whether it is ready. */

import { isEnd, type Run } from './run.ts';

export function isUnasked({ request, phase }: Pick<Run, 'request' | 'phase'>): boolean {
  return request.kind === 'serve' && request.address === null && !isEnd(phase);
}

/** Its log says that it is up: as far as it will ever be known. */
export function isRunningUnasked(run: Pick<Run, 'request' | 'phase'>): boolean {
  return isUnasked(run) && run.phase === 'verifying';
}
