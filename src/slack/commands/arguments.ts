/** The words behind a verb, each as a schema: one that isn't known is told with the nearest one and with what there is. */

import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { nearest } from '../../config/nearest.ts';
import { list } from '../../list.ts';
import { capital } from '../../report/phase-words.ts';
import { KINDS, type Kind, otherThan } from '../kinds.ts';

/** An argument that names one of a few things (`noun`: host); capitals don't matter, since phones begin with one. */
export function oneOf(noun: string, choices: readonly string[], none?: string) {
  const allowed = allowedOf(noun, choices, none);
  return z.string({ error: `The ${noun} is missing. ${allowed}` }).transform((word, context) => {
    const found = known(word, choices);
    if (found !== null) return found;
    const meant = meantBy(word, choices);
    context.addIssue({ code: 'custom', message: unknownWord({ noun, word, meant, allowed }), params: { meant } });
    return z.NEVER;
  });
}

function allowedOf(noun: string, choices: readonly string[], none = `vigil.yaml has no ${noun}.`): string {
  return choices.length === 0 ? none : `${capital(noun)}s: ${list(choices)}.`;
}

/** An argument that names a host; a recipe in its place is told as one. */
export function hostOf({ hosts, recipes }: Config) {
  const choices = Object.keys(hosts);
  return strange(oneOf('host', choices), Object.keys(recipes), choices, (recipe) => ({
    message: `${recipe} is a recipe, and a host stands here. ${allowedOf('host', choices)}`,
  }));
}

/**
 * An argument that names a recipe of this kind; a host in its place is told as one, and of a recipe of the other kind the issue says whose it is,
 * and (`params.elsewhere`) which slash command and verb take it: that one's `verb`, without which it is the one that starts one.
 */
export function recipeOf(kind: Kind, config: Config, verb?: string) {
  const choices = recipesOf(kind, config);
  const others = recipesOf(otherThan(kind), config);
  const { slash, start, one } = KINDS[otherThan(kind)];
  const none = `vigil.yaml has no recipe of \`kind: ${kind}\`.`;
  const ours = strange(oneOf('recipe', choices, none), others, choices, (recipe) => ({
    message: `${recipe} is a ${one}'s recipe: \`${slash} ${verb ?? start}\` takes it.`,
    params: { elsewhere: [slash, verb ?? start] },
  }));
  return strange(ours, Object.keys(config.hosts), [...choices, ...others], (host) => ({
    message: `${host} is a host, and a recipe stands here. ${allowedOf('recipe', choices, none)}`,
  }));
}

/** The same, but of a word that is none of these and one of others `tell` says what it is. */
function strange<Type extends z.ZodType>(
  fitting: Type,
  others: readonly string[],
  choices: readonly string[],
  tell: (name: string) => { readonly message: string; readonly params?: Record<string, unknown> },
) {
  return z.preprocess((word, context) => {
    const other = typeof word === 'string' && known(word, choices) === null ? known(word, others) : null;
    if (other === null) return word;
    context.addIssue({ code: 'custom', ...tell(other) });
    return z.NEVER;
  }, fitting);
}

/** Names of the recipes of this kind. */
export function recipesOf(kind: Kind, { recipes }: Config): readonly string[] {
  return Object.keys(recipes).filter((name) => recipes[name]?.kind === kind);
}

/** An argument that names a run; find-run.ts says which one. */
export function runWord() {
  return z.string({
    error: 'The run is missing: a name such as `kpro5-3`, a host with one live run, or `last`.',
  });
}

/** `There is no host “kpor5”. Did you mean kpro5? Hosts: kpro5 and kpro6.` */
export function unknownWord(said: { noun: string; word: string; meant: string | null; allowed: string }): string {
  const { noun, word, meant, allowed } = said;
  return `There is no ${noun} “${word}”.${meant === null ? '' : ` Did you mean \`${meant}\`?`} ${allowed}`;
}

/** The known word that is likely meant, or null. */
export function meantBy(word: string, choices: readonly string[]): string | null {
  return nearest(word, choices) ?? onlyOneThatBegins(word, choices);
}

/** The choice that the word names, or null. */
export function known(word: string, choices: readonly string[]): string | null {
  const alike = choices.find((choice) => choice.toLowerCase() === word.toLowerCase());
  return choices.find((choice) => choice === word) ?? alike ?? null;
}

function onlyOneThatBegins(word: string, choices: readonly string[]): string | null {
  const begun = choices.filter((choice) => choice.toLowerCase().startsWith(word.toLowerCase()));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}
