/**
 * Finds regular expressions that need more than linear time on some text. A loop costs another factor for every loop before it that
 * can read the same text again: places p and q with a text that leads from p to p, from p to q and from q to q (Weber and Seidl's
 * criterion for infinite ambiguity), the search for a match's start being a loop as well. Within one loop that means exponential time.
 */

import { type Graph, graphOf } from './graph.ts';

export interface Slowness {
  /** `exponential`, or the factors: `n * n`, `n * 200 * 60`. */
  readonly cost: string;
  /** Repeated often, before something that doesn't fit, it shows the cost. */
  readonly pump: string;
}

/** Steps that bounded repeats may cost for each character of a text, and once where no endless loop goes with them. */
const MOST_A_CHARACTER = 1000;
const MOST_ONCE = 20_000;
const SEARCH = 0;

/** null where the time is linear. */
export function findSlowness(source: string, flags: string): Slowness | null {
  const graph = graphOf(source, flags);
  if (graph.looksFarBack) return { cost: 'a loop in a lookbehind', pump: '' };
  return new Walks(graph, flags.includes('g')).findSlowness();
}

/** That the text `pump` can be read by one loop, by another one, and on the way between them. */
interface Relation {
  readonly from: number;
  readonly to: number;
  readonly pump: string;
}

class Walks {
  readonly #graph: Graph;
  readonly #isGlobal: boolean;
  readonly #reach: readonly ReadonlySet<number>[];
  /** By place: the number of its loop, or -1. */
  readonly #loops: readonly number[];
  readonly #next = new Map<number, readonly number[]>();

  constructor(graph: Graph, isGlobal: boolean) {
    this.#graph = graph;
    this.#isGlobal = isGlobal;
    this.#reach = graph.places.map((_, place) => reachedFrom(graph, place));
    this.#loops = graph.places.map((_, place) =>
      this.#reaches(place, place)
        ? graph.places.findIndex((_, other) => this.#reaches(place, other) && this.#reaches(other, place))
        : -1,
    );
  }

  findSlowness(): Slowness | null {
    const relations: Relation[] = [];
    const inLoops = this.#loops.flatMap((loop, place) => (loop === -1 ? [] : [{ place, loop }]));
    for (const p of inLoops) {
      const double = this.#edges(p.place).find(
        ({ to, isDouble, isSure }) => isDouble && !isSure && this.#loops[to] === p.loop,
      );
      if (double !== undefined) return { cost: 'exponential', pump: this.#someLetter(double.to) };
      for (const q of inLoops) {
        if (q.place === p.place || !this.#reaches(p.place, q.place)) continue;
        if (relations.some(({ from, to }) => from === p.loop && to === q.loop)) continue;
        const pump = this.#pump(p.place, q.place);
        if (pump === null) continue;
        if (p.loop === q.loop) return { cost: 'exponential', pump };
        relations.push({ from: p.loop, to: q.loop, pump });
      }
    }
    return this.#worst(relations);
  }

  #reaches(from: number, to: number): boolean {
    return this.#reach[from]?.has(to) === true;
  }

  #edges(place: number) {
    return this.#graph.places[place]?.edges ?? [];
  }

  #someLetter(place: number): string {
    const { letters, places } = this.#graph;
    return letters.find((_, index) => places[place]?.reads[index] === true) ?? '';
  }

  /** A text that leads from p to p, from p to q and from q to q; null where there is none. */
  #pump(p: number, q: number): string | null {
    const { letters, kinds, places } = this.#graph;
    const isBetween = (place: number) => this.#reaches(p, place) && (place === q || this.#reaches(place, q));
    const isGuarded = places.some(
      ({ edges }, place) => (place === p || isBetween(place)) && edges.some((edge) => edge.isGuarded),
    );
    const common = [...letters.keys()].filter(
      (letter) => places[p]?.reads[letter] === true && places[q]?.reads[letter] === true,
    );
    const lasts = [...new Set(common.map((letter) => kinds[letter] ?? 0))];
    for (const last of isGuarded ? lasts : lasts.slice(0, 1)) {
      const pump = this.#walk({ p, q, last, isGuarded, isBetween });
      if (pump !== null) return pump;
    }
    return null;
  }

  /** `last` is the kind of the letter before the text and of its own last one, which matters only where something looks at it. */
  #walk({
    p,
    q,
    last,
    isGuarded,
    isBetween,
  }: {
    p: number;
    q: number;
    last: number;
    isGuarded: boolean;
    isBetween: (place: number) => boolean;
  }): string | null {
    const { letters, kinds, places } = this.#graph;
    // After a success a global search begins anew behind the match, so only a loop that then fails reads a text again.
    const mayBeSure = this.#isGlobal && p === SEARCH;
    const size = places.length;
    const queue = [{ first: p, middle: p, third: q, kind: last, text: '' }];
    const seen = new Set<number>();
    for (const { first, middle, third, kind, text } of queue) {
      for (const next of letters.keys()) {
        const thirds = this.#step(third, kind, next, false).filter((to) => this.#loops[to] === this.#loops[q]);
        if (thirds.length === 0) continue;
        const firsts = this.#step(first, kind, next, mayBeSure).filter((to) => this.#loops[to] === this.#loops[p]);
        const middles = this.#step(middle, kind, next, mayBeSure).filter(isBetween);
        const behind = isGuarded ? (kinds[next] ?? 0) : last;
        const longer = text + (letters[next] ?? '');
        for (const a of firsts) {
          for (const b of middles) {
            for (const c of thirds) {
              if (a === p && b === q && c === q && behind === last) return longer;
              const key = ((a * size + b) * size + c) * letters.length + behind;
              if (seen.has(key)) continue;
              seen.add(key);
              queue.push({ first: a, middle: b, third: c, kind: behind, text: longer });
            }
          }
        }
      }
    }
    return null;
  }

  /** The places that read `next` after `place` has read a letter of that kind. */
  #step(place: number, kind: number, next: number, mayBeSure: boolean): readonly number[] {
    const { letters, places } = this.#graph;
    const key = ((place * letters.length + kind) * letters.length + next) * 2 + (mayBeSure ? 1 : 0);
    const known = this.#next.get(key);
    if (known !== undefined) return known;
    const found = this.#edges(place).flatMap(({ to, isOpen, isSure }) =>
      (mayBeSure || !isSure) && places[to]?.reads[next] === true && isOpen(kind, next) ? [to] : [],
    );
    this.#next.set(key, found);
    return found;
  }

  /** The dearest chain of loops: one endless loop is what linear means, and bounds may multiply up to a limit. */
  #worst(relations: readonly Relation[]): Slowness | null {
    const weights = new Map<number, number>();
    for (const [place, loop] of this.#loops.entries())
      weights.set(loop, Math.max(weights.get(loop) ?? 1, this.#graph.places[place]?.weight ?? 1));
    let worst: Slowness | null = null;
    const follow = (chain: readonly number[], steps: number, pump: string) => {
      const factors = chain.map((loop) => weights.get(loop) ?? 1);
      const endless = factors.filter((factor) => !Number.isFinite(factor)).length;
      const isSlow = endless > 1 || steps > (endless === 1 ? MOST_A_CHARACTER : MOST_ONCE);
      const cost = factors.map((factor) => (Number.isFinite(factor) ? String(factor) : 'n')).join(' * ');
      if (isSlow && (worst === null || cost.length > worst.cost.length)) worst = { cost, pump };
      for (const { from, to, pump: next } of relations) {
        if (from !== chain.at(-1) || chain.includes(to)) continue;
        // The way there is open once in the pump's length only.
        follow([...chain, to], steps * Math.max(1, bound(weights.get(to)) / next.length), next);
      }
    };
    for (const [loop, weight] of weights) if (loop !== -1) follow([loop], bound(weight), '');
    return worst;
  }
}

function bound(weight = 1): number {
  return Number.isFinite(weight) ? weight : 1;
}

function reachedFrom({ places }: Graph, start: number): Set<number> {
  const found = new Set<number>();
  const queue = [start];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    for (const { to } of places[place]?.edges ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      queue.push(to);
    }
  }
  return found;
}
