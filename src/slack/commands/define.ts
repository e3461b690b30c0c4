/** Commands as data: parsing, rights, help and docs come from the same object. */

import type { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Verb } from '../../config/config.ts';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import type { Kind } from '../kinds.ts';
import { Refused } from '../refusals.ts';
import type { Options } from './options.ts';
import { isRight, type Places, parseArgs, type Syntax } from './parse-args.ts';
import { refusalWords } from './refusal-words.ts';

/** The groups of verbs in the help, in its order. */
export const GROUPS = ['Start', 'Look', 'End', 'Learn'] as const;
export type Group = (typeof GROUPS)[number];

/** A verb of a slash command. */
export interface Command {
  readonly name: string;
  /** Other words that people may mean it by; they get the line put right. */
  readonly alsoCalled: readonly string[];
  readonly group: Group;
  /** What the help says of it in a few words, where its usage alone doesn't tell. */
  readonly gist: string | null;
  readonly summary: string;
  /** Without the slash command: `launch HOST RECIPE`. */
  readonly usage: string;
  /** A line that a person could type, without the slash command; HOST, RECIPE and RUN stand for names that there are. */
  readonly example: readonly string[];
  /** More about it, one sentence a row. */
  readonly notes: readonly string[];
  readonly options: Options;
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
  readonly kind: Kind;
  readonly description: string;
  readonly usageHint: string;
  readonly verbs: readonly Command[];
}

/** What may be left out of a definition: there is none of it. */
type Spared = 'alsoCalled' | 'gist' | 'options';

interface Definition<Shape extends z.ZodRawShape>
  extends Omit<Command, 'answer' | 'accepts' | Spared>,
    Partial<Pick<Command, Spared>> {
  /** The arguments in the order in which they are typed, then the options by their names (`dryRun` for --dry-run). */
  args(call: Call): z.ZodObject<Shape>;
  /** Puts the words in their places, with those that go without saying. Without it each word stands where it was typed. */
  complete?(words: readonly string[], call: Call): Places;
  run(args: z.output<z.ZodObject<Shape>>, call: Call): Promise<Message>;
}

/** Whether the word behind the verb names a run. */
export function takesRun({ usage }: Pick<Command, 'usage'>): boolean {
  return /^\S+ \[?RUN\b/.test(usage);
}

/** To add a command: define it in a file of its own, list it in its slash command's, give it a heading in docs/commands.md. */
export function defineCommand<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Command {
  const { args, complete, run, ...given } = definition;
  const data = { alsoCalled: [], gist: null, options: {}, ...given };
  const syntaxFor = (call: Call): Syntax<Shape> => {
    const schema = args(call);
    const names = Object.keys(schema.shape);
    return {
      ...data,
      schema,
      places: names.slice(0, names.length - Object.keys(data.options).length),
      complete: (words) => complete?.(words, call) ?? words,
    };
  };
  return {
    ...data,
    accepts: (words, call) => isRight(words, syntaxFor(call)),
    answer: (words, call) => run(parseArgs(words, syntaxFor(call)), call),
  };
}

/** Refuses who may not do that on the host. */
export function mustHave(call: Call, right: Verb, host: string): void {
  if (!mayDo(call.config, call.who, right, host)) throw new Refused('right', refusalWords(call, right, host));
}
