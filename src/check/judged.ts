/** The four answers of a row, with what goes without saying left out. */

import type { Judged } from './check.ts';

export function passed(found: string, needed: string | null = null): Judged {
  return { verdict: 'passed', found, needed, advice: null, isFinal: false };
}

export function warning(found: string, { needed = null, advice = null }: Partial<Advised> = {}): Judged {
  return { verdict: 'warning', found, needed, advice, isFinal: false };
}

export function refused(found: string, { needed = null, advice = null }: Partial<Advised> = {}): Judged {
  return { verdict: 'refused', found, needed, advice, isFinal: false };
}

/** A refusal that nobody overrides. */
export function impossible(found: string, told: Partial<Advised> = {}): Judged {
  return { ...refused(found, told), isFinal: true };
}

export function unknown(found: string, { needed = null, advice = null }: Partial<Advised> = {}): Judged {
  return { verdict: 'unknown', found, needed, advice, isFinal: false };
}

interface Advised {
  readonly needed: string | null;
  readonly advice: string | null;
}
