/** What a message says: its blocks, else its text, then its files. */
import { renderBlock } from './blocks.js';
import { element, reconcile } from './dom.js';
import { renderFile } from './files.js';
import { renderMrkdwn } from './mrkdwn.js';
import { press } from './press.js';
import { names, state } from './state.js';

/** Fills a message's body; what is unchanged stays the same node. */
export function showContent(body, message) {
  if (message.deleted) {
    return reconcile(body, [
      {
        key: 'deleted',
        signature: '',
        create: () => element('p', { class: 'deleted' }, 'This message was deleted.'),
      },
    ]);
  }
  const edited =
    message.edits > 0 && message.source === undefined
      ? [{ key: 'edited', signature: '', create: () => element('span', { class: 'edited' }, '(edited)') }]
      : [];
  reconcile(body, [...wordEntries(message), ...fileEntries(message), ...edited]);
}

function wordEntries(message) {
  const context = (at) => ({
    names,
    key: `${message.ts}/${at}`,
    press: (button, node) => press(message, button, node),
  });
  if (message.blocks.length > 0) {
    return message.blocks.map((block, at) => {
      // A new block_id alone changes nothing that can be seen.
      const signature = JSON.stringify([state.user, { ...block, block_id: '' }]);
      return { key: at, signature, create: () => renderBlock(block, context(at)) };
    });
  }
  if (message.text === '') return [];
  const create = () => element('div', { class: 'section' }, ...renderMrkdwn(message.text, names));
  return [{ key: 'text', signature: JSON.stringify([state.user, message.text]), create }];
}

function fileEntries({ files = [] }) {
  return files.map((file) => ({ key: file.id, signature: '', create: () => renderFile(file) }));
}
