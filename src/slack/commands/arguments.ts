/** The words behind a verb, each as a schema: one that isn't known is told with the nearest one and with what there is. */

import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { nearest } from '../../config/nearest.ts';
import { list } from '../../list.ts';
import { KINDS, type Kind } from '../kinds.ts';

/** An argument that names one of a few things (`noun`: host); capitals don't matter, since phones begin with one. */
export function oneOf(noun: string, choices: readonly string[], none = `vigil.yaml has no ${noun}.`) {
  const allowed = choices.length === 0 ? none : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s: ${list(choices)}.`;
  return z.string({ error: `The ${noun} is missing. ${allowed}` }).transform((word, context) => {
    const found = known(word, choices);
    if (found !== null) return found;
    const meant = meantBy(word, choices);
    context.addIssue({ code: 'custom', message: unknownWord({ noun, word, meant, allowed }), params: { meant } });
    return z.NEVER;
  });
}

/** An argument that names a recipe of this kind; the issue for one of the other kind says whose it is (`params.belongs`). */
export function recipeOf(kind: Kind, config: Config) {
  const choices = recipesOf(kind, config);
  const belongs: Kind = kind === 'serve' ? 'train' : 'serve';
  const others = recipesOf(belongs, config);
  const fitting = oneOf('recipe', choices, `vigil.yaml has no recipe of \`kind: ${kind}\`.`);
  return z.preprocess((word, context) => {
    const other = typeof word === 'string' && known(word, choices) === null ? known(word, others) : null;
    if (other === null) return word;
    const { slash, start, one } = KINDS[belongs];
    const message = `${other} is a ${one}'s recipe: \`${slash} ${start}\` takes it.`;
    context.addIssue({ code: 'custom', message, params: { belongs } });
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
