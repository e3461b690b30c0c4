/** Random launches, and a program that tells what arrived of them. */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LaunchSpec } from '../../src/host/launch.ts';
import { makeFolder } from './folder.ts';

const MEANT_FOR_A_SHELL =
  "- -- -n -e -c --flag= = : ~ ~root ! !! #x %s%n %b ^ @ it's '' $HOME $(id) `id` $((1/0)) $@ '$(reboot)' * /* [a-z]* {a,b} ? a;b a&b a|b >x <x ( ) end 74 é “—”";
const NASTY = [
  ...MEANT_FOR_A_SHELL.split(' '),
  ...'\\ \\\\ a\\ \\n \\0101 \\c \\\' \\"'.split(' '),
  ...['', ' ', '  ', '"', '\n', '\n\n', 'a\n', 'a\nb\n', '\r\n', '\t', '\x01', '\x7f', '\x1b[31m'],
  ...['中文\n', '👍🏽', '\u2028', '\ufeff', '\ud800', '\uffff'],
  '{"method":"dflash","n":[15,null],"t":"a \\"b\\" $c\\n"}',
];

const text = fc.oneof(
  { arbitrary: fc.constantFrom(...NASTY), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 24 }), weight: 2 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 24 }), weight: 2 },
  { arbitrary: fc.string({ unit: fc.constantFrom(...NASTY), maxLength: 8 }), weight: 2 },
  { arbitrary: fc.json({ maxDepth: 3 }), weight: 1 },
);
/** No program can get a NUL, nor half a character. */
const word = text.map((value) => Buffer.from(value.replaceAll('\0', '')).toString());

const names = fc.oneof(
  fc.stringMatching(/^X_[A-Za-z0-9_]{0,12}$/),
  fc.constantFrom('IFS', 'PATH', 'HOME', 'LC_ALL', 'LANG', 'ENV', 'CDPATH', 'PS4', 'TZ', 'OPTARG', 'TOKEN', 'x', '_1'),
);

export interface Meant {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What a prelude exports as PRELUDE, or null for none. */
  readonly prelude: string | null;
}

/** A shell that begins gives these their first value: a prelude's shell does, whatever it was given. */
const OF_A_SHELL = ['IFS', 'PS4'];

const meant: fc.Arbitrary<Meant> = fc
  .record({
    words: fc.array(word, { maxLength: 12 }),
    environment: fc.dictionary(names, word, { maxKeys: 4 }),
    prelude: fc.option(word, { freq: 4 }),
  })
  .filter(({ environment, prelude }) => prelude === null || OF_A_SHELL.every((name) => !(name in environment)));

export function sampleLists(count: number, seed: number): Meant[] {
  return fc.sample(meant, { numRuns: count, seed });
}

/** Writes its command line as the kernel holds it, then its environment. */
function makeTeller(): string {
  const path = join(makeFolder('teller'), 'tell');
  writeFileSync(
    path,
    '#!/bin/sh\n/bin/cat /proc/$$/cmdline\nprintf "\\\\0--- environment ---\\\\0"\n/bin/cat /proc/$$/environ\n',
  );
  chmodSync(path, 0o755);
  return path;
}

let teller = '';

export function specOf({ words, environment, prelude }: Meant): Pick<LaunchSpec, 'argv' | 'environment' | 'prelude'> {
  // It goes with the test file that it was made for.
  if (!existsSync(teller)) teller = makeTeller();
  const quoted = prelude === null ? null : `PRELUDE='${prelude.replaceAll("'", "'\\''")}' # "it's\nexport PRELUDE`;
  return { argv: [teller, ...words], environment, prelude: quoted };
}

/** What arrived otherwise than it was meant; null when all is as it was. */
export function differenceIn({ words, environment, prelude }: Meant, log: string): string | null {
  const bytes = readFileSync(log);
  const [before = '', after = ''] = bytes.toString('latin1').split('\0\0--- environment ---\0');
  const arrived = before.split('\0').slice(2).map(fromLatin1);
  if (JSON.stringify(arrived) !== JSON.stringify(words)) return `argv: ${show(words)} arrived as ${show(arrived)}`;
  const variables = after.split('\0').map(fromLatin1);
  const wanted = Object.entries({ ...environment, ...(prelude === null ? {} : { PRELUDE: prelude }) });
  const lost = wanted.find(([name, value]) => {
    const rows = variables.filter((row) => row.startsWith(`${name}=`));
    return rows.length !== 1 || rows[0] !== `${name}=${value}`;
  });
  return lost === undefined ? null : `${lost[0]}: ${show([lost[1]])} is not among ${show(variables)}`;
}

function fromLatin1(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

function show(values: readonly string[]): string {
  return JSON.stringify(values).slice(0, 2000);
}
