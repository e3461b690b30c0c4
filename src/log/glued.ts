/** What was written onto the end of another's line, which had none: behind a bar, or by another process. */

import { BAR, BAR_END, BEHIND_BAR, GLUED, PREFIX, WRAPPED } from './speaker-patterns.ts';

/** True for a progress bar's text. */
export function isBar(text: string): boolean {
  return BAR.test(text);
}

/** Where what was glued to a bar begins, or -1: it lacks its newline when somebody else writes next. */
export function endOfBar(text: string): number {
  const end = BAR_END.exec(text)?.[0].length ?? -1;
  return end === -1 || end === text.length ? text.search(BEHIND_BAR) : end;
}

/** The lines of several processes that stand in one. */
export function splitGlued(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(GLUED)) {
    const before = text.slice(from, match.index);
    // Prefixes in a row are one speaker's: the last names it.
    if (withoutPrefixes(before.replace(WRAPPED, '')).trim() === '') continue;
    parts.push(before);
    from = match.index;
  }
  parts.push(text.slice(from));
  return parts;
}

function withoutPrefixes(text: string): string {
  let rest = text;
  for (let match = PREFIX.exec(rest); match !== null; match = PREFIX.exec(rest)) rest = rest.slice(match[0].length);
  return rest;
}
