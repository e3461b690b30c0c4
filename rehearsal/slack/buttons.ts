/** Buttons in a message's blocks. */
import type { Button } from './block-kit.ts';
import type { Content } from './records.ts';

/** Throws, naming the buttons that are there. */
export function findButton({ blocks }: Content, actionId: string): { button: Button; blockId: string } {
  const buttons: { button: Button; blockId: string }[] = [];
  for (const block of blocks) {
    const elements = block.type === 'actions' ? block.elements : block.type === 'section' ? [block.accessory] : [];
    for (const element of elements) {
      if (element?.type === 'button') buttons.push({ button: element, blockId: block.block_id ?? '' });
    }
  }
  const found = buttons.find(({ button }) => button.action_id === actionId);
  if (found !== undefined) return found;
  const names = buttons.map(({ button }) => button.action_id).join(', ');
  throw new Error(`no button ${actionId} in this message; its buttons are: ${names || 'none'}`);
}
