/** The troubles that are not the cause, each with the reason. */

import type { Trouble } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import { isOfTarget } from '../log/troubles.ts';
import type { Recognised } from './catalog.ts';
import type { Cause } from './cause.ts';
import { chainFrom } from './chain.ts';
import { endsServer } from './ends-server.ts';
import { hiddenBy } from './first-failure.ts';
import type { Judgement } from './judgement.ts';
import { recogniseAll } from './recognise-all.ts';
import { textOf } from './row.ts';

export interface RuledOut {
  readonly line: number;
  /** The trouble in one line: `Type: message`, cut. */
  readonly what: string;
  /** Why it isn't the cause, as a sentence. */
  readonly why: string;
}

const MOST_WHAT = 160;

/** In the order of the file. What the reading has dropped (an older start's troubles) can't be told. */
export function ruledOut(reading: Reading, { cause }: Pick<Judgement, 'cause'>): readonly RuledOut[] {
  const troubles = recogniseAll(reading);
  return troubles
    .filter(({ trouble }) => trouble.line !== cause?.line)
    .map((each) => ({
      line: each.trouble.line,
      what: inOneLine(each.trouble),
      why: reasonFor(each, { troubles, cause, reading }),
    }));
}

interface Context {
  readonly troubles: readonly Recognised[];
  readonly cause: Cause | null;
  readonly reading: Reading;
}

/** Without a cause nothing did harm; else the reasons, tried in this order. */
function reasonFor(each: Recognised, { troubles, cause, reading }: Context): string {
  const { trouble, row, role, followUp } = each;
  const { readyLine } = reading;
  if (isServers(trouble, reading) && readyLine !== null && !endsServer(each))
    return 'It is a request that the server refused or failed; the server went on.';
  if (cause === null) return withoutCause(each, reading);
  const of = troubles.find(({ trouble: { line } }) => line === cause.line);
  const other = hiddenBy(each, of === undefined ? troubles : [of, ...troubles]);
  const place = `line ${other?.trouble.line ?? cause.line} (${other?.row.title ?? cause.title})`;
  if (role === 'pointer') return `It only says that something else failed: ${place}.`;
  if (other !== null) return `It follows from ${place}: ${lowerFirst((followUp ?? row).why)}`;
  if (of !== undefined && isOfOneChain(of.trouble, trouble, reading.troubles))
    return `It was raised on the way of the exception in line ${cause.line}, which tells more.`;
  if (of !== undefined && of.row === row && trouble.process !== cause.process)
    return `${trouble.process ?? 'Another process'} failed in the same way, after line ${cause.line}.`;
  if (trouble.line > cause.line) return `It came after line ${cause.line}, where the first failure stands.`;
  return `The failure in line ${cause.line} tells more.`;
}

function withoutCause({ role, row, trouble, followUp }: Recognised, { shutdownLine }: Reading): string {
  if (shutdownLine !== null && trouble.line >= shutdownLine)
    return `It was said after the shut-down had begun in line ${shutdownLine}.`;
  if (row.isHint === true) return 'It was tried again, and the target server went on.';
  if (followUp?.isStop === true) return 'It is the stop that somebody asked for.';
  if (role !== 'failure') return 'It only tells that something else ended.';
  return trouble.type === null ? 'Nothing shows that it did any harm.' : 'It was handled: the process went on.';
}

function isOfOneChain(one: Trouble, other: Trouble, troubles: readonly Trouble[]): boolean {
  return chainFrom(one, troubles).includes(other) || chainFrom(other, troubles).includes(one);
}

function isServers(trouble: Trouble, { kind }: Reading): boolean {
  return kind === 'serve' || isOfTarget(trouble);
}

function inOneLine(trouble: Trouble): string {
  const text = textOf(trouble).trim().replace(/\s+/g, ' ');
  return text.length <= MOST_WHAT ? text : `${text.slice(0, MOST_WHAT - 1)}…`;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
