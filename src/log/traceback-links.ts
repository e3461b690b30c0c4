/** How exceptions hang together: chains (one raised from another, or while another was handled) and groups (one that holds others). */

import type { z } from 'zod';
import type { tracebackLinks } from './carry.ts';
import type { Chain } from './events.ts';

type Saved = z.infer<typeof tracebackLinks>;

const MAX_TOLD = 24;
const MAX_GROUPS = 16;
/** Lines without any of a group's before it is given up. */
const GROUP_LINES = 300;
/** A group that nothing holds stands two columns in, and is chained to what stands at the line's start. */
const OUTERMOST = 2;

export class TracebackLinks {
  #told: Saved['told'];
  #groups: Saved['groups'];

  constructor({ told, groups }: Saved) {
    this.#told = structuredClone(told);
    this.#groups = structuredClone(groups);
  }

  save(): Saved {
    return structuredClone({ told: this.#told, groups: this.#groups });
  }

  /** An exception came to its end: a sentence of a chain may follow. */
  tell(by: { speaker: string; margin: number; line: number; what: string; isSilent: boolean }): void {
    const margin = columnOf(by.margin);
    this.#told = this.#told.filter((each) => each.speaker !== by.speaker || each.margin !== margin).slice(1 - MAX_TOLD);
    this.#told.push({ ...by, margin, how: null });
  }

  /** The sentence of a chain. */
  chain(speaker: string, margin: number, how: 'cause' | 'context'): void {
    const last = this.#find(speaker, margin);
    if (last !== undefined) last.how = how;
  }

  /** What the exception that begins now hangs on; of a chain it is asked once. */
  take(speaker: string, margin: number): { chain: Chain | null; isSilent: boolean } {
    const last = this.#find(speaker, margin);
    if (last !== undefined && last.how !== null) {
      const chain = { line: last.line, how: last.how, what: last.what };
      last.how = null;
      return { chain, isSilent: last.isSilent };
    }
    const group = this.#groups.find((each) => each.speaker === speaker && each.margin === margin);
    if (group === undefined) return { chain: null, isSilent: false };
    return { chain: { line: group.line, how: 'group', what: group.what }, isSilent: group.isSilent };
  }

  /** The exception that was told last at that margin holds those that follow two columns further in. */
  beginGroup(speaker: string, margin: number): void {
    const holder = this.#find(speaker, margin);
    this.endGroups(speaker, margin + 2);
    if (holder === undefined) return;
    const { line, what, isSilent } = holder;
    this.#groups = this.#groups.slice(1 - MAX_GROUPS);
    this.#groups.push({ speaker, margin: margin + 2, line, what, isSilent, left: GROUP_LINES });
  }

  endGroups(speaker: string, margin: number): void {
    this.#groups = this.#groups.filter((each) => each.speaker !== speaker || each.margin < margin);
  }

  /** One more line was read; `isOfGroup`: of a group's. */
  age(speaker: string, isOfGroup: boolean): void {
    if (this.#groups.length === 0) return;
    for (const group of this.#groups)
      group.left = isOfGroup && group.speaker === speaker ? GROUP_LINES : group.left - 1;
    this.#groups = this.#groups.filter((each) => each.left > 0);
  }

  hasGroup(speaker: string): boolean {
    return this.#groups.some((each) => each.speaker === speaker);
  }

  get isIdle(): boolean {
    return this.#groups.length === 0;
  }

  #find(speaker: string, margin: number): Saved['told'][number] | undefined {
    return this.#told.find((each) => each.speaker === speaker && each.margin === columnOf(margin));
  }
}

function columnOf(margin: number): number {
  return margin === OUTERMOST ? 0 : margin;
}
