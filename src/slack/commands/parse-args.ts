/** The words behind a verb as its arguments; what is wrong with them is said with the line put right, where one can be told. */

import type { z } from 'zod';
import { UsageError } from '../../errors.ts';
import { list } from '../../list.ts';
import { Elsewhere, Misspelt } from '../refusals.ts';
import { flagMeant, type Options, type Split, splitOptions, UnknownOption } from './options.ts';

/** Words in their places; undefined where one is missing. */
export type Places = readonly (string | undefined)[];

/** How a verb's words are read. */
export interface Syntax<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly usage: string;
  readonly options: Options;
  /** So many words stand before a text that is taken as it was typed. */
  readonly textAfter?: number;
  readonly schema: z.ZodObject<Shape>;
  /** The arguments' names, in order. */
  readonly places: readonly string[];
  /** Puts the words in their places, with those that go without saying. */
  complete(words: readonly string[]): Places;
}

/** Throws UsageError. */
export function parseArgs<Shape extends z.ZodRawShape>(
  typed: readonly string[],
  syntax: Syntax<Shape>,
): z.output<z.ZodObject<Shape>> {
  const { name, usage, schema, places } = syntax;
  const wrong = (message: string, instead: readonly string[] | null): UsageError =>
    instead !== null && isRight(instead, syntax) ? new Misspelt(message, [name, ...instead]) : new UsageError(message);
  const { words, rest, given } = optionsOf(typed, syntax, wrong);
  if (words.length > places.length) {
    const extra = words.slice(places.length).map((word) => `“${word}”`);
    const instead = [...words.slice(0, places.length), ...rest];
    const flag = extra.length === 1 ? flagMeant(words.at(-1) ?? '', syntax.options) : null;
    if (flag !== null) throw wrong(`${list(extra)} is an option here. Did you mean \`${flag}\`?`, [...instead, flag]);
    throw wrong(`${list(extra)} is too much: expected \`${usage}\`. Leave it out.`, instead);
  }
  const inPlace = syntax.complete(words);
  const parsed = schema.safeParse({ ...byName(inPlace, places), ...given });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw (
    exchanged(words, rest, syntax) ??
    elsewhere(inPlace, issues, rest) ??
    wrong(issues.map((issue) => issue.message).join(' '), [...put(inPlace, issues, places), ...rest])
  );
}

/** Whether these words could be carried out. */
export function isRight<Shape extends z.ZodRawShape>(typed: readonly string[], syntax: Syntax<Shape>): boolean {
  const { schema, places, complete } = syntax;
  try {
    const { words, given } = splitOf(typed, syntax);
    return words.length <= places.length && schema.safeParse({ ...byName(complete(words), places), ...given }).success;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/** An option that isn't known is told with the line put right, where it is. */
function optionsOf<Shape extends z.ZodRawShape>(
  typed: readonly string[],
  syntax: Syntax<Shape>,
  wrong: (message: string, instead: readonly string[] | null) => UsageError,
): Split {
  try {
    return splitOf(typed, syntax);
  } catch (error) {
    throw error instanceof UnknownOption ? wrong(error.message, error.instead) : error;
  }
}

/** A text may begin like an option, and is none. */
function splitOf<Shape extends z.ZodRawShape>(
  typed: readonly string[],
  { options, textAfter = typed.length }: Syntax<Shape>,
): Split {
  const { words, ...split } = splitOptions(typed.slice(0, textAfter), options);
  return { ...split, words: [...words, ...typed.slice(textAfter)] };
}

function byName(words: Places, places: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(words.map((word, index) => [places[index], word]));
}

/** Where the first two words are right the other way round; else null. */
function exchanged<Shape extends z.ZodRawShape>(
  words: readonly string[],
  rest: readonly string[],
  syntax: Syntax<Shape>,
): UsageError | null {
  const [first, second, ...more] = words;
  if (first === undefined || second === undefined || syntax.textAfter !== undefined) return null;
  const message = `“${first}” and “${second}” have changed places: expected \`${syntax.usage}\`.`;
  const other = [second, first, ...more];
  if (isRight([...other, ...rest], syntax)) return new Misspelt(message, [syntax.name, ...other, ...rest]);
  const parsed = syntax.schema.safeParse({ ...byName(other, syntax.places), ...splitOf(rest, syntax).given });
  return parsed.success ? null : elsewhere(other, parsed.error.issues, rest);
}

/** Where all that is wrong is that one of the words belongs to the other slash command, the line for that one; else null. */
function elsewhere(places: Places, issues: readonly z.core.$ZodIssue[], rest: readonly string[]): Elsewhere | null {
  const [issue, ...more] = issues;
  if (issue?.code !== 'custom' || more.length > 0) return null;
  const line: unknown = issue.params?.elsewhere;
  if (!Array.isArray(line)) return null;
  return new Elsewhere(issue.message, [...line.map(String), ...present(places), ...rest]);
}

/** The words with the one that is wrong put right, where the nearest known one is told. */
function put(words: Places, issues: readonly z.core.$ZodIssue[], places: readonly string[]): readonly string[] {
  const [issue, ...more] = issues;
  if (issue?.code !== 'custom' || more.length > 0) return present(words);
  const meant: unknown = issue.params?.meant;
  const place = places.indexOf(String(issue.path[0]));
  return present(typeof meant === 'string' ? words.map((word, index) => (index === place ? meant : word)) : words);
}

function present(places: Places): readonly string[] {
  return places.filter((word) => word !== undefined);
}
