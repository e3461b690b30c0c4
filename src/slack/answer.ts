/** From what somebody typed to what they read: nothing that happens in between leaves them without an answer. */

import type { Message } from '../chat.ts';
import { UsageError } from '../errors.ts';
import { code } from '../report/escape.ts';
import { list } from '../report/words.ts';
import { DeskClosed } from '../requests.ts';
import { within } from '../within.ts';
import type { Asked, Call, Edge, Followup } from './call.ts';
import { type Command, type SlashCommand, unknownWord } from './commands/define.ts';
import { SLASH_COMMANDS } from './commands/vllm.ts';
import { identify } from './identify.ts';
import { explain, say } from './say.ts';
import { splitWords } from './split-words.ts';

export interface TypedCommand extends Asked {
  /** With its slash. */
  readonly command: string;
  readonly text: string;
}

/** The private answer to a slash command. Never rejects, and is never later than the limit: what takes longer follows by `respond`. */
export async function answerCommand(edge: Edge, typed: TypedCommand, followup: Followup): Promise<Message> {
  const deadline = edge.clock.now() + edge.limits.answer;
  const { user, team, channel, trigger } = typed;
  const call: Call = { ...edge, ...followup, from: { user, team, channel, trigger }, deadline };
  const working = understood(call, typed);
  const answer = await within(edge.limits.answer + 150, working);
  if (answer !== 'late') return answer;
  edge.log.warn({ user, command: typed.command }, 'an answer takes longer than Slack waits');
  followup.later(working.then((late) => followup.respond(late)));
  return say('Understood, but something is slow: the answer follows.');
}

/** Parses and runs; every error becomes an answer here. */
async function understood(call: Call, typed: TypedCommand): Promise<Message> {
  let command: Command | null = null;
  const slash = SLASH_COMMANDS.find((known) => known.name === typed.command) ?? null;
  try {
    await identify(call, call.from);
    if (slash === null) return unknownSlash(typed.command);
    const [verb = 'help', ...words] = splitWords(typed.text);
    command = findVerb(slash, verb);
    const answer = await command.answer(words, call);
    call.log.info({ user: call.from.user, command: typed.command, verb: command.name }, 'a command was answered');
    return answer;
  } catch (error) {
    return answerError(call, error, doing(typed.command, command));
  }
}

function findVerb(slash: SlashCommand, verb: string): Command {
  const found = slash.verbs.find((command) => command.name === verb.toLowerCase());
  if (found !== undefined) return found;
  const names = slash.verbs.map((command) => command.name);
  throw new UsageError(unknownWord('VERB', verb, names, `${slash.name} knows ${list(names)}.`));
}

function unknownSlash(typed: string): Message {
  const known = SLASH_COMMANDS.map((slash) => code(slash.name));
  return say(
    `Vigil doesn't answer ${code(typed)}; it answers ${list(known)}. Whoever keeps the Slack app can take the command out of its manifest.`,
  );
}

/** What was being done when an error came. */
interface Doing {
  readonly verb: string | null;
  readonly usage: string | null;
  readonly whenClosed: string;
}

function doing(slash: string, command: Command | null): Doing {
  if (command === null)
    return { verb: null, usage: null, whenClosed: 'Not accepted: Redis does not answer, nothing was done.' };
  return { verb: command.name, usage: `${slash} ${command.usage}`, whenClosed: command.whenClosed };
}

/** The one place where a failed command or click turns into words. */
export function answerError(edge: Edge & { from: Asked }, error: unknown, { verb, usage, whenClosed }: Doing): Message {
  if (error instanceof UsageError) return explain(error.message, usage);
  if (error instanceof DeskClosed) {
    edge.log.error({ err: error, verb }, 'Redis did not answer in time');
    return explain(whenClosed, null);
  }
  edge.log.error({ err: error, user: edge.from.user, verb }, 'a command failed');
  const when = new Date(edge.clock.now()).toISOString();
  return say(
    `Vigil could not finish this; its own log has the reason (${when}). ${code('/vllm status')} tells whether anything was started.`,
  );
}
