/** From what somebody typed to what they read: nothing that happens in between leaves them without an answer. */

import type { Message } from '../chat.ts';
import { UsageError } from '../errors.ts';
import { list } from '../list.ts';
import { code } from '../report/escape.ts';
import { DeskClosed } from '../requests.ts';
import { within } from '../within.ts';
import type { Asked, Call, Edge, Followup } from './call.ts';
import { meantBy, unknownWord } from './commands/arguments.ts';
import type { Command, SlashCommand } from './commands/define.ts';
import { SLASH_COMMANDS } from './commands/slash.ts';
import { identify } from './identify.ts';
import { KINDS, statusLine } from './kinds.ts';
import { Elsewhere, Misspelt, Refused } from './refusals.ts';
import { explain, say, toCopy } from './say.ts';
import { splitHead, splitWords } from './split-words.ts';

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
    if (slash === null) return unknownSlash(call, typed);
    const [verb = 'help', ...words] = wordsOf(slash, typed.text);
    command = findVerb(slash, [verb, ...words], call);
    const answer = await command.answer(words, call);
    call.log.info({ user: call.from.user, command: typed.command, verb: command.name }, 'a command was answered');
    return answer;
  } catch (error) {
    return answerError(call, error, doing(typed.command, command));
  }
}

/** The verb and what stands behind it, as that verb takes it. */
function wordsOf({ verbs }: SlashCommand, text: string): readonly string[] {
  const [verb = ''] = splitHead(text, 1);
  const textAfter = verbs.find(({ name }) => name === verb.toLowerCase())?.textAfter;
  return textAfter === undefined ? splitWords(text) : splitHead(text, textAfter + 1);
}

function findVerb(slash: SlashCommand, [verb = '', ...words]: readonly string[], call: Call): Command {
  const found = slash.verbs.find((command) => command.name === verb.toLowerCase());
  if (found !== undefined) return found;
  const names = slash.verbs.map((command) => command.name);
  // Who types `launch` for a training means `train`; `train` of a server is another command's.
  const elsewhere = SLASH_COMMANDS.find((other) => other !== slash && other.name === KINDS.train.slash);
  if (elsewhere !== undefined && verb.toLowerCase() === KINDS.train.start)
    throw new Elsewhere(`\`${verb}\` belongs to ${elsewhere.name}.`, [elsewhere.name, verb.toLowerCase(), ...words]);
  const isStart = verb.toLowerCase() === KINDS.serve.start;
  const meant = isStart ? KINDS.train.start : meantBy(verb, names);
  const message = unknownWord({ noun: 'command', word: verb, meant, allowed: `Commands: ${list(names)}.` });
  const command = slash.verbs.find(({ name }) => name === meant);
  throw command?.accepts(words, call) === true
    ? new Misspelt(message, [command.name, ...words])
    : new UsageError(message);
}

/** Slack brings only what the manifest lists, so this is a manifest of another version, or the demo's page. */
function unknownSlash(call: Call, { command, text }: TypedCommand): Message {
  const names = SLASH_COMMANDS.map((slash) => slash.name);
  call.log.info({ user: call.from.user, reason: 'unknown slash command' }, 'a command was not carried out');
  const meant = meantBy(command, names);
  if (meant !== null)
    return explain(
      `There is no command “${command}”. Did you mean \`${meant}\`?`,
      toCopy([meant, ...text.split(/\s+/)]),
    );
  return say(
    `Vigil doesn't answer ${code(command)}; it answers ${list(names.map((name) => code(name)))}. Whoever keeps the Slack app can take the command out of its manifest.`,
  );
}

/** What was being done when an error came. */
interface Doing {
  readonly verb: string | null;
  /** With its slash; null for a click. */
  readonly slash: string | null;
  readonly usage: string | null;
  readonly whenClosed: string;
}

function doing(slash: string, command: Command | null): Doing {
  if (command === null)
    return { verb: null, slash, usage: null, whenClosed: 'Not accepted: Redis does not answer, nothing was done.' };
  return { verb: command.name, slash, usage: `${slash} ${command.usage}`, whenClosed: command.whenClosed };
}

/** The one place where a failed command or click turns into words. */
export function answerError(edge: Edge & { from: Asked }, error: unknown, doing: Doing): Message {
  const { verb, slash, whenClosed } = doing;
  if (error instanceof UsageError) {
    const reason = error instanceof Refused ? error.reason : 'usage';
    edge.log.info({ user: edge.from.user, command: slash, verb, reason }, 'a command was not carried out');
    return explain(error.message, hint(error, doing));
  }
  if (error instanceof DeskClosed) {
    edge.log.error({ err: error, verb }, 'Redis did not answer in time');
    return explain(whenClosed, null);
  }
  edge.log.error({ err: error, user: edge.from.user, verb }, 'a command failed');
  const when = new Date(edge.clock.now()).toISOString();
  return say(
    `Vigil could not finish this; its own log has the reason (${when}). ${list(statusCommands(slash), 'or')} tells whether anything was started.`,
  );
}

/** What tells how things stand: of the slash command that was typed, else of each. */
function statusCommands(slash: string | null): readonly string[] {
  const lines = [statusLine('serve'), statusLine('train')];
  const own = lines.filter((line) => line.split(' ')[0] === slash);
  return (own.length === 0 ? lines : own).map((line) => code(line));
}

/** The line put right where one word was wrong, else how the command is used; a refusal needs neither. */
function hint(error: UsageError, { slash, usage }: Doing): string | null {
  if (error instanceof Refused) return null;
  if (error instanceof Elsewhere) return toCopy(error.line);
  if (error instanceof Misspelt && slash !== null) return toCopy([slash, ...error.line]);
  return usage === null ? null : `Usage: ${code(usage)}`;
}
