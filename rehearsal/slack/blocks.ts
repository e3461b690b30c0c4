/** Judges the blocks of a message as Slack does, and refuses with JSON pointers. */
import { z } from 'zod';
import { type Block, block } from './block-kit.ts';

export type BlocksVerdict =
  | { readonly kind: 'taken'; readonly blocks: readonly Block[] }
  | { readonly kind: 'refused'; readonly error: string; readonly details: readonly string[] };

/** Undocumented; seen from about this size on (bolt-js#2509). */
const ALL_TEXT_LIMIT = 13_200;

/** Judges the blocks of one message and gives names to those without `block_id` or `action_id`, as Slack does. */
export function checkBlocks(value: unknown, nextId: () => string): BlocksVerdict {
  const parsed = z.array(block).max(50).safeParse(value);
  if (!parsed.success) return { kind: 'refused', error: 'invalid_blocks', details: parsed.error.issues.map(describe) };
  const twice = findRepeatedIds(parsed.data);
  if (twice.length > 0) return { kind: 'refused', error: 'invalid_blocks', details: twice };
  if (textLength(parsed.data) > ALL_TEXT_LIMIT) return { kind: 'refused', error: 'msg_blocks_too_long', details: [] };
  return { kind: 'taken', blocks: parsed.data.map((it) => withIds(it, nextId)) };
}

function describe(issue: z.core.$ZodIssue): string {
  return `${sentence(issue)} [json-pointer:/${['blocks', ...issue.path].map(String).join('/')}]`;
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `must be less than ${Number(issue.maximum) + 1} characters`;
  if (issue.code === 'too_big') return `no more than ${issue.maximum} items allowed`;
  if (issue.code === 'too_small' && issue.origin === 'string')
    return `must be more than ${Number(issue.minimum) - 1} characters`;
  if (issue.code === 'too_small') return `no less than ${issue.minimum} items allowed`;
  if (issue.code === 'unrecognized_keys') return `invalid additional property: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return 'unsupported type';
  return issue.message;
}

function findRepeatedIds(blocks: readonly Block[]): string[] {
  const details: string[] = [];
  const seen = new Set<string>();
  blocks.forEach((it, at) => {
    if (it.block_id !== undefined && seen.has(it.block_id)) {
      details.push(
        `\`block_id\` ${it.block_id} already exists for another block [json-pointer:/blocks/${at}/block_id]`,
      );
    }
    if (it.block_id !== undefined) seen.add(it.block_id);
    if (it.type !== 'actions') return;
    const names = it.elements.flatMap((element) => element.action_id ?? []);
    if (new Set(names).size < names.length) {
      details.push(`\`action_id\` already exists for another element [json-pointer:/blocks/${at}/elements]`);
    }
  });
  return details;
}

function textLength(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((sum: number, child) => sum + textLength(child), 0);
  if (typeof node !== 'object' || node === null) return 0;
  return Object.entries(node).reduce(
    (sum, [key, value]) => sum + (key === 'text' && typeof value === 'string' ? value.length : textLength(value)),
    0,
  );
}

function withIds(it: Block, nextId: () => string): Block {
  const named = { ...it, block_id: it.block_id ?? nextId() };
  if (named.type !== 'actions') return named;
  return {
    ...named,
    elements: named.elements.map((element) => ({ ...element, action_id: element.action_id ?? nextId() })),
  };
}
