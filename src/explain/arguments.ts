/** What the words after `npm run explain --` ask for. */

import { nearest } from '../config/nearest.ts';
import type { Evidence } from '../diagnosis/judgement.ts';
import type { LogKind } from '../log/events.ts';

export const USAGE = `Usage: npm run --silent explain -- [--json] [--alive | --exited [CODE]] [--kind serve|train] LOG...
  Says what happened in logs of vLLM or SGLang servers and of trainings, and what to do about it.

  LOG              a file, plain or gzip; - reads standard input
  --json           one JSON object a file, each on a line of its own, in the order of the files
  --alive          the process still runs
  --exited [CODE]  the process has ended, with this exit code if it is known; minus the signal's number for a signal
                   (--exited -9). A word that is no integer is a LOG; a file that is named like one: ./9
  --kind KIND      serve or train; without it the log's own words tell
  --help           this text
  --               ends the options

  Without --alive and --exited the log alone is judged: one that ends in a failure is of a process that ended.
  Of two logs, a training's and a server's, the server is taken to be the training's target;
  --alive and --exited speak of the training, of its target its own log tells.

Exit code: 0 all files were read, 1 a file could not be read (its error is told, the others are explained), 2 wrong usage.
`;

export interface Asked {
  readonly files: readonly string[];
  readonly isJson: boolean;
  /** null where the log alone is to be judged. */
  readonly evidence: Evidence | null;
  /** null where the log is to tell. */
  readonly kind: LogKind | null;
}

const OPTIONS = ['--json', '--alive', '--exited', '--kind', '--help', '-h'] as const;
const INTEGER = /^[+-]?\d{1,15}$/;

/** What is asked, 'help', or what is wrong with it as a line for people. */
export function readArguments(words: readonly string[]): Asked | 'help' | { readonly mistake: string } {
  try {
    return parse(words);
  } catch (error) {
    if (error instanceof Misuse) return { mistake: error.message };
    throw error;
  }
}

class Misuse extends Error {
  override readonly name = 'Misuse';
}

interface Parsed {
  readonly files: string[];
  isJson: boolean;
  isAlive: boolean;
  exited: { code: number | null } | null;
  kind: LogKind | null;
}

function parse(words: readonly string[]): Asked | 'help' {
  const left = [...words];
  const found: Parsed = { files: [], isJson: false, isAlive: false, exited: null, kind: null };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') found.files.push(...left.splice(0));
    else if (!word.startsWith('-') || word === '-') found.files.push(word);
    else if (word === '--help' || word === '-h') return 'help';
    else takeOption(word, left, found);
  }
  return asAsked(found);
}

function takeOption(word: string, left: string[], found: Parsed): void {
  const cut = word.indexOf('=');
  const name = cut === -1 ? word : word.slice(0, cut);
  const value = cut === -1 ? null : word.slice(cut + 1);
  if (name === '--exited') found.exited = { code: exitCode(value, left) };
  else if (name === '--kind') found.kind = logKind(value ?? left.shift());
  else if (name === '--json' || name === '--alive') {
    if (value !== null) throw new Misuse(`found ${word}, expected ${name} without a value`);
    if (name === '--json') found.isJson = true;
    else found.isAlive = true;
  } else throw new Misuse(unknownOption(word, name));
}

/** `--exited=CODE`, or the next word where that is an integer. */
function exitCode(value: string | null, left: string[]): number | null {
  if (value !== null && !INTEGER.test(value))
    throw new Misuse(`found --exited=${value}, expected an integer such as 1, or -9 for a process that signal 9 ended`);
  const next = value ?? left[0];
  if (next === undefined || !INTEGER.test(next)) return null;
  if (value === null) left.shift();
  return Number(next);
}

function logKind(value: string | undefined): LogKind {
  if (value === 'serve' || value === 'train') return value;
  throw new Misuse(`found --kind ${value ?? 'without a value'}, expected --kind serve or --kind train`);
}

function unknownOption(word: string, name: string): string {
  if (INTEGER.test(word))
    return `found ${word} without --exited, expected --exited ${word}; a file of that name: ./${word}`;
  const meant = name.length > 3 ? nearest(name, OPTIONS) : null;
  const hint = meant === null ? '' : ` (${meant}?)`;
  return `found the unknown option ${word}${hint}, expected one of ${OPTIONS.join(', ')}; a file of that name: ./${word}`;
}

function asAsked({ files, isJson, isAlive, exited, kind }: Parsed): Asked {
  if (isAlive && exited !== null) throw new Misuse('found both --alive and --exited, expected one of them at most');
  if (files.length === 0) throw new Misuse(`found no LOG${taken(exited)}, expected the path of a log, or - to read it`);
  if (files.includes(''))
    throw new Misuse('found an empty word for a LOG, expected its path; is a variable of the shell not set?');
  if (files.filter((file) => file === '-').length > 1)
    throw new Misuse('found - more than once, expected it once: standard input can be read only once');
  const evidence = isAlive ? { alive: true, exitCode: null } : exited && { alive: false, exitCode: exited.code };
  return { files, isJson, evidence, kind };
}

function taken(exited: Parsed['exited']): string {
  if (exited === null || exited.code === null) return '';
  return ` (${exited.code} is the exit code; a file of that name: ./${exited.code})`;
}
