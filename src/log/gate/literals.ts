/**
 * What text must hold for a regular expression to match: for `/^Worker \S+ died, exit code: -(?:9|11)\b/` the words
 * `died, exit code: -9` or `died, exit code: -11`. The prefilter idea of RE2, over the syntax tree: a superset, never a miss.
 */

import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Lowercase; a match holds at least one of them, whatever its case. null where nothing of use is certain. */
export type Literals = readonly string[];

/** More would cost more than they tell. */
const MOST = 64;
/** Of a class of characters. */
const MOST_MEMBERS = 32;
/** Shorter ones stand in every other line. */
const SHORTEST = 3;
/** Longer ones tell no more. */
const ENOUGH = 24;

export function literalsOf({ source, flags }: RegExp): Literals | null {
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  return eitherOf(alternatives).needed;
}

interface Found {
  /** All that the node can be, where that is few; else null. */
  readonly exact: readonly string[] | null;
  /** The best that any match of it must hold. */
  readonly needed: Literals | null;
}

const NOTHING: Found = { exact: null, needed: null };
const EMPTY: Found = { exact: [''], needed: null };

function eitherOf(alternatives: readonly AST.Alternative[]): Found {
  const found = alternatives.map(({ elements }) => sequenceOf(elements));
  const exact = found.flatMap((each) => each.exact ?? []);
  const isExact = found.every((each) => each.exact !== null) && exact.length <= MOST;
  const needed = found.flatMap((each) => each.needed ?? []);
  const isNeeded = found.every((each) => each.needed !== null) && needed.length <= MOST;
  return { exact: isExact ? exact : null, needed: isNeeded ? needed : null };
}

/** Neighbours grow together until one of them can be anything. */
function sequenceOf(elements: readonly AST.Element[]): Found {
  let run: readonly string[] = [''];
  let needed: Literals | null = null;
  let isExact = true;
  const cut = () => {
    needed = better(needed, usable(run));
    run = [''];
  };
  for (const element of elements) {
    const found = elementOf(element);
    needed = better(needed, found.needed);
    const joined = found.exact === null ? null : join(run, found.exact);
    if (joined !== null) {
      run = joined;
      continue;
    }
    isExact = false;
    cut();
    if (found.exact !== null) run = found.exact;
  }
  const whole = isExact ? run : null;
  cut();
  return { exact: whole, needed };
}

function elementOf(element: AST.Element): Found {
  switch (element.type) {
    case 'Character':
      return { exact: [String.fromCodePoint(element.value).toLowerCase()], needed: null };
    case 'CharacterClass':
      return { exact: membersOf(element), needed: null };
    case 'Group':
    case 'CapturingGroup':
      return eitherOf(element.alternatives);
    case 'Quantifier':
      return repeated(element);
    case 'Assertion':
      return EMPTY;
    default:
      return NOTHING;
  }
}

function membersOf({ negate, elements }: AST.CharacterClass): readonly string[] | null {
  if (negate) return null;
  const members = new Set<string>();
  for (const each of elements) {
    if (each.type !== 'Character' && each.type !== 'CharacterClassRange') return null;
    const [min, max] = each.type === 'Character' ? [each.value, each.value] : [each.min.value, each.max.value];
    if (max - min >= MOST_MEMBERS) return null;
    for (let code = min; code <= max; code += 1) members.add(String.fromCodePoint(code).toLowerCase());
  }
  return members.size > MOST_MEMBERS ? null : [...members];
}

function repeated({ min, max, element }: AST.Quantifier): Found {
  if (element.type === 'Assertion') return EMPTY;
  const found = elementOf(element);
  if (min === 0) return max === 1 && found.exact !== null ? { exact: ['', ...found.exact], needed: null } : NOTHING;
  if (min === 1 && max === 1) return found;
  return { exact: null, needed: better(found.needed, found.exact === null ? null : usable(found.exact)) };
}

function join(before: readonly string[], after: readonly string[]): readonly string[] | null {
  if (before.length * after.length > MOST) return null;
  return [...new Set(before.flatMap((head) => after.map((tail) => head + tail)))];
}

/** Of each text its longest part that stands in a line as it is; null where one is too short to tell anything. */
export function usable(texts: readonly string[]): Literals | null {
  const parts = texts.map((text) => plainParts(text).reduce((a, b) => (b.length > a.length ? b : a)));
  return parts.every((part) => part.trim().length >= SHORTEST) ? [...new Set(parts)] : null;
}

export function better(a: Literals | null, b: Literals | null): Literals | null {
  if (a === null || b === null) return a ?? b;
  return worth(b) > worth(a) ? b : a;
}

/** The parts of a text that stand in a line as they are, whether it is plain or a JSON string; Go, so Docker, escapes `<`, `>` and `&` as well. */
function plainParts(text: string): string[] {
  return text.toLowerCase().split(/[^ !#-%'-;=?-[\]-~]+/);
}

/** The shortest decides: it is found in most lines. */
function worth(literals: Literals): number {
  return Math.min(ENOUGH, ...literals.map((each) => each.trim().length)) - literals.length / MOST;
}
