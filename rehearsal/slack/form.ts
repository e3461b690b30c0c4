/** What Slack itself refuses to send of a form, before the app hears of it. */
import type { ViewBlock } from './block-kit/view.ts';
import { type ElementState, isBlank, type ViewValues } from './view-state.ts';

type InputBlock = Extract<ViewBlock, { type: 'input' }>;

/** By block_id: what is missing, too short or too long. */
export function formErrors(blocks: readonly ViewBlock[], values: ViewValues): Record<string, string> {
  return Object.fromEntries(
    blocks.flatMap((block) => {
      if (block.type !== 'input') return [];
      const id = block.block_id ?? '';
      const error = faultOf(block, values[id]?.[block.element.action_id ?? '']);
      return error === null ? [] : [[id, error]];
    }),
  );
}

function faultOf({ optional, element }: InputBlock, state: ElementState | undefined): string | null {
  if (state === undefined || isBlank(state)) return optional === true ? null : 'Please complete this required field.';
  if (element.type !== 'plain_text_input') return null;
  const { length } = String(state.value);
  const { min_length: least = 0, max_length: most = 3000 } = element;
  if (length < least) return `Must be at least ${least} characters.`;
  return length > most ? `Must be at most ${most} characters.` : null;
}
