/** All that can make a line of a server's log worth reading: the rows of the rules, what begins a traceback, and bytes that hide words. */

import { STACK_SIGN } from '../json-exception.ts';
import { FAILURE_RULES } from '../rules/failures.ts';
import { DOWNLOADS, RULES } from '../rules/table.ts';
import { SERVER_SIGNS } from '../server-lines.ts';
import { TRACEBACK_SIGNS } from '../traceback.ts';
import { better, type Literals, literalsOf, usable } from './literals.ts';

/** What the cutter takes out may stand in the middle of a word. */
const CONTROLS: readonly string[] = [
  ...[...Array(0x20).keys()].filter((code) => ![0x09, 0x0a, 0x0d].includes(code)),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
].map((code) => String.fromCharCode(code));

/** The lines behind it are hidden, so it must be seen. */
const KEY_SIGN = 'private key';

/** Lowercase words: a line that holds none of them changes nothing, whatever else it says. */
export function serverSigns(): Literals {
  const rows = FAILURE_RULES.map(({ pattern }) => pattern);
  const patterns = [...rows, ...DOWNLOADS, ...TRACEBACK_SIGNS, STACK_SIGN, ...SERVER_SIGNS];
  return [
    ...CONTROLS,
    KEY_SIGN,
    ...RULES.flatMap(startOf),
    ...patterns.flatMap((each) => certain(literalsOf(each), each)),
  ];
}

/** A row is tried where the message starts so; its pattern may hold a rarer word. */
function startOf({ starts, pattern, sample }: (typeof RULES)[number]): Literals {
  return certain(better(usable(starts), pattern === undefined ? null : literalsOf(pattern)), sample);
}

function certain(literals: Literals | null, of: RegExp | string): Literals {
  if (literals !== null) return literals;
  throw new Error(`No word is sure to stand in what ${String(of)} fits: give it one of three letters or more.`);
}
