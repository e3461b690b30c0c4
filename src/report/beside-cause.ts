/** What a log holds beside the cause of a failure: errors that only follow from it, each with why it is none. */

import type { KnownBlock } from '@slack/types';
import type { Cause } from '../diagnosis/cause.ts';
import { ruledOut } from '../diagnosis/ruled-out.ts';
import type { Run } from '../run/run.ts';
import { section } from './blocks.ts';
import { code, markup } from './escape.ts';

const MOST = 6;

/** Empty where nothing else was said, or where the cause stands in another log than the run's own. */
export function causesBeside({ reading }: Run, cause: Cause | null): readonly KnownBlock[] {
  if (cause !== null && !reading.troubles.some(({ line, type }) => line === cause.line && type === cause.type))
    return [];
  const others = ruledOut(reading, { cause });
  if (others.length === 0) return [];
  const rows = others.slice(0, MOST).map(({ line, what, why }) => `• Line ${line}: ${code(what, 160)}\n${markup(why)}`);
  const left = others.length - rows.length;
  const more = left === 0 ? [] : [`… and ${left} more`];
  return [section(['*Looks like a cause, and is none:*', ...rows, ...more].join('\n'))];
}
