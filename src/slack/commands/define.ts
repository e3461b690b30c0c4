/** Commands as data: parsing, rights, help and docs come from the same object. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Verb } from '../../config/config.ts';
import { nearest } from '../../config/nearest.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../report/words.ts';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';

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
  answer(words: readonly string[], call: Call): Promise<Message>;
}

/** What people type as one slash command: its name, what Slack shows beside it, its verbs. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly usageHint: string;
  readonly verbs: readonly Command[];
}

interface Definition<Shape extends z.ZodRawShape> extends Omit<Command, 'answer'> {
  /** The arguments in the order in which they are typed. */
  args(call: Call): z.ZodObject<Shape>;
  run(args: z.output<z.ZodObject<Shape>>, call: Call): Promise<Message>;
}

/** To add a command: define it in a file of its own, list it in vllm.ts, give it a heading in docs/commands.md. */
export function defineCommand<Shape extends z.ZodRawShape>({ args, run, ...data }: Definition<Shape>): Command {
  return { ...data, answer: (words, call) => run(parseArgs(words, args(call), data.usage), call) };
}

function parseArgs<Shape extends z.ZodRawShape>(
  words: readonly string[],
  schema: z.ZodObject<Shape>,
  usage: string,
): z.output<z.ZodObject<Shape>> {
  const names = Object.keys(schema.shape);
  const option = words.find((word) => word.startsWith('--'));
  if (option !== undefined)
    throw new UsageError(`“${option}” is an option, and this command takes none. Leave it out.`);
  if (words.length > names.length) {
    const extra = words.slice(names.length).map((word) => `“${word}”`);
    throw new UsageError(`${list(extra)} is too much: expected ${usage}. Leave it out.`);
  }
  const parsed = schema.safeParse(Object.fromEntries(words.map((word, index) => [names[index], word])));
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map((issue) => issue.message).join(' '));
}

/** An argument that names one of a few things; capitals don't matter, since phones begin with one. */
export function oneOf(argument: string, choices: readonly string[]) {
  const allowed = choices.length === 0 ? 'vigil.yaml has none.' : `There is ${list(choices)}.`;
  return z.string({ error: `${argument} is missing. ${allowed}` }).transform((word, context) => {
    const found =
      choices.find((choice) => choice === word) ??
      choices.find((choice) => choice.toLowerCase() === word.toLowerCase());
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: unknownWord(argument, word, choices, allowed) });
    return z.NEVER;
  });
}

/** An argument that names a run; find-run.ts says which one. */
export function runWord() {
  return z.string({ error: 'RUN is missing: a name such as kpro5-3, a host with one live run, or last.' });
}

/** `HOST “kpor5” is not known. Did you mean kpro5? There is kpro5 and kpro6.` */
export function unknownWord(argument: string, word: string, choices: readonly string[], allowed: string): string {
  const meant = nearest(word, choices) ?? onlyOneThatBegins(word, choices);
  return `${argument} “${word}” is not known.${meant === null ? '' : ` Did you mean ${meant}?`} ${allowed}`;
}

function onlyOneThatBegins(word: string, choices: readonly string[]): string | null {
  const begun = choices.filter((choice) => choice.toLowerCase().startsWith(word.toLowerCase()));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/** Refuses who may not do that on the host. */
export function mustHave(call: Call, right: Verb, host: string): void {
  if (mayDo(call.config, call.from.user, right, host)) return;
  throw new UsageError(
    `Refused: you (${call.from.user}) may not ${right} on ${host}. Whoever keeps vigil.yaml can add you under hosts.${host}.rights.${right}.`,
  );
}
