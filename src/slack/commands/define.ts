/** Commands as data: parsing, rights, help and docs come from the same object. */

import type { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Verb } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../report/words.ts';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import { KINDS } from '../kinds.ts';
import { Elsewhere, Misspelt, Refused } from '../refusals.ts';

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
  /** The arguments in the order in which they are typed. */
  args(call: Call): z.ZodObject<Shape>;
  /** Puts the words in their places, with those that go without saying. Without it each word stands where it was typed. */
  complete?(words: readonly string[], call: Call): Places;
  run(args: z.output<z.ZodObject<Shape>>, call: Call): Promise<Message>;
}

/** To add a command: define it in a file of its own, list it in its slash command's, give it a heading in docs/commands.md. */
export function defineCommand<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Command {
  const { args, complete, run, ...data } = definition;
  const syntaxFor = (call: Call): Syntax<Shape> => ({
    ...data,
    schema: args(call),
    complete: (words) => complete?.(words, call) ?? words,
  });
  return {
    ...data,
    accepts: (words, call) => isRight(words, syntaxFor(call)),
    answer: (words, call) => run(parseArgs(words, syntaxFor(call)), call),
  };
}

interface Syntax<Shape extends z.ZodRawShape> extends Pick<Command, 'name' | 'usage'> {
  readonly schema: z.ZodObject<Shape>;
  complete(words: readonly string[]): Places;
}

function parseArgs<Shape extends z.ZodRawShape>(
  words: readonly string[],
  syntax: Syntax<Shape>,
): z.output<z.ZodObject<Shape>> {
  const { name, usage, schema } = syntax;
  const wrong = (message: string, instead: readonly string[]): UsageError =>
    isRight(instead, syntax) ? new Misspelt(message, [name, ...instead]) : new UsageError(message);
  const option = words.find(isOption);
  if (option !== undefined) {
    const instead = words.filter((word) => !isOption(word));
    throw wrong(`“${option}” is an option, and this command takes none. Leave it out.`, instead);
  }
  const most = Object.keys(schema.shape).length;
  if (words.length > most) {
    const extra = words.slice(most).map((word) => `“${word}”`);
    throw wrong(`${list(extra)} is too much: expected \`${usage}\`. Leave it out.`, words.slice(0, most));
  }
  const places = syntax.complete(words);
  const parsed = schema.safeParse(byName(places, schema));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const message = issues.map((issue) => issue.message).join(' ');
  const there = lineElsewhere(places, issues);
  throw there === null ? wrong(message, put(places, issues, schema)) : new Elsewhere(message, there);
}

function isOption(word: string): boolean {
  return word.startsWith('--');
}

function isRight<Shape extends z.ZodRawShape>(words: readonly string[], { schema, complete }: Syntax<Shape>): boolean {
  if (words.length > Object.keys(schema.shape).length) return false;
  return schema.safeParse(byName(complete(words), schema)).success;
}

function byName(places: Places, schema: z.ZodObject): Record<string, string | undefined> {
  const names = Object.keys(schema.shape);
  return Object.fromEntries(places.map((word, index) => [names[index], word]));
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
function put(places: Places, issues: readonly z.core.$ZodIssue[], schema: z.ZodObject): readonly string[] {
  const [issue, ...more] = issues;
  if (issue?.code !== 'custom' || more.length > 0) return present(places);
  const meant: unknown = issue.params?.meant;
  const place = Object.keys(schema.shape).indexOf(String(issue.path[0]));
  return present(typeof meant === 'string' ? places.map((word, index) => (index === place ? meant : word)) : places);
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
