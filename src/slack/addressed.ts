/** What a mention asks for: in a run's thread the run goes without saying; elsewhere the words themselves say whether servers or trainings are meant. */

import { UsageError } from '../errors.ts';
import { list } from '../list.ts';
import { isEnd, type Run } from '../run/run.ts';
import type { Call } from './call.ts';
import { wordsOf } from './carry-out.ts';
import { known } from './commands/arguments.ts';
import { type SlashCommand, takesRun } from './commands/define.ts';
import { isOption } from './commands/options.ts';
import { SLASH_COMMANDS } from './commands/slash.ts';
import { visibleRuns } from './find-run.ts';
import type { Kind } from './kinds.ts';
import { cutWord, splitHead } from './split-words.ts';
import { slashCalled, verbMeant, verbOf } from './verbs.ts';

/** A mention with what Slack and people put before and behind it; formats that begin before it go on behind it. */
const MENTION = /^((?:&gt;|[\s>*_~\u200b\u2060\ufeff])*)<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>[:,]?\s*/;
const MOST_MENTIONS = 5;

/** What stands behind the mentions with which the text begins, one of which is ours. Throws UsageError where none is: that is talk about the app. */
export function saidTo(text: string, { name, user }: Call['self']): string {
  let said = text;
  let isOurs = false;
  for (let count = 0; count < MOST_MENTIONS; count++) {
    const mention = MENTION.exec(said);
    if (mention === null) break;
    isOurs ||= mention[2] === user;
    said = said.replace(MENTION, '$1');
  }
  // A format around the mention alone leaves its marks behind.
  if (isOurs)
    return said
      .replace(/^(?:&gt;|[\s>])+/, '')
      .replace(/^[*_~]{1,6}(?=\s)/, '')
      .trim();
  throw new UsageError(
    `Nothing was done. To have something done, begin the message with the mention: \`@${name} help\`.`,
  );
}

/** The slash command and its words; null = nothing stands there, and no run's thread says what that is about. Throws UsageError where it isn't clear. */
export async function addressed(
  text: string,
  call: Call,
): Promise<{ readonly slash: SlashCommand; readonly words: readonly string[] } | null> {
  const first = cutWord(text);
  const named = slashCalled(first.word);
  const said = named === undefined ? text : first.rest;
  const run = call.thread === null ? null : ((await call.desk.runAt(call.thread))?.run ?? null);
  const isBare = cutWord(said).word === '';
  if (isBare && (named === undefined || named.kind === run?.request.kind))
    return run === null ? null : { slash: slashOf(run.request.kind), words: ['status', run.request.name] };
  const slash = named ?? (run === null ? await slashFor(said, call) : slashIn(run, said));
  if (slash === null) return null;
  const isOfRun = run !== null && run.request.kind === slash.kind;
  return { slash, words: isOfRun ? await wordsWithRun(slash, said, { run, call }) : wordsOf(slash, said) };
}

function slashOf(kind: Kind): SlashCommand {
  const found = SLASH_COMMANDS.find((slash) => slash.kind === kind);
  if (found === undefined) throw new Error(`no slash command is for ${kind}`);
  return found;
}

/** In a run's thread its own, but for a verb that only another one has. */
function slashIn({ request }: Run, said: string): SlashCommand {
  const own = slashOf(request.kind);
  const { word } = cutWord(said);
  const others = SLASH_COMMANDS.filter((slash) => verbOf(slash, word) !== undefined);
  return others.includes(own) ? own : (others[0] ?? own);
}

/** By the verb, where only one has it; else by the names behind it. null = help in general. */
async function slashFor(said: string, call: Call): Promise<SlashCommand | null> {
  const { word, rest } = cutWord(said);
  const having = SLASH_COMMANDS.filter((slash) => verbOf(slash, word) !== undefined);
  const [first] = having;
  if (first !== undefined && having.length === 1) return first;
  if (first !== undefined && verbOf(first, word)?.name === 'help') {
    const asked = cutWord(rest).word;
    return asked === '' ? null : (SLASH_COMMANDS.find((slash) => verbOf(slash, asked) !== undefined) ?? first);
  }
  const kinds = await kindsNamed(splitHead(rest, 3), call);
  const [kind] = kinds;
  if (kind !== undefined && kinds.length === 1) return slashOf(kind);
  if (first === undefined) return SLASH_COMMANDS[0] ?? null;
  const lines = having.map(({ name }) => `\`@${call.self.name} ${name.slice(1)} ${wordsOf(first, said).join(' ')}\``);
  throw new UsageError(
    `\`${word.toLowerCase()}\` is for servers and for trainings. Say which, to copy: ${list(lines, 'or')}.`,
  );
}

/** Of which kinds the recipes are that these words name, else the runs, else what lives on the hosts. */
async function kindsNamed(words: readonly string[], call: Call): Promise<readonly Kind[]> {
  const names = words.filter((word) => !isOption(word));
  const recipes = Object.values(call.config.recipes).filter(({ name }) => isAmong(name, names));
  if (names.length === 0 || recipes.length > 0) return kindsOf(recipes);
  const runs = await visibleRuns(call, 'see');
  const called = runs.filter(({ run: { request } }) => isAmong(request.name, names) || isAmong(request.id, names));
  const there = runs.filter(({ run }) => !isEnd(run.phase) && isAmong(run.request.host, names));
  return kindsOf((called.length > 0 ? called : there).map(({ run }) => run.request));
}

function isAmong(name: string, words: readonly string[]): boolean {
  return known(name, words) !== null;
}

function kindsOf(all: readonly { readonly kind: Kind }[]): readonly Kind[] {
  return [...new Set(all.map(({ kind }) => kind))];
}

/** With the run in its place, where the verb takes one and none is named; so that a verb which is misspelt can be put right with it. */
async function wordsWithRun(
  slash: SlashCommand,
  said: string,
  { run, call }: { readonly run: Run; readonly call: Call },
): Promise<readonly string[]> {
  const { word, rest } = cutWord(said);
  const exact = verbOf(slash, word);
  const verb = exact ?? verbMeant(slash, word);
  const words = wordsOf(slash, said);
  if (verb === null || !takesRun(verb)) return words;
  const { name } = run.request;
  if (exact === undefined || verb.textAfter === undefined) {
    const [first = '', ...behind] = words;
    return behind.some((one) => !isOption(one)) ? words : [first, name, ...behind];
  }
  // What follows is a text, which may begin with any word: only a run's own name is none of it.
  const next = cutWord(rest).word;
  const runs = await visibleRuns(call, 'see');
  const isNamedThere = known(next, [name, ...runs.map((other) => other.run.request.name)]) !== null;
  return isNamedThere || isOption(next) ? words : [verb.name, name, ...splitHead(said, 1).slice(1)];
}
