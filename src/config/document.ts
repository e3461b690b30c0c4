/** vigil.yaml's text as a tree that remembers where each value stands and whether it was quoted. Scalars stay as typed: `0.90` is "0.90". */

import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
} from 'yaml';

/** Line and column, 1-based. */
export interface At {
  readonly line: number;
  readonly column: number;
}

export type Tree =
  /** `isPlain`: neither quoted nor a block, so that `15` may mean the number. */
  | { readonly kind: 'scalar'; readonly text: string; readonly isPlain: boolean; readonly at: At }
  | { readonly kind: 'list'; readonly items: readonly Tree[]; readonly at: At }
  | { readonly kind: 'map'; readonly entries: readonly Entry[]; readonly at: At };

export interface Entry {
  readonly key: string;
  readonly at: At;
  readonly value: Tree;
}

/** What is wrong with the text itself: `found …, expected …; do …`. */
export interface Fault {
  readonly at: At;
  readonly text: string;
}

/** An alias can repeat a subtree, and aliases of aliases multiply: more nodes than this is no configuration. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 40;

const START: At = { line: 1, column: 1 };

/** `tree` is null when faults make the text unusable; else faults are empty. */
export function parseYaml(text: string): { readonly tree: Tree | null; readonly faults: readonly Fault[] } {
  const lines = new LineCounter();
  // failsafe knows only text, lists and maps; `merge` stays off, so `<<` arrives as a key and is refused below.
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
  const at = (offset: number): At => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const broken = [...document.errors, ...document.warnings].map((error) => ({
    at: at(error.pos[0]),
    text: faultText(error.code, error.message),
  }));
  // What follows a broken place on the same line is its echo.
  const faultsByLine = new Map(broken.toReversed().map((fault) => [fault.at.line, fault]));
  if (broken.length > 0) return { tree: null, faults: [...faultsByLine.values()] };
  if (document.contents === null || text.trim() === '') {
    const found = 'found nothing, expected instance, hosts and recipes; copy vigil.example.yaml and change it';
    return { tree: null, faults: [{ at: START, text: found }] };
  }
  const faults: Fault[] = [];
  const tree = plant({ document, at, faults, nodes: 0 }, document.contents, []);
  return faults.length > 0 ? { tree: null, faults } : { tree, faults };
}

interface Planting {
  readonly document: Document.Parsed;
  readonly at: (offset: number) => At;
  readonly faults: Fault[];
  nodes: number;
}

function plant(planting: Planting, node: ParsedNode | null, above: readonly ParsedNode[]): Tree {
  const at = node === null ? START : planting.at(node.range[0]);
  const nothing: Tree = { kind: 'scalar', text: '', isPlain: true, at };
  if (node === null) return nothing;
  planting.nodes += 1;
  if (planting.nodes > MAX_NODES || above.length > MAX_DEPTH || above.includes(node)) {
    addOnce(
      planting.faults,
      at,
      `found aliases or nesting that grow without end, expected at most ${MAX_NODES} values, ${MAX_DEPTH} deep; write the values out`,
    );
    return nothing;
  }
  const below = [...above, node];
  if (isAlias(node)) return plantAlias(planting, node, below) ?? nothing;
  if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => plant(planting, item, below)) };
  if (isScalar(node)) {
    return { kind: 'scalar', at, text: String(node.value), isPlain: node.type === 'PLAIN' && node.tag === undefined };
  }
  return {
    kind: 'map',
    at,
    entries: node.items.map((pair) => {
      const key = plantKey(planting, pair.key);
      return { ...key, value: pair.value === null ? { ...nothing, at: key.at } : plant(planting, pair.value, below) };
    }),
  };
}

/** What the alias stands for, or null for one without an anchor. */
function plantAlias(planting: Planting, node: Alias.Parsed, above: readonly ParsedNode[]): Tree | null {
  const target = node.resolve(planting.document);
  // The target was parsed from the same text, so its ranges are set.
  if (target !== undefined) return plant(planting, target as ParsedNode, above);
  const text = `found the alias *${node.source} without an anchor, expected &${node.source} before it; write the anchor, or quote the value if it is text`;
  addOnce(planting.faults, planting.at(node.range[0]), text);
  return null;
}

function plantKey(planting: Planting, node: ParsedNode): { key: string; at: At } {
  const at = planting.at(node.range[0]);
  if (!isScalar(node)) {
    const found = isMap(node) || isSeq(node) ? 'a list or map' : 'an alias';
    addOnce(planting.faults, at, `found ${found} as a key, expected text; write the key as text`);
    return { key: '', at };
  }
  const key = String(node.value);
  if (key === '<<' && node.type === 'PLAIN') {
    const text =
      'found the merge key <<, expected the keys themselves; write them out, or use an alias for a whole value';
    addOnce(planting.faults, at, text);
  }
  return { key, at };
}

function addOnce(faults: Fault[], at: At, text: string): void {
  if (!faults.some((fault) => fault.text === text)) faults.push({ at, text });
}

function faultText(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY')
    return 'found a key that stands in this map before, expected each key once; remove one of the two';
  if (code === 'TAG_RESOLVE_FAILED')
    return `found a tag (${message}), expected none; remove it: vigil.yaml takes values as typed`;
  if (code === 'MULTIPLE_DOCS')
    return 'found a second document after ---, expected one; put everything into one document';
  if (code === 'TAB_AS_INDENT') return 'found a tab as indentation, expected spaces; replace it, two spaces a level';
  return `found what YAML can't read (${message}), expected YAML 1.2; mend the line, or put the value in quotes`;
}
