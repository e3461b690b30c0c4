/** The app's question before a button or a choice takes effect. */
import { find } from './dom.js';
import { renderMrkdwn } from './mrkdwn.js';
import { names } from './state.js';

/** Asks if there is something to ask; true if the person went on. */
export async function isConfirmed(confirm) {
  if (!confirm) return true;
  const dialog = find('confirm');
  find('confirm-title').textContent = confirm.title.text;
  find('confirm-text').replaceChildren(
    ...(confirm.text.type === 'mrkdwn' ? renderMrkdwn(confirm.text.text, names) : [confirm.text.text]),
  );
  find('confirm-accept').textContent = confirm.confirm.text;
  find('confirm-accept').className = confirm.style ?? 'primary';
  find('confirm-deny').textContent = confirm.deny.text;
  // Escape leaves returnValue as it was.
  dialog.returnValue = 'deny';
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'accept'), { once: true }),
  );
}
