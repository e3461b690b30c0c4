/** Commands as data: parsing, rights, help and docs come from the same object. */

import type { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Verb } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../list.ts';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import { KINDS } from '../kinds.ts';
import { Elsewhere, Misspelt, Refused } from '../refusals.ts';
import { type Options, type Split, splitOptions, UnknownOption } from './options.ts';

/** A verb of a slash command. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Without the slash command: `launch HOST RECIPE`. */
  readonly usage: string;
  /** More about it, one sentence a row. */
  readonly notes: readonly string[];
  /** What one must be allowed on the host, or null: everybody whom Vigil listens to. */
  readonly right: Verb | null;
  /** What is true when Redis doesn't answer. */
  readonly whenClosed: string;
  /** So many words stand before a text that is taken as it was typed, options, quotes and all; without it there is none. */
  readonly textAfter?: number;
  /** Whether the words have the right number and name what there is. */
  accepts(words: readonly string[], call: Call): boolean;
  answer(words: readonly string[], call: Call): Promise<Message>;
}

/** What people type as one slash command: its name, what Slack shows beside it, its verbs. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly usageHint: string;
  readonly verbs: readonly Command[];
}

/** Words in their places; undefined where one is missing. */
export type Places = readonly (string | undefined)[];

interface Definition<Shape extends z.ZodRawShape> extends Omit<Command, 'answer' | 'accepts'> {
  /** The arguments in the order in which they are typed, then the options by their names (`dryRun` for --dry-run). */
  args(call: Call): z.ZodObject<Shape>;
  readonly options?: Options;
  /** Puts the words in their places, with those that go without saying. Without it each word stands where it was typed. */
  complete?(words: readonly string[], call: Call): Places;
  run(args: z.output<z.ZodObject<Shape>>, call: Call): Promise<Message>;
}

/** To add a command: define it in a file of its own, list it in its slash command's, give it a heading in docs/commands.md. */
export function defineCommand<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Command {
  const { args, options = {}, complete, run, ...data } = definition;
  const syntaxFor = (call: Call): Syntax<Shape> => {
    const schema = args(call);
    const names = Object.keys(schema.shape);
    return {
      ...data,
      schema,
      options,
      places: names.slice(0, names.length - Object.keys(options).length),
      complete: (words) => complete?.(words, call) ?? words,
    };
  };
  return {
    ...data,
    accepts: (words, call) => isRight(words, syntaxFor(call)),
    answer: (words, call) => run(parseArgs(words, syntaxFor(call)), call),
  };
}

interface Syntax<Shape extends z.ZodRawShape> extends Pick<Command, 'name' | 'usage' | 'textAfter'> {
  readonly schema: z.ZodObject<Shape>;
  readonly options: Options;
  /** The arguments' names, in order. */
  readonly places: readonly string[];
  complete(words: readonly string[]): Places;
}

function parseArgs<Shape extends z.ZodRawShape>(
  typed: readonly string[],
  syntax: Syntax<Shape>,
): z.output<z.ZodObject<Shape>> {
  const { name, usage, schema, places } = syntax;
  const wrong = (message: string, instead: readonly string[]): UsageError =>
    isRight(instead, syntax) ? new Misspelt(message, [name, ...instead]) : new UsageError(message);
  const { words, rest, given } = optionsOf(typed, syntax, wrong);
  if (words.length > places.length) {
    const extra = words.slice(places.length).map((word) => `“${word}”`);
    const instead = [...words.slice(0, places.length), ...rest];
    throw wrong(`${list(extra)} is too much: expected \`${usage}\`. Leave it out.`, instead);
  }
  const inPlace = syntax.complete(words);
  const parsed = schema.safeParse({ ...byName(inPlace, places), ...given });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const message = issues.map((issue) => issue.message).join(' ');
  const there = lineElsewhere(inPlace, issues);
  throw there === null
    ? wrong(message, [...put(inPlace, issues, places), ...rest])
    : new Elsewhere(message, [...there, ...rest]);
}

/** An option that isn't known is told with the line without it, where that is right. */
function optionsOf<Shape extends z.ZodRawShape>(
  typed: readonly string[],
  syntax: Syntax<Shape>,
  wrong: (message: string, instead: readonly string[]) => UsageError,
): Split {
  try {
    return splitOf(typed, syntax);
  } catch (error) {
    throw error instanceof UnknownOption ? wrong(error.message, error.without) : error;
  }
}

function isRight<Shape extends z.ZodRawShape>(typed: readonly string[], syntax: Syntax<Shape>): boolean {
  const { schema, places, complete } = syntax;
  try {
    const { words, given } = splitOf(typed, syntax);
    return words.length <= places.length && schema.safeParse({ ...byName(complete(words), places), ...given }).success;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
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

/** The words as the other slash command takes them, where all that is wrong is that one of them belongs to it; else null. */
function lineElsewhere(places: Places, issues: readonly z.core.$ZodIssue[]): readonly string[] | null {
  const [issue, ...more] = issues;
  if (issue?.code !== 'custom' || more.length > 0) return null;
  const kind: unknown = issue.params?.belongs;
  if (kind !== 'serve' && kind !== 'train') return null;
  return [KINDS[kind].slash, KINDS[kind].start, ...present(places)];
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

/** Refuses who may not do that on the host. */
export function mustHave(call: Call, right: Verb, host: string): void {
  if (mayDo(call.config, call.from.user, right, host)) return;
  throw new Refused(
    'right',
    `Refused: you (${call.from.user}) may not ${right} on ${host}. Whoever keeps vigil.yaml can add you under hosts.${host}.rights.${right}.`,
  );
}
