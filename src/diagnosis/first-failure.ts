/** The first real failure: the first trouble that no other trouble's row hides, and of its chain of exceptions the most telling. */

import { isHolderOf } from '../log/chains.ts';
import type { Recognised } from './catalog.ts';
import { chainFrom } from './chain.ts';
import type { Role } from './row.ts';

const STRENGTH: Readonly<Record<Role, number>> = { failure: 2, pointer: 1, consequence: 0 };

/** null where there is no trouble. */
export function firstFailure(all: readonly Recognised[]): Recognised | null {
  // A group of exceptions and a message that quotes a traceback only hold what happened.
  const troubles = all.filter((one) => !all.some((other) => isHolderOf(one.trouble, other.trouble)));
  const visible = troubles.filter((each) => hiddenBy(each, troubles) === null);
  const [first] = visible;
  if (first === undefined) return null;
  const chain = chainFrom(
    first.trouble,
    all.map(({ trouble }) => trouble),
  );
  const members = visible.filter(({ trouble }) => chain.includes(trouble));
  return members.reduce((best, next) => (next.rank < best.rank ? next : best), first);
}

/** The first trouble that hides this one, or null. */
export function hiddenBy(one: Recognised, troubles: readonly Recognised[]): Recognised | null {
  return troubles.find((other) => other !== one && hides(other, one)) ?? null;
}

/** What a row lists comes before strength: a killed worker, which only others tell of, explains the time-outs that come after it. */
function hides(other: Recognised, one: Recognised): boolean {
  if (names(other, one)) return true;
  if (names(one, other)) return false;
  return STRENGTH[other.role] > STRENGTH[one.role];
}

/** Whether the first one's rows list the other's. What only points at a failure explains nothing that stood there before. */
function names({ row, followUp, role, trouble }: Recognised, other: Recognised): boolean {
  if (role !== 'failure' && trouble.line > other.trouble.line) return false;
  return [...(row.hides ?? []), ...(followUp?.hides ?? [])].includes(other.row.id);
}
