/** What a headless command that made no run says by its exit code. */
import { asksForHelp } from '../../src/slack/commands/help.ts';
import { SLASH_COMMANDS } from '../../src/slack/commands/slash.ts';
import { splitWords } from '../../src/slack/split-words.ts';

interface Names {
  readonly hosts: Readonly<Record<string, unknown>>;
  readonly recipes: Readonly<Record<string, { readonly kind?: 'serve' | 'train' }>>;
}

/** The verbs that make a run, and of which kind. */
const KINDS: Readonly<Record<string, 'serve' | 'train'>> = { launch: 'serve', train: 'train' };

/** 0 = answered, 1 = a launch or training that was understood and refused, 2 = not understood; by the app's own commands, not by its words. */
export function codeWithoutRun(command: string, config: Names): 0 | 1 | 2 {
  const [slash, typed = 'help', ...words] = split(command);
  const verb = SLASH_COMMANDS.find(({ name }) => name === slash)?.verbs.find(
    ({ name }) => name === typed.trim().toLowerCase(),
  );
  if (verb !== undefined && asksForHelp(words)) return 0;
  if (verb === undefined) return 2;
  const kind = KINDS[verb.name];
  const isComplete = fits(words, verb.usage);
  if (kind === undefined) return isComplete ? 0 : 2;
  const named = words.filter((word) => !word.startsWith('--'));
  if (isComplete && namesRun(named, config, kind)) return 1;
  // A verb alone opens a modal, which asks for the rest.
  return words.length === 0 ? 0 : 2;
}

/** `train` may leave out what there is only one of; a word alone is then a host or a recipe. */
function namesRun(words: readonly string[], config: Names, kind: 'serve' | 'train'): boolean {
  const hosts = Object.keys(config.hosts);
  const recipes = Object.keys(config.recipes).filter((name) => (config.recipes[name]?.kind ?? 'serve') === kind);
  const [first, second] = words;
  if (first !== undefined && second !== undefined) return isOneOf(first, hosts) && isOneOf(second, recipes);
  if (first === undefined) return hosts.length === 1 && recipes.length === 1;
  return (isOneOf(first, hosts) && recipes.length === 1) || (isOneOf(first, recipes) && hosts.length === 1);
}

/** No words for a text that can't be split: a quote is left open. */
function split(command: string): string[] {
  try {
    return splitWords(command);
  } catch {
    return [];
  }
}

/** `launch HOST RECIPE` takes two words, `status [RUN]` none or one; options stand in the last brackets, `[--pid N]` or `[--queue | --dry-run]`. */
function fits(typed: readonly string[], usage: string): boolean {
  const options = /\[(?<options>--.*)\]/.exec(usage)?.groups?.options ?? '';
  const known = new Map(options.split(' | ').map((option) => [option.split(' ')[0] ?? '', option.includes(' ')]));
  const isValue = (index: number): boolean => known.get(typed[index - 1] ?? '') === true;
  const words = typed.filter((word, index) => !word.startsWith('--') && !isValue(index));
  if (typed.some((word) => word.startsWith('--') && !known.has(word))) return false;
  const places = usage
    .replace(/\[--.*\]/, '')
    .trim()
    .split(' ')
    .slice(1);
  const needed = places.filter((place) => !place.startsWith('['));
  return words.length >= needed.length && words.length <= places.length;
}

function isOneOf(word: string, names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase() === word.toLowerCase());
}
