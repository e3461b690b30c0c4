/** Where a run's logs are, and the line that follows its own in a terminal. */

import type { KnownBlock } from '@slack/types';
import { isFound, targetLogOf } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { context } from './blocks.ts';
import { code } from './escape.ts';
import type { View } from './view.ts';

/** Under what names the log already. */
export function terminalBlocks({ request }: Run, { hostLine }: View): KnownBlock[] {
  return linesOf([hostLine === null ? null : code(hostLine, 1000), targetLine(targetLogOf(request))]);
}

/** For who asks for all about a run. The line for a terminal names the log. */
export function whereToLook({ request, started }: Run, { hostLine }: View): KnownBlock[] {
  if (started === null) return [];
  const own = hostLine === null ? `Log ${code(started.log)}` : code(hostLine, 1000);
  return linesOf([own, targetLine(targetLogOf(request))]);
}

/** For a card: the thread of what Vigil launched names its log, and that of what was found doesn't. */
export function foundLog(run: Run): string | null {
  return run.started === null || !isFound(run) ? null : `Log ${code(run.started.log)}`;
}

function targetLine(log: string | null): string | null {
  return log === null ? null : `Target server's log ${code(log)}`;
}

function linesOf(lines: readonly (string | null)[]): KnownBlock[] {
  const said = lines.filter((line) => line !== null);
  return said.length === 0 ? [] : [context([said.join('\n')])];
}
