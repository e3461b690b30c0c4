/** What is asked of a pattern's syntax before it becomes a graph. */

import type { AST } from '@eslint-community/regexpp';

/** Repeats up to this often are written out, longer ones are loops with a weight. */
export const WRITTEN_OUT = 7;

/** The one character class that all of it is, or null. */
export function singleOf(alternatives: readonly AST.Alternative[]): string | null {
  const raws = alternatives.map(({ elements: [element, ...more] }) => {
    if (element === undefined || more.length > 0) return null;
    return ['Character', 'CharacterSet', 'CharacterClass'].includes(element.type) ? element.raw : null;
  });
  return raws.includes(null) ? null : raws.join('|');
}

export function hasLoop(alternative: AST.Alternative): boolean {
  return alternative.elements.some((element) => {
    if (element.type === 'Quantifier') return element.max > WRITTEN_OUT || hasLoopInside(element.element);
    return hasLoopInside(element);
  });
}

function hasLoopInside(element: AST.Element): boolean {
  return 'alternatives' in element && element.alternatives.some(hasLoop);
}
