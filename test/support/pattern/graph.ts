/**
 * A regular expression as the graph that a backtracking engine walks: its nodes are the places that read a character, an edge leads
 * to each place that may read the next one. Where it is not exact it has edges too many, so that no slow walk is missed: what a
 * lookahead of several characters demands is ignored (its own walk is not: it begins wherever it stands), a backreference
 * counts as the group itself, and a long bounded repeat as a loop with a weight.
 */

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { Alphabet } from './alphabet.ts';
import { hasLoop, singleOf, WRITTEN_OUT } from './syntax.ts';

export interface Edge {
  readonly to: number;
  /** Whether it can be walked between these two letters. */
  readonly isOpen: (previous: number, next: number) => boolean;
  readonly isGuarded: boolean;
  /** It goes through a place from which the match succeeds whatever follows: nothing is tried again once that is reached. */
  readonly isSure: boolean;
  /** Two ways lead here with nothing read between. */
  readonly isDouble: boolean;
}

export interface Place {
  /** By letter: whether it is read here. */
  readonly reads: readonly boolean[];
  /** How often a loop may come by here: Infinity, a bound, or 1 outside of loops. */
  readonly weight: number;
  readonly edges: Edge[];
}

export interface Graph {
  readonly letters: readonly string[];
  /** By letter: a number that those share which no guard tells apart from it as the one before. */
  readonly kinds: readonly number[];
  /** The first one is the search for a start: it reads anything, and leads to the pattern's begin at any time. */
  readonly places: readonly Place[];
  /** A lookbehind has a loop. */
  readonly looksFarBack: boolean;
}

/** Exact counts cost nothing. */
const EXACT = 64;
/** A bound that no line reaches is none. */
const ENDLESS = 1000;
const WORD = '\\w';
const LINE_END = '[\\n\\r\\u2028\\u2029]';
const ANY = '[^]';
const MOST_WAYS = 2;

type Guard = (previous: number, next: number) => boolean;
interface Step {
  readonly to: number;
  readonly guard: Guard | null;
  /** Into a lookahead: a walk beside the main one. */
  readonly isBeside: boolean;
}
interface State {
  readonly steps: Step[];
  read: { readonly raw: string; readonly to: number; readonly weight: number } | null;
}

export function graphOf(source: string, flags: string): Graph {
  return new Builder(source, flags).build();
}

class Builder {
  readonly #alphabet: Alphabet;
  readonly #pattern: AST.Pattern;
  readonly #flags: string;
  readonly #states: State[] = [];
  readonly #ends: number[] = [];
  /** What guards look for. */
  readonly #sights = new Set<string>();
  #weight = 1;
  #looksFarBack = false;

  constructor(source: string, flags: string) {
    this.#alphabet = new Alphabet(source, flags);
    this.#flags = flags;
    const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
    this.#pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
  }

  build(): Graph {
    for (const raw of [WORD, LINE_END, ANY]) this.#alphabet.add(raw);
    const search = this.#state();
    const start = this.#state();
    const end = this.#either(this.#pattern.alternatives, start);
    this.#ends.push(end);
    this.#states[search] = { steps: [{ to: start, guard: null, isBeside: false }], read: null };
    const searching = this.#flags.includes('y') ? this.#state() : search;
    const loop = this.#state();
    this.#read(loop, ANY, searching, Number.POSITIVE_INFINITY);
    this.#step(search, loop);
    return this.#places(loop);
  }

  #state(): number {
    return this.#states.push({ steps: [], read: null }) - 1;
  }

  #step(from: number, to: number, guard: Guard | null = null, isBeside = false): void {
    this.#states[from]?.steps.push({ to, guard, isBeside });
  }

  #read(from: number, raw: string, to: number, weight: number): void {
    this.#alphabet.add(raw);
    const state = this.#states[from];
    if (state !== undefined) state.read = { raw, to, weight };
  }

  #either(alternatives: readonly AST.Alternative[], from: number): number {
    const end = this.#state();
    for (const { elements } of alternatives) {
      let at = this.#state();
      this.#step(from, at);
      for (const element of elements) at = this.#element(element, at);
      this.#step(at, end);
    }
    return end;
  }

  #element(element: AST.Element, from: number): number {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#either(element.alternatives, from);
      case 'Quantifier':
        return this.#repeat(element, from);
      case 'Assertion':
        return this.#assert(element, from);
      case 'Backreference':
        return this.#again(element, from);
      default: {
        const read = this.#state();
        const to = this.#state();
        this.#step(from, read);
        this.#read(read, element.raw, to, this.#weight);
        return to;
      }
    }
  }

  #again({ resolved }: AST.Backreference, from: number): number {
    const end = this.#state();
    this.#step(from, end);
    for (const group of Array.isArray(resolved) ? resolved : [resolved])
      this.#step(this.#either(group.alternatives, from), end);
    return end;
  }

  #repeat({ min, max, element }: AST.Quantifier, from: number): number {
    if (max <= WRITTEN_OUT || (min === max && max <= EXACT)) return this.#writeOut(min, max, element, from);
    let at = from;
    for (let n = 0; n < Math.min(min, WRITTEN_OUT) - 1; n += 1) at = this.#element(element, at);
    const outer = this.#weight;
    this.#weight *= max >= ENDLESS ? Number.POSITIVE_INFINITY : max;
    // Two ways in, since a pass that reads nothing is none, yet a loop around this one may come in again.
    const [enter, again, begin, after] = [this.#state(), this.#state(), this.#state(), this.#state()];
    this.#step(at, enter);
    this.#step(enter, begin);
    this.#step(again, begin);
    const end = this.#element(element, begin);
    this.#weight = outer;
    this.#step(end, again);
    this.#step(again, after);
    if (min === 0) this.#step(enter, after);
    return after;
  }

  #writeOut(min: number, max: number, element: AST.QuantifiableElement, from: number): number {
    const end = this.#state();
    let at = from;
    for (let n = 0; n < max; n += 1) {
      if (n >= min) this.#step(at, end);
      const begin = this.#state();
      this.#step(at, begin);
      at = this.#element(element, begin);
    }
    this.#step(at, end);
    return end;
  }

  #assert(assertion: AST.Assertion, from: number): number {
    const to = this.#state();
    const single = 'alternatives' in assertion ? singleOf(assertion.alternatives) : null;
    this.#step(from, to, this.#guardOf(assertion, single));
    if (!('alternatives' in assertion) || single !== null) return to;
    if (assertion.kind === 'lookbehind') {
      if (assertion.alternatives.some(hasLoop)) this.#looksFarBack = true;
      return to;
    }
    const outer = this.#weight;
    this.#weight = 1;
    const begin = this.#state();
    this.#step(from, begin, null, true);
    this.#ends.push(this.#either(assertion.alternatives, begin));
    this.#weight = outer;
    return to;
  }

  /** -1 stands for the text's begin before, and for its end after. */
  #guardOf(assertion: AST.Assertion, single: string | null): Guard {
    const isIn = (raw: string) => {
      this.#alphabet.add(raw);
      this.#sights.add(raw);
      let members: readonly boolean[] | null = null;
      return (letter: number) => {
        members ??= this.#alphabet.of(raw);
        return members[letter] === true;
      };
    };
    const isEnd = isIn(LINE_END);
    const isMultiline = this.#flags.includes('m');
    switch (assertion.kind) {
      case 'start':
        return (previous) => previous === -1 || (isMultiline && isEnd(previous));
      case 'end':
        return (_, next) => next === -1 || (isMultiline && isEnd(next));
      case 'word': {
        const isWord = isIn(WORD);
        return (previous, next) => (isWord(previous) !== isWord(next)) !== assertion.negate;
      }
      default: {
        if (single === null) return () => true;
        const isSingle = isIn(single);
        const { kind, negate } = assertion;
        return (previous, next) => isSingle(kind === 'lookahead' ? next : previous) !== negate;
      }
    }
  }

  #places(search: number): Graph {
    const sure = this.#sureStates();
    const readers = [
      search,
      ...this.#states.flatMap(({ read }, index) => (read !== null && index !== search ? [index] : [])),
    ];
    const numbers = new Map(readers.map((state, index) => [state, index]));
    const places = readers.map((state) => {
      const { read } = this.#states[state] ?? {};
      const { raw = ANY, to = state, weight = 1 } = read ?? {};
      return { reads: this.#alphabet.of(raw), weight, edges: this.#edgesFrom(to, numbers, sure) };
    });
    const letters = this.#alphabet.letters();
    return { letters, kinds: this.#kindsOf(letters.length), places, looksFarBack: this.#looksFarBack };
  }

  #kindsOf(count: number): number[] {
    const seen = [...this.#sights].map((raw) => this.#alphabet.of(raw));
    const names = Array.from({ length: count }, (_, letter) => seen.map((members) => members[letter]).join());
    return names.map((name) => names.indexOf(name));
  }

  /** States from which an end is reached without reading or looking at anything. */
  #sureStates(): ReadonlySet<number> {
    const sure = new Set(this.#ends);
    for (let size = 0; size !== sure.size; ) {
      size = sure.size;
      for (const [index, { steps }] of this.#states.entries())
        if (steps.some(({ to, guard, isBeside }) => guard === null && !isBeside && sure.has(to))) sure.add(index);
    }
    return sure;
  }

  #edgesFrom(start: number, numbers: ReadonlyMap<number, number>, sure: ReadonlySet<number>): Edge[] {
    const edges: Edge[] = [];
    const onWay = new Set<number>();
    const walk = (state: number, guards: readonly Guard[], isSure: boolean) => {
      if (onWay.has(state)) return;
      const isSureHere = isSure || sure.has(state);
      const to = numbers.get(state);
      if (to !== undefined) {
        const same = edges.filter((edge) => edge.to === to && edge.isSure === isSureHere && !edge.isGuarded);
        if (same.length >= MOST_WAYS) return;
        const isDouble = guards.length === 0 && same.length > 0;
        const isOpen: Guard = (previous, next) => guards.every((guard) => guard(previous, next));
        edges.push({ to, isOpen, isGuarded: guards.length > 0, isSure: isSureHere, isDouble });
        return;
      }
      onWay.add(state);
      for (const step of this.#states[state]?.steps ?? [])
        walk(step.to, step.guard === null ? guards : [...guards, step.guard], step.isBeside ? false : isSureHere);
      onWay.delete(state);
    };
    walk(start, [], false);
    return edges;
  }
}
