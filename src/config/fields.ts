/** From the tree to what the schema says, so that one wrong field hides no mistake in another. */

import type { z } from 'zod';
import type { Entry, Tree } from './document.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { Name } from './schema.ts';

/** The fields of a map that fit the schema; the others are added as mistakes. Required fields may be missing then. */
export function readFields<Schema extends z.ZodObject>(
  schema: Schema,
  { tree, path, mistakes }: { tree: Tree | null; path: Path; mistakes: Mistakes },
): Partial<z.output<Schema>> {
  const value = tree === null ? undefined : toPlain(tree);
  const whole = schema.safeParse(value);
  if (whole.success) return whole.data;
  mistakes.addIssues(path, whole.error.issues);
  if (tree?.kind !== 'map') return {};
  const wrong = whole.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [String(issue.path[0])],
  );
  const entries = tree.entries.filter((entry) => !wrong.includes(entry.key));
  const rest = schema.partial().safeParse(toPlain({ ...tree, entries }));
  // TypeScript can't see through partial() of a generic schema; zod has just checked the data.
  return rest.success ? (rest.data as Partial<z.output<Schema>>) : {};
}

/** The named entries (hosts, recipes) of a map, each name checked. */
export function readNamed(tree: Tree | null, path: Path, mistakes: Mistakes): readonly Entry[] {
  if (tree === null) return [];
  if (tree.kind !== 'map' || tree.entries.length === 0) {
    if (tree.kind === 'map') mistakes.addExpected(path, 'at least one entry; see vigil.example.yaml');
    return [];
  }
  for (const { key } of tree.entries) {
    const checked = Name.safeParse(key);
    const issue = checked.error?.issues[0];
    if (issue !== undefined)
      mistakes.addAboutKey([...path, key], `found the name ${showText(key)}, expected ${issue.message}`);
  }
  return tree.entries;
}

/** The value of a key, or null where it is missing. */
export function field(tree: Tree | null, key: string): Tree | null {
  if (tree?.kind !== 'map') return null;
  return tree.entries.find((entry) => entry.key === key)?.value ?? null;
}

/** Maps have no prototype, so that no key is special and no name finds what isn't there. */
export function toPlain(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.text;
  if (tree.kind === 'list') return tree.items.map(toPlain);
  return bare(tree.entries.map(({ key, value }) => [key, toPlain(value)] as const));
}

export function bare<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  const map: Record<string, Value> = Object.create(null);
  for (const [key, value] of entries) map[key] = value;
  return map;
}
