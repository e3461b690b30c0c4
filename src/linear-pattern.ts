/**
 * Regular expressions of others, matched in time linear in the text whatever they say: all ways to match go on at once (Thompson's
 * construction), none is tried after another. So a team's pattern can't hang a worker. It only tells whether a pattern fits.
 */

import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Counted repeats are written out: a pattern that grows beyond so many steps is refused. */
const MAX_STEPS = 500;

/** 'take' takes one character, 'at' looks at the place, the others lead on without either. */
type Step =
  | { readonly kind: 'take'; readonly takes: (char: string) => boolean; readonly next: number }
  | { readonly kind: 'at'; readonly edge: Edge; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: number[] }
  | { readonly kind: 'end' };
type Edge = 'start' | 'end' | 'word' | 'no word';

export interface LinearPattern {
  /** Whether it fits anywhere in the text; `^` and `$` are the ends of a line, letters fit in either case. */
  test(text: string): boolean;
}

/** The pattern ready to be tested, or what is wrong with it: `found …, expected …; do …`. */
export function parseLinearPattern(source: string): LinearPattern | { readonly wrong: string } {
  try {
    const steps: Step[] = [{ kind: 'end' }];
    const start = alternatives(new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source).alternatives, 0, steps);
    return { test: (text) => runs(steps, start, text) };
  } catch (error) {
    if (error instanceof Unsupported) return { wrong: error.message };
    if (!(error instanceof SyntaxError)) throw error;
    const why = error.message.replace(/^.*\/: ?/s, '');
    return { wrong: `found a pattern that can't be read (${why}), expected a regular expression; mend it` };
  }
}

class Unsupported extends Error {}

/** Each returns the step where it begins; `next` is the step that follows it. Built from the end. */
function alternatives(list: readonly AST.Alternative[], next: number, steps: Step[]): number {
  const ways = list.map(({ elements }) => elements.reduceRight((after, each) => element(each, after, steps), next));
  return ways.length === 1 ? (ways[0] ?? next) : push(steps, { kind: 'fork', ways });
}

function element(node: AST.Element, next: number, steps: Step[]): number {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return alternatives(node.alternatives, next, steps);
    case 'Quantifier':
      return repeated(node, next, steps);
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return push(steps, { kind: 'take', takes: takerOf(node.raw), next });
    case 'Assertion':
      return assertion(node, next, steps);
    default:
      throw new Unsupported(
        `found ${JSON.stringify(node.raw.slice(0, 40))}, which looks back at what fitted before, expected a pattern without \\1; write it out`,
      );
  }
}

/** Looked up where it can be: a character is asked for millions of times. */
function takerOf(raw: string): (char: string) => boolean {
  const one = new RegExp(`^(?:${raw})$`, 'i');
  const known = Array.from({ length: 128 }, (_, code) => one.test(String.fromCharCode(code)));
  return (char) => known[char.charCodeAt(0)] ?? one.test(char);
}

function assertion(node: AST.Assertion, next: number, steps: Step[]): number {
  if (node.kind === 'lookahead' || node.kind === 'lookbehind') {
    const found = JSON.stringify(node.raw.slice(0, 40));
    throw new Unsupported(`found ${found}, a look ahead or behind, expected a pattern without; write it without`);
  }
  const word = node.kind === 'word' && node.negate ? 'no word' : 'word';
  return push(steps, { kind: 'at', edge: node.kind === 'word' ? word : node.kind, next });
}

function repeated({ element: node, min, max }: AST.Quantifier, next: number, steps: Step[]): number {
  let start = next;
  if (max === Number.POSITIVE_INFINITY) {
    const loop: Step & { kind: 'fork' } = { kind: 'fork', ways: [next] };
    start = push(steps, loop);
    loop.ways.push(element(node, start, steps));
  } else {
    for (let time = min; time < max; time += 1)
      start = push(steps, { kind: 'fork', ways: [element(node, start, steps), next] });
  }
  for (let time = 0; time < min; time += 1) start = element(node, start, steps);
  return start;
}

function push(steps: Step[], step: Step): number {
  if (steps.length >= MAX_STEPS) {
    throw new Unsupported(
      `found a pattern of more than ${MAX_STEPS} steps with its counted repeats written out, expected fewer; write + or * instead of large {counts}`,
    );
  }
  return steps.push(step) - 1;
}

function runs(steps: readonly Step[], start: number, text: string): boolean {
  // Where each step was reached last: a set made anew for every character takes most of the time.
  const seen = new Int32Array(steps.length).fill(-1);
  let now: number[] = [];
  for (let index = 0; index <= text.length; index += 1) {
    now.push(start);
    const taking = reach(steps, now, { text, index, seen });
    if (taking === 'end') return true;
    const char = text[index] ?? '';
    now = [];
    if (char !== '') for (const step of taking) if (step.takes(char)) now.push(step.next);
  }
  return false;
}

/** The steps that take a character next, of all that are reached without taking one; 'end' where the end is among them. */
function reach(
  steps: readonly Step[],
  open: number[],
  { text, index, seen }: { text: string; index: number; seen: Int32Array },
): readonly (Step & { kind: 'take' })[] | 'end' {
  const taking: (Step & { kind: 'take' })[] = [];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const step = steps[number];
    if (step === undefined || seen[number] === index) continue;
    seen[number] = index;
    if (step.kind === 'end') return 'end';
    if (step.kind === 'take') taking.push(step);
    if (step.kind === 'fork') open.push(...step.ways);
    if (step.kind === 'at' && isEdge(step.edge, text, index)) open.push(step.next);
  }
  return taking;
}

function isEdge(edge: Edge, text: string, index: number): boolean {
  const [before, after] = [text[index - 1], text[index]];
  if (edge === 'start') return before === undefined || before === '\n';
  if (edge === 'end') return after === undefined || after === '\n';
  const isBetween = /\w/.test(before ?? '') !== /\w/.test(after ?? '');
  return isBetween === (edge === 'word');
}
