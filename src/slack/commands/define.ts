/** Commands as data: parsing, rights, help and docs come from the same object. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Verb } from '../../config/config.ts';
import { nearest } from '../../config/nearest.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../report/words.ts';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import { Misspelt, Refused } from '../refusals.ts';

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

interface Definition<Shape extends z.ZodRawShape> extends Omit<Command, 'answer' | 'accepts'> {
  /** The arguments in the order in which they are typed. */
  args(call: Call): z.ZodObject<Shape>;
  run(args: z.output<z.ZodObject<Shape>>, call: Call): Promise<Message>;
}

/** To add a command: define it in a file of its own, list it in vllm.ts, give it a heading in docs/commands.md. */
export function defineCommand<Shape extends z.ZodRawShape>({ args, run, ...data }: Definition<Shape>): Command {
  return {
    ...data,
    accepts: (words, call) => isRight(words, args(call)),
    answer: (words, call) => run(parseArgs(data, words, args(call)), call),
  };
}

function parseArgs<Shape extends z.ZodRawShape>(
  { name, usage }: Pick<Command, 'name' | 'usage'>,
  words: readonly string[],
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const wrong = (message: string, instead: readonly string[]): UsageError =>
    isRight(instead, schema) ? new Misspelt(message, [name, ...instead]) : new UsageError(message);
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
  const parsed = schema.safeParse(byName(words, schema));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw wrong(issues.map((issue) => issue.message).join(' '), put(words, issues, schema));
}

function isOption(word: string): boolean {
  return word.startsWith('--');
}

function isRight(words: readonly string[], schema: z.ZodObject): boolean {
  return words.length <= Object.keys(schema.shape).length && schema.safeParse(byName(words, schema)).success;
}

function byName(words: readonly string[], schema: z.ZodObject): Record<string, string> {
  const names = Object.keys(schema.shape);
  return Object.fromEntries(words.map((word, index) => [names[index], word]));
}

/** The words with the one that is wrong put right, where the nearest known one is told. */
function put(words: readonly string[], issues: readonly z.core.$ZodIssue[], schema: z.ZodObject): readonly string[] {
  const [issue, ...more] = issues;
  if (issue?.code !== 'custom' || more.length > 0) return words;
  const meant: unknown = issue.params?.meant;
  const place = Object.keys(schema.shape).indexOf(String(issue.path[0]));
  return typeof meant === 'string' ? words.map((word, index) => (index === place ? meant : word)) : words;
}

/** An argument that names one of a few things (`noun`: host); capitals don't matter, since phones begin with one. */
export function oneOf(noun: string, choices: readonly string[]) {
  const allowed =
    choices.length === 0
      ? `vigil.yaml has no ${noun}.`
      : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s: ${list(choices)}.`;
  return z.string({ error: `The ${noun} is missing. ${allowed}` }).transform((word, context) => {
    const found =
      choices.find((choice) => choice === word) ??
      choices.find((choice) => choice.toLowerCase() === word.toLowerCase());
    if (found !== undefined) return found;
    const meant = meantBy(word, choices);
    context.addIssue({ code: 'custom', message: unknownWord({ noun, word, meant, allowed }), params: { meant } });
    return z.NEVER;
  });
}

/** An argument that names a run; find-run.ts says which one. */
export function runWord() {
  return z.string({
    error: 'The run is missing: a name such as `kpro5-3`, a host with one live run, or `last`.',
  });
}

/** `There is no host “kpor5”. Did you mean kpro5? Hosts: kpro5 and kpro6.` */
export function unknownWord(said: { noun: string; word: string; meant: string | null; allowed: string }): string {
  const { noun, word, meant, allowed } = said;
  return `There is no ${noun} “${word}”.${meant === null ? '' : ` Did you mean \`${meant}\`?`} ${allowed}`;
}

/** The known word that is likely meant, or null. */
export function meantBy(word: string, choices: readonly string[]): string | null {
  return nearest(word, choices) ?? onlyOneThatBegins(word, choices);
}

function onlyOneThatBegins(word: string, choices: readonly string[]): string | null {
  const begun = choices.filter((choice) => choice.toLowerCase().startsWith(word.toLowerCase()));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/** Refuses who may not do that on the host. */
export function mustHave(call: Call, right: Verb, host: string): void {
  if (mayDo(call.config, call.from.user, right, host)) return;
  throw new Refused(
    'right',
    `Refused: you (${call.from.user}) may not ${right} on ${host}. Whoever keeps vigil.yaml can add you under hosts.${host}.rights.${right}.`,
  );
}
