/** All regular expressions of source files: literals from their syntax, composed ones from the constructor while the files are loaded. */

import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** The first file that holds it; null where it was composed. */
  readonly file: string | null;
}

/** The literals of all files below a folder, each pattern once. */
export function literalsIn(folder: URL): Pattern[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.sort().flatMap((file) => {
    const { program } = parseSync(file, readFileSync(new URL(file, folder), 'utf8'));
    return literalsBelow(program).map((pattern) => ({ ...pattern, file }));
  });
  return eachOnce(found);
}

/** What the constructor is called with while `load` runs, and afterwards until `stop` is called. */
export function watchComposed(): { found: () => Pattern[]; stop: () => void } {
  const Original = RegExp;
  const found: Pattern[] = [];
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]) {
      const made: RegExp = Reflect.construct(target, [source, flags]);
      found.push({ source: made.source, flags: made.flags, file: null });
      return made;
    },
  });
  return {
    found: () => eachOnce(found),
    stop: () => {
      globalThis.RegExp = Original;
    },
  };
}

function literalsBelow(node: unknown): { source: string; flags: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('regex' in node && isLiteral(node.regex)) return [{ source: node.regex.pattern, flags: node.regex.flags }];
  return Object.values(node).flatMap(literalsBelow);
}

function isLiteral(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}

function eachOnce(patterns: readonly Pattern[]): Pattern[] {
  return [...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
}
