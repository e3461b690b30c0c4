/** trigger_ids: each lets the app open one modal for the person who gave it by what they did, within 3 s. */
import { randomBytes } from 'node:crypto';

const LIFE_MS = 3000;

export type Exchange =
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'unknown' | 'expired' | 'exchanged' };

export class Triggers {
  readonly #given = new Map<string, { readonly user: string; readonly until: number }>();
  readonly #used = new Set<string>();
  readonly #now: () => number;

  /** `now`: wall clock, ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  create(user: string): string {
    const id = `${this.#now()}.${this.#given.size + 1}.${randomBytes(16).toString('hex')}`;
    this.#given.set(id, { user, until: this.#now() + LIFE_MS });
    return id;
  }

  /** Uses it up. */
  exchange(id: string): Exchange {
    const given = this.#given.get(id);
    if (given === undefined) return { kind: 'unknown' };
    if (this.#used.has(id)) return { kind: 'exchanged' };
    if (given.until < this.#now()) return { kind: 'expired' };
    this.#used.add(id);
    return { kind: 'user', user: given.user };
  }
}
