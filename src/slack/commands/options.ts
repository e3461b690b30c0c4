/** Options of a command: `--dry-run`, `--pid 4242`, `--pid=4242`, anywhere behind the verb; one dash is taken for two. */

import type { Verb } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../list.ts';
import { meantBy } from './arguments.ts';

export interface Option {
  /** What stands behind it (`N` of `--pid N`), or null: then it is there or not. */
  readonly value: string | null;
  /** What it does, as a sentence without its end. */
  readonly summary: string;
  /** What one must be allowed on the host for it, beside what the command needs. */
  readonly right?: Verb;
}

/** By the name as typed, without its dashes. */
export type Options = Readonly<Record<string, Option>>;

export interface Split {
  readonly words: readonly string[];
  /** The options as typed, to be shown again. */
  readonly rest: readonly string[];
  /** By the schema's names (`dryRun`): every flag, and the values that were given. */
  readonly given: Readonly<Record<string, boolean | string>>;
}

/** An option that the command doesn't take: `instead` is what was typed put right, or null where nobody can tell what was meant. */
export class UnknownOption extends UsageError {
  readonly instead: readonly string[] | null;

  constructor(message: string, instead: readonly string[] | null) {
    super(message);
    this.instead = instead;
  }
}

/** Takes the options out of the words. Throws UsageError for one that is unknown, lacks its value or comes twice. */
export function splitOptions(typed: readonly string[], options: Options): Split {
  const words: string[] = [];
  const rest: string[] = [];
  const given: Record<string, boolean | string> = {};
  for (const [name, { value }] of Object.entries(options)) if (value === null) given[keyOf(name)] = false;
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? '';
    if (!isOption(word)) {
      words.push(word);
      continue;
    }
    const [typedName = '', ...behind] = word.replace(/^--?/, '').split('=');
    const name = typedName.replace(/[–—]/g, '-');
    const option = Object.hasOwn(options, name.toLowerCase()) ? options[name.toLowerCase()] : undefined;
    if (option === undefined) throw unknown(typed, at, options);
    rest.push(word);
    const key = keyOf(name.toLowerCase());
    if (given[key] !== undefined && given[key] !== false)
      throw new UsageError(`--${name} is there twice. Leave one of them out.`);
    if (option.value === null) given[key] = flag(name, behind);
    else if (behind.length > 0) given[key] = behindIt(name, behind.join('='));
    else {
      at += 1;
      given[key] = behindIt(name, typed[at]);
      rest.push(typed[at] ?? '');
    }
  }
  return { words, rest, given };
}

/** Whether the word is meant as an option; a number is none, however negative. */
export function isOption(word: string): boolean {
  return word.startsWith('--') || /^-[a-z]/i.test(word);
}

function flag(name: string, behind: readonly string[]): true {
  if (behind.length === 0) return true;
  throw new UsageError(`--${name} takes no value. Leave out what stands behind it.`);
}

function behindIt(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '' && !isOption(value)) return value;
  throw new UsageError(`--${name} needs a value behind it.`);
}

/** The flag that a word without its dashes is meant as, with them; or null. */
export function flagMeant(word: string, options: Options): string | null {
  const flags = Object.entries(options).flatMap(([name, { value }]) => (value === null ? [name] : []));
  const meant = meantBy(word, flags);
  return meant === null ? null : `--${meant}`;
}

function unknown(typed: readonly string[], at: number, options: Options): UnknownOption {
  const word = typed[at] ?? '';
  const names = Object.keys(options).map((name) => `--${name}`);
  if (names.length === 0)
    return new UnknownOption(
      `“${word}” is an option, and this command takes none. Leave it out.`,
      typed.toSpliced(at, 1),
    );
  const [typedName = '', ...behind] = word.replace(/^--?/, '').split('=');
  const meant = meantBy(`--${typedName}`, names);
  const hint = meant === null ? '' : ` Did you mean \`${meant}\`?`;
  // Without an option a command may do what nobody asked for.
  const instead = meant === null ? null : typed.toSpliced(at, 1, [meant, ...behind].join('='));
  return new UnknownOption(`There is no option “${word}”.${hint} Options: ${list(names)}.`, instead);
}

/** `dry-run` → `dryRun`. */
function keyOf(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
