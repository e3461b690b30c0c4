/** From the words behind a slash command to what came of them, whatever brought them: slash text, a mention, a modal. */

import type { Message } from '../chat.ts';
import type { Call } from './call.ts';
import type { SlashCommand } from './commands/define.ts';
import { asksForHelp, explainVerb } from './commands/help.ts';
import { Elsewhere } from './refusals.ts';
import { cutWord, splitHead, splitWords } from './split-words.ts';
import { findVerb, slashCalled, verbOf } from './verbs.ts';

/**
 * Carries out a verb and what stands behind it (`wordsOf` reads them from a text); without a verb it helps. Throws UsageError and DeskClosed,
 * which answerError puts into words.
 */
export async function carryOut(slash: SlashCommand, words: readonly string[], call: Call): Promise<Message> {
  const [verb = 'help', ...behind] = words;
  const command = findVerb(slash, [verb, ...behind], call);
  const answer = asksForHelp(behind) ? explainVerb(slash.kind, command, call) : await command.answer(behind, call);
  call.log.info({ user: call.from.user, command: slash.name, verb: command.name }, 'a command was answered');
  return answer;
}

/** The verb and what stands behind it, as that verb takes it. Throws UsageError for a quote that is never closed. */
export function wordsOf(slash: SlashCommand, typed: string): readonly string[] {
  const text = withoutName(slash, typed);
  const textAfter = verbOf(slash, cutWord(text).word)?.textAfter;
  return textAfter === undefined ? splitWords(text) : splitHead(text, textAfter + 1);
}

/** Without the slash command itself, where it is there once more, as of a line to copy: `/vllm /vllm stop kpro5-3`. Throws Elsewhere for the other one. */
function withoutName(slash: SlashCommand, text: string): string {
  const { word, rest } = cutWord(text);
  const named = slashCalled(word);
  const isMeant = named !== undefined && (word.startsWith('/') || verbOf(named, cutWord(rest).word) !== undefined);
  if (!isMeant) return text;
  if (named === slash) return rest;
  throw new Elsewhere(`\`${named.name}\` is a command of its own.`, [named.name, ...splitWords(rest)]);
}
