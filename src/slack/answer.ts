/** From what somebody typed to what they read: nothing that happens in between leaves them without an answer. */

import type { Message } from '../chat.ts';
import { list } from '../list.ts';
import { code } from '../report/escape.ts';
import { answerError, doing } from './answer-error.ts';
import type { Asked, Call, Edge, Followup } from './call.ts';
import { carryOut, wordsOf } from './carry-out.ts';
import { meantBy } from './commands/arguments.ts';
import type { SlashCommand } from './commands/define.ts';
import { SLASH_COMMANDS } from './commands/slash.ts';
import { identify } from './identify.ts';
import { KINDS, type Kind } from './kinds.ts';
import { openLaunch } from './modal/open.ts';
import { promptly } from './promptly.ts';
import { explain, say, toCopy } from './say.ts';
import { splitHead } from './split-words.ts';
import { verbOf } from './verbs.ts';

export interface TypedCommand extends Asked {
  /** With its slash. */
  readonly command: string;
  readonly text: string;
}

/**
 * The private answer to a slash command; null = nothing is to be said, since a modal has opened. Never rejects, and is never later than the
 * limit: what takes longer follows by `respond`.
 */
export async function answerCommand(edge: Edge, typed: TypedCommand, followup: Followup): Promise<Message | null> {
  const deadline = edge.clock.now() + edge.limits.answer;
  const { user, team, channel, trigger } = typed;
  const asking = { ...edge, ...followup, from: { user, team, channel, trigger }, thread: null, deadline };
  return promptly({ edge, followup, about: { user, command: typed.command } }, understood(asking, typed));
}

/** Parses and runs; every error becomes an answer here. */
async function understood(asking: Omit<Call, 'who'>, typed: TypedCommand): Promise<Message | null> {
  const slash = SLASH_COMMANDS.find((known) => known.name === typed.command) ?? null;
  try {
    const call: Call = { ...asking, who: await identify(asking, asking.from) };
    if (slash === null) return unknownSlash(call, typed);
    const words = wordsOf(slash, typed.text);
    const kind = kindToChoose(slash, words, call);
    if (kind !== null && (await openLaunch(kind, call)) === 'opened') return null;
    return await carryOut(slash, words, call);
  } catch (error) {
    return answerError(asking, error, doing(slash, splitHead(typed.text, 1)));
  }
}

/** What a modal is to ask host and recipe for: nothing was typed, or only the verb that starts one, where that doesn't say enough; else null. */
function kindToChoose(slash: SlashCommand, [verb, ...behind]: readonly string[], call: Call): Kind | null {
  const { kind } = slash;
  if (verb === undefined) return kind;
  const command = verbOf(slash, verb);
  const isStart = command?.name === KINDS[kind].start && behind.length === 0;
  return isStart && !command.accepts([], call) ? kind : null;
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
