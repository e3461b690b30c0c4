/** Which verb somebody means by a word; one that there isn't is told with the one that is likely meant, and with the line put right. */

import { UsageError } from '../errors.ts';
import { list } from '../list.ts';
import type { Call } from './call.ts';
import { known, meantBy, unknownWord } from './commands/arguments.ts';
import type { Command, SlashCommand } from './commands/define.ts';
import { asksForHelp } from './commands/help.ts';
import { SLASH_COMMANDS } from './commands/slash.ts';
import { KINDS } from './kinds.ts';
import { Elsewhere, Misspelt } from './refusals.ts';

/** The slash command that is called so, with its slash or without, or undefined. */
export function slashCalled(word: string): SlashCommand | undefined {
  const name = word.toLowerCase();
  return SLASH_COMMANDS.find((slash) => slash.name === name || slash.name === `/${name}`);
}

/** The verb that is called so, whatever its capitals and the full stop behind it, or undefined. */
export function verbOf({ verbs }: SlashCommand, word: string): Command | undefined {
  const name = asksForHelp([word]) || word === '?' ? 'help' : word.toLowerCase().replace(/[.!?,;:]$/, '');
  return verbs.find((command) => command.name === name);
}

/** The verb of these words, which stands first. Throws UsageError where there is none. */
export function findVerb(slash: SlashCommand, [verb = '', ...words]: readonly string[], call: Call): Command {
  const found = verbOf(slash, verb);
  if (found !== undefined) return found;
  throw ofOther(slash, verb, words, call) ?? misspelt(slash, verb, words, call);
}

/** The verb that only another slash command has; where this one has a word for the same, the one whose words these are. */
function ofOther(slash: SlashCommand, verb: string, words: readonly string[], call: Call): Elsewhere | null {
  const ours = verbMeant(slash, verb);
  for (const other of SLASH_COMMANDS) {
    const theirs = verbOf(other, verb);
    if (theirs === undefined) continue;
    if (ours === null || (isRight(theirs, words, call) && !isRight(ours, words, call)))
      return new Elsewhere(`\`${theirs.name}\` belongs to ${other.name}.`, [other.name, theirs.name, ...words]);
  }
  return null;
}

function misspelt(slash: SlashCommand, verb: string, words: readonly string[], call: Call): UsageError {
  const command = verbMeant(slash, verb);
  const late =
    command === null ? (lateVerb(slash, verb, words, call) ?? forgotten(slash, [verb, ...words], call)) : null;
  if (late !== null) return late;
  const allowed = `Commands: ${list(slash.verbs.map(({ name }) => name))}.`;
  const message = unknownWord({ noun: 'command', word: verb, meant: command?.name ?? null, allowed });
  return command !== null && isRight(command, words, call)
    ? new Misspelt(message, [command.name, ...words])
    : new UsageError(message);
}

/** The verb that is likely meant: by another word for it, else by one that is close. */
export function verbMeant({ verbs }: SlashCommand, word: string): Command | null {
  const same = verbs.find(({ alsoCalled }) => known(word, alsoCalled) !== null);
  const near = meantBy(
    word,
    verbs.map(({ name }) => name),
  );
  return same ?? verbs.find(({ name }) => name === near) ?? null;
}

/** `kpro5-3 stop` */
function lateVerb(slash: SlashCommand, first: string, words: readonly string[], call: Call): Misspelt | null {
  for (const [index, word] of words.entries()) {
    const command = verbOf(slash, word);
    const rest = [first, ...words.toSpliced(index, 1)];
    if (command !== undefined && isRight(command, rest, call))
      return new Misspelt(`\`${command.name}\` has to stand first.`, [command.name, ...rest]);
  }
  return null;
}

/** `kpro5 dflash`, `kpro5-3`: a name where the verb should stand. */
function forgotten(slash: SlashCommand, words: readonly string[], call: Call): Misspelt | null {
  const { hosts, recipes } = call.config;
  const [name = '', ...more] = words;
  const isStart = more.length > 0 || known(name, Object.keys(recipes)) !== null;
  const isRun = known(name, Object.keys(hosts)) !== null || /-\d{1,9}$/.test(name);
  const command = isStart ? verbOf(slash, KINDS[slash.kind].start) : isRun ? verbOf(slash, 'status') : undefined;
  if (command === undefined || !isRight(command, words, call)) return null;
  const message = `“${name}” is no command: the verb is missing. Did you mean \`${command.name}\`?`;
  return new Misspelt(message, [command.name, ...words]);
}

function isRight(command: Command, words: readonly string[], call: Call): boolean {
  return asksForHelp(words) || command.accepts(words, call);
}
