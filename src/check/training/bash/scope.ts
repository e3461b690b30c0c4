/** What a script knows at one of its lines: variables, arguments, the folder where it works. */

import { isSame, known, unknown, type Value } from './value.ts';

/** null: unset on purpose. One value, or an array's. */
type Setting = readonly Value[] | null;

/** A part of the script that may not run: what it sets counts only where every way sets the same. */
interface Branches {
  /** As they were before it. */
  readonly before: Map<string, Setting | undefined>;
  /** What each way that is over has left. */
  readonly ways: Map<string, Setting | undefined>[];
  coversAll: boolean;
}

/** Stands among the variables, since a branch may change it like any other. */
const FOLDER = ' folder';
const ARGUMENTS = ' arguments';

export class Scope {
  readonly script: Value;
  readonly #settings: Map<string, Setting>;
  readonly #exported: Set<string>;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #branches: Branches[] = [];
  /** A file was read in that can't be looked at: it may have set anything. */
  isOpen = false;

  constructor(
    script: Value,
    given: { environment: Readonly<Record<string, string>>; settings?: Map<string, Setting>; exported?: Set<string> },
  ) {
    this.script = script;
    this.#environment = given.environment;
    this.#settings = given.settings ?? new Map();
    this.#exported = given.exported ?? new Set();
  }

  /** A subshell's: what is set there doesn't come back. */
  copy(script = this.script): Scope {
    const copied = new Scope(script, {
      environment: this.#environment,
      settings: new Map(this.#settings),
      exported: new Set(this.#exported),
    });
    copied.isOpen = this.isOpen;
    return copied;
  }

  /** null: never set here, or unset. HOME is `~` where the recipe doesn't say it, since a host's paths begin so. */
  get(name: string): readonly Value[] | null {
    const set = this.#settings.get(name);
    if (set !== undefined) return set;
    const given = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined;
    if (given !== undefined) return [known(given)];
    return name === 'HOME' ? [known('~')] : null;
  }

  set(name: string, values: Setting): void {
    for (const { before } of this.#branches) if (!before.has(name)) before.set(name, this.#settings.get(name));
    this.#settings.set(name, values);
  }

  export(name: string): void {
    this.#exported.add(name);
  }

  get folder(): Value {
    return this.#settings.get(FOLDER)?.[0] ?? known('.');
  }

  set folder(folder: Value) {
    this.set(FOLDER, [folder]);
  }

  /** null: a function's that nobody calls. */
  get positional(): readonly Value[] | null {
    return this.#settings.get(ARGUMENTS) ?? null;
  }

  set positional(values: readonly Value[] | null) {
    this.set(ARGUMENTS, values);
  }

  /** What a command gets beside its own: the recipe's variables, and what the script exports or sets anew of those and of CUDA_VISIBLE_DEVICES. */
  passedOn(): ReadonlyMap<string, Value> {
    const passed = new Map(Object.entries(this.#environment).map(([name, text]) => [name, known(text)]));
    for (const [name, values] of this.#settings) {
      const isPassed = this.#exported.has(name) || passed.has(name) || name === 'CUDA_VISIBLE_DEVICES';
      if (!isPassed || name.startsWith(' ')) continue;
      const value = values?.[0];
      if (value === undefined) passed.delete(name);
      else passed.set(name, value);
    }
    return passed;
  }

  enterBranch(): void {
    this.#branches.push({ before: new Map(), ways: [], coversAll: false });
  }

  /** The next way of it (`elif`, another case). */
  nextBranch(): void {
    const branches = this.#branches.at(-1);
    if (branches !== undefined) this.#endWay(branches);
  }

  /** One of its ways is taken, whatever happens (`else`, `*)`). */
  coverAll(): void {
    const branches = this.#branches.at(-1);
    if (branches !== undefined) branches.coversAll = true;
  }

  leaveBranch(): void {
    const branches = this.#branches.at(-1);
    if (branches === undefined) return;
    this.#endWay(branches);
    this.#branches.pop();
    const { before, ways, coversAll } = branches;
    for (const [name, old] of before) {
      const ends = ways.map((way) => (way.has(name) ? way.get(name) : old));
      const [first, ...others] = coversAll ? ends : [...ends, old];
      const agreed = others.every((other) => isSameSetting(first, other));
      if (agreed && isSameSetting(first, old)) continue;
      const open = name === ARGUMENTS ? null : [unknown(name === FOLDER ? '$PWD' : `$${name}`)];
      this.set(name, agreed ? (first ?? null) : open);
    }
  }

  #endWay({ before, ways }: Branches): void {
    ways.push(new Map([...before.keys()].map((name) => [name, this.#settings.get(name)])));
    for (const [name, old] of before) {
      if (old === undefined) this.#settings.delete(name);
      else this.#settings.set(name, old);
    }
  }
}

function isSameSetting(a: Setting | undefined, b: Setting | undefined): boolean {
  if (a === b) return true;
  if (a == null || b == null || a.length !== b.length) return false;
  return a.every((value, index) => isSame(value, b[index] ?? null));
}
