/** What a headless command that made no run says by its exit code. */
import { SLASH_COMMANDS } from '../../src/slack/commands/vllm.ts';
import { splitWords } from '../../src/slack/split-words.ts';

interface Names {
  readonly hosts: Readonly<Record<string, unknown>>;
  readonly recipes: Readonly<Record<string, unknown>>;
}

/** 0 = answered, 1 = a launch that was understood and refused, 2 = not understood; by the app's own commands, not by its words. */
export function codeWithoutRun(command: string, config: Names): 0 | 1 | 2 {
  const [slash, typed = 'help', ...words] = split(command);
  const verb = SLASH_COMMANDS.find(({ name }) => name === slash)?.verbs.find(
    ({ name }) => name === typed.trim().toLowerCase(),
  );
  if (verb === undefined || !fits(words, verb.usage)) return 2;
  if (verb.name !== 'launch') return 0;
  const [host = '', recipe = ''] = words;
  return isOneOf(host, config.hosts) && isOneOf(recipe, config.recipes) ? 1 : 2;
}

/** No words for a text that can't be split: a quote is left open. */
function split(command: string): string[] {
  try {
    return splitWords(command);
  } catch {
    return [];
  }
}

/** `launch HOST RECIPE` takes two words, `status [RUN]` none or one; no command takes options. */
function fits(words: readonly string[], usage: string): boolean {
  const places = usage.split(' ').slice(1);
  const needed = places.filter((place) => !place.startsWith('['));
  const hasOption = words.some((word) => word.startsWith('--'));
  return !hasOption && words.length >= needed.length && words.length <= places.length;
}

function isOneOf(word: string, names: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(names).some((name) => name.toLowerCase() === word.toLowerCase());
}
