/** Which groups, subshells and branches a place in a script stands in. */

import type { Scope } from './scope.ts';

type Kind = 'branch' | 'case' | 'group' | 'subshell';

interface Block {
  readonly kind: Kind;
  /** What counts again where the block is over. */
  readonly outer: Scope;
}

/** Deeper nesting than any script has. */
const DEEPEST = 100;

export class Blocks {
  /** What is set at this place. */
  scope: Scope;
  readonly #blocks: Block[] = [];

  constructor(scope: Scope) {
    this.scope = scope;
  }

  get isFull(): boolean {
    return this.#blocks.length >= DEEPEST;
  }

  get innermost(): Kind | null {
    return this.#blocks.at(-1)?.kind ?? null;
  }

  /** What stands here runs whatever happens. */
  get isCertain(): boolean {
    return this.#blocks.every(({ kind }) => kind === 'group');
  }

  open(kind: Kind): void {
    this.#blocks.push({ kind, outer: this.scope });
    if (kind === 'subshell') this.scope = this.scope.copy();
    if (kind === 'branch' || kind === 'case') this.scope.enterBranch();
  }

  /** Only the innermost one, and only where it is of that kind. */
  close(kind: Kind): void {
    if (this.innermost !== kind) return;
    if (kind === 'branch' || kind === 'case') this.scope.leaveBranch();
    this.scope = this.#blocks.pop()?.outer ?? this.scope;
  }

  /** What the script forgot to close. */
  closeAll(): void {
    for (const { kind } of this.#blocks.toReversed()) this.close(kind);
  }
}
