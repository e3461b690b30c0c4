/** The one place where what could not be carried out turns into words. */

import type { Message } from '../chat.ts';
import { UsageError } from '../errors.ts';
import { list } from '../list.ts';
import { code } from '../report/escape.ts';
import { DeskClosed } from '../requests.ts';
import type { Asked, Edge } from './call.ts';
import type { SlashCommand } from './commands/define.ts';
import { statusLine } from './kinds.ts';
import { Elsewhere, Misspelt, Refused } from './refusals.ts';
import { explain, say, toCopy } from './say.ts';
import { verbOf } from './verbs.ts';

/** What was being done when an error came. */
export interface Doing {
  readonly verb: string | null;
  /** With its slash; null for a click. */
  readonly slash: string | null;
  readonly usage: string | null;
  readonly whenClosed: string;
  /** The app's name where it was mentioned, or null: a line to copy is one that can be said there. */
  readonly mentioned: string | null;
}

/** What these words (the verb first) were to do; `slash` null where it is not known which slash command they are of. */
export function doing(
  slash: SlashCommand | null,
  [verb = '']: readonly string[],
  mentioned: string | null = null,
): Doing {
  const command = slash === null ? undefined : verbOf(slash, verb);
  return {
    verb: command?.name ?? null,
    slash: slash?.name ?? null,
    usage: slash === null || command === undefined ? null : asSaid([slash.name, command.usage], mentioned).join(' '),
    mentioned,
    whenClosed: command?.whenClosed ?? 'Not accepted: Redis does not answer, nothing was done.',
  };
}

/** Says what is wrong, what is expected and what to do next, and logs why, without a word of what was typed. */
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
function hint(error: UsageError, { slash, usage, mentioned }: Doing): string | null {
  if (error instanceof Refused) return null;
  if (error instanceof Elsewhere) return toCopy(asSaid(error.line, mentioned));
  if (error instanceof Misspelt && slash !== null) return toCopy(asSaid([slash, ...error.line], mentioned));
  return usage === null ? null : `Usage: ${code(usage)}`;
}

/** A line that begins with a slash command, as it can be said: `@vigil vllm stop kpro5-3` where the app was mentioned. */
function asSaid(line: readonly string[], mentioned: string | null): readonly string[] {
  const [slash = '', ...words] = line;
  return mentioned === null ? line : [`@${mentioned}`, slash.slice(1), ...words];
}
