/** A message or a modal as plain text, the way a person reads it: for terminals and for snapshots in tests. */

import type { ViewBlock } from './block-kit/view.ts';
import { renderBlock } from './block-text.ts';
import { type NameOf, unmark } from './inline-text.ts';
import type { Content, OpenView, SharedFile } from './records.ts';
import { elementsOf, stateText, type ViewValues } from './view-state.ts';

/** What can be read: a message, or only its text and blocks. */
type Readable = Content & { readonly files?: readonly SharedFile[] };

/** The blocks as lines, or the text where there are none, then the files. Formatting marks go, buttons become [Label]. */
export function toPlainText(content: Readable): string {
  return toNamedText(content, () => null);
}

/** The same with people by their names, where the lookup knows them. */
export function toNamedText({ text, blocks, files = [] }: Readable, nameOf: NameOf): string {
  const alone = text === '' ? [] : [unmark(text, nameOf)];
  const said = blocks.length === 0 ? alone : blocks.map((block) => renderBlock(block, nameOf));
  return [...said, ...files.map(fileLine)].join('\n');
}

/** A modal as it stands: what is chosen and typed, what is said to be wrong, and its buttons. */
export function toModalText({ view, values, errors, trouble }: OpenView): string {
  const blocks = view.blocks.flatMap((block) => {
    const error = errors[block.block_id ?? ''];
    return [renderFilled(block, values), ...(error === undefined ? [] : [`! ${error}`])];
  });
  const buttons = [view.close?.text ?? 'Close', ...(view.submit === undefined ? [] : [view.submit.text])];
  const heading = [`== ${view.title.text} ==`, ...(trouble === null ? [] : [`! ${trouble}`])];
  return [...heading, ...blocks, buttons.map((label) => `[${label}]`).join(' ')].join('\n');
}

/** A block with what a person did in it in place of its fields. */
function renderFilled(block: ViewBlock, values: ViewValues): string {
  if (block.type !== 'input' && block.type !== 'actions' && block.type !== 'section')
    return renderBlock(block, () => null);
  const fields = elementsOf([block]).map(({ blockId, element }) => {
    if (element.type === 'button') return `[${element.text.text}]`;
    const state = values[blockId]?.[element.action_id ?? ''];
    return state === undefined ? `[${element.type}]` : `[${stateText(state)}]`;
  });
  const optional = block.type === 'input' && block.optional === true ? ' (optional)' : '';
  if (block.type === 'input') return `${block.label.text}${optional}: ${fields.join('')}`;
  const words = block.type === 'section' ? renderBlock(block, () => null) : '';
  return [words, ...fields].filter((part) => part !== '').join(' ');
}

function fileLine({ name, text }: SharedFile): string {
  const bytes = Buffer.byteLength(text);
  return `[file ${name}, ${bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} KB`}]`;
}
