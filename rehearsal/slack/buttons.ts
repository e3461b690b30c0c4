/** Buttons in a message's blocks. */
import type { Button } from './block-kit/elements.ts';
import type { Block } from './block-kit.ts';
import type { Content } from './records.ts';

interface Placed {
  readonly button: Button;
  readonly blockId: string;
}

/** Throws, naming the buttons that are there. */
export function findButton({ blocks }: Content, actionId: string): Placed {
  const buttons = blocks.flatMap(buttonsOf);
  const found = buttons.find(({ button }) => button.action_id === actionId);
  if (found !== undefined) return found;
  const names = buttons.map(({ button }) => button.action_id).join(', ');
  throw new Error(`no button ${actionId} in this message; its buttons are: ${names || 'none'}`);
}

function buttonsOf(block: Block): Placed[] {
  if (block.type === 'container') return block.child_blocks.flatMap(buttonsOf);
  if (block.type === 'carousel') return block.elements.flatMap(buttonsOf);
  return elementsOf(block).flatMap((element) =>
    element?.type === 'button' ? [{ button: element, blockId: block.block_id ?? '' }] : [],
  );
}

function elementsOf(block: Block) {
  if (block.type === 'actions') return block.elements;
  if (block.type === 'card') return block.actions ?? [];
  return block.type === 'section' ? [block.accessory] : [];
}
