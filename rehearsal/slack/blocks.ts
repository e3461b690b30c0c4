/** Judges the blocks of a message, and whole views, as Slack does, and refuses with JSON pointers. */
import { z } from 'zod';
import { homeView, type ModalView, modalView, type ViewBlock } from './block-kit/view.ts';
import { type Block, block } from './block-kit.ts';
import { describe, pointer } from './schema-faults.ts';

export type BlocksVerdict =
  | { readonly kind: 'taken'; readonly blocks: readonly Block[] }
  | { readonly kind: 'refused'; readonly error: string; readonly details: readonly string[] };

export type ViewVerdict =
  | { readonly kind: 'taken'; readonly view: ModalView }
  | { readonly kind: 'refused'; readonly details: readonly string[] };

/** Undocumented; seen from about this size on (bolt-js#2509). */
const ALL_TEXT_LIMIT = 13_200;
const TABLES_LIMIT = 10_000;
const MARKDOWN_LIMIT = 12_000;

/**
 * Judges the blocks of one message and gives names to those without `block_id` or `action_id`, as Slack does. `refuses`: types that this
 * workspace doesn't know, as where a new block has not arrived yet.
 */
export function checkBlocks(value: unknown, nextId: () => string, refuses: readonly string[] = []): BlocksVerdict {
  const parsed = z.array(block).max(50).safeParse(value);
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => describe(issue, ['blocks']));
    return { kind: 'refused', error: 'invalid_blocks', details };
  }
  const blocks = parsed.data;
  const details = [...unknownTypes(blocks, refuses), ...repeatedIds(blocks, ['blocks']), ...sumsTooLarge(blocks)];
  if (details.length > 0) return { kind: 'refused', error: 'invalid_blocks', details };
  if (textLength(blocks) > ALL_TEXT_LIMIT) return { kind: 'refused', error: 'msg_blocks_too_long', details: [] };
  return { kind: 'taken', blocks: blocks.map((it) => withIds(it, nextId)) };
}

/** Judges a modal, and names its blocks and elements. */
export function checkView(value: unknown, nextId: () => string): ViewVerdict {
  const parsed = modalView.safeParse(value);
  if (!parsed.success)
    return { kind: 'refused', details: parsed.error.issues.map((issue) => describe(issue, ['view'])) };
  const view = parsed.data;
  const details = repeatedIds(view.blocks, ['view', 'blocks']);
  if (details.length > 0) return { kind: 'refused', details };
  return { kind: 'taken', view: { ...view, blocks: view.blocks.map((it) => withIds(it, nextId)) } };
}

/** What is wrong with a Home tab. */
export function homeFaults(value: unknown): readonly string[] {
  const parsed = homeView.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map((issue) => describe(issue, ['view']));
}

function unknownTypes(blocks: readonly Block[], refuses: readonly string[]): string[] {
  return blocks.flatMap(({ type }, at) =>
    refuses.includes(type) ? [`unsupported type: ${type} ${pointer(['blocks', at, 'type'])}`] : [],
  );
}

function repeatedIds(blocks: readonly (Block | ViewBlock)[], root: readonly string[]): string[] {
  const details: string[] = [];
  const seen = new Set<string>();
  blocks.forEach((it, at) => {
    if (it.block_id !== undefined && seen.has(it.block_id)) {
      details.push(
        `\`block_id\` ${it.block_id} already exists for another block ${pointer([...root, at, 'block_id'])}`,
      );
    }
    if (it.block_id !== undefined) seen.add(it.block_id);
    if (it.type !== 'actions') return;
    const names = it.elements.flatMap((element) => element.action_id ?? []);
    if (new Set(names).size < names.length) {
      details.push(`\`action_id\` already exists for another element ${pointer([...root, at, 'elements'])}`);
    }
  });
  return details;
}

/** What no block exceeds alone, but several together do. */
function sumsTooLarge(blocks: readonly Block[]): string[] {
  const sum = (types: readonly string[]): number => textLength(blocks.filter(({ type }) => types.includes(type)));
  const tables = sum(['table', 'data_table']) > TABLES_LIMIT;
  const markdown = sum(['markdown']) > MARKDOWN_LIMIT;
  return [
    ...(tables ? [`tables hold more than ${TABLES_LIMIT} characters ${pointer(['blocks'])}`] : []),
    ...(markdown ? [`markdown blocks hold more than ${MARKDOWN_LIMIT} characters ${pointer(['blocks'])}`] : []),
  ];
}

/** The characters of all texts, and of titles that are plain strings. */
function textLength(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((sum: number, child) => sum + textLength(child), 0);
  if (typeof node !== 'object' || node === null) return 0;
  return Object.entries(node).reduce(
    (sum, [key, value]) =>
      sum + ((key === 'text' || key === 'title') && typeof value === 'string' ? value.length : textLength(value)),
    0,
  );
}

function withIds<Kind extends Block | ViewBlock>(it: Kind, nextId: () => string): Kind {
  const named = { ...it, block_id: it.block_id ?? nextId() };
  const withId = <Element extends { action_id?: string | undefined }>(element: Element): Element => ({
    ...element,
    action_id: element.action_id ?? nextId(),
  });
  if (named.type === 'actions') return { ...named, elements: named.elements.map(withId) };
  if (named.type === 'input') return { ...named, element: withId(named.element) };
  if (named.type !== 'section' || named.accessory === undefined || named.accessory.type === 'image') return named;
  return { ...named, accessory: withId(named.accessory) };
}
