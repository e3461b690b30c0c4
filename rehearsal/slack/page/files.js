/** A file of a message: its first lines, and the whole text where it is asked for. */
import { element } from './dom.js';
import { isOpen, remember } from './folds.js';

const PREVIEW_LINES = 5;

export function renderFile(file) {
  const size = sizeWords(new TextEncoder().encode(file.text).length);
  const name = file.title || file.name;
  const text = element('pre', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': `Text of ${name}` });
  const node = element(
    'figure',
    { class: 'file', 'data-file': file.id },
    element(
      'figcaption',
      {},
      element('b', {}, name),
      name !== file.name && element('span', {}, file.name),
      element('span', {}, size),
    ),
    text,
  );
  const lines = file.text.split('\n');
  const more = lines.length - PREVIEW_LINES;
  if (more > 0) node.append(renderToggle({ file, lines, more, text }));
  else text.textContent = file.text;
  return node;
}

function renderToggle({ file, lines, more, text }) {
  const words = element('span');
  const toggle = element('button', { type: 'button', class: 'expand' }, words);
  const show = (open) => {
    toggle.setAttribute('aria-expanded', String(open));
    text.classList.toggle('whole', open);
    text.textContent = open ? file.text : lines.slice(0, PREVIEW_LINES).join('\n');
    words.textContent = open ? 'Collapse' : `Expand (${more} more ${more === 1 ? 'line' : 'lines'})`;
  };
  toggle.addEventListener('click', () => {
    const open = !isOpen(file.id, false);
    remember(file.id, open);
    show(open);
  });
  show(isOpen(file.id, false));
  return toggle;
}

function sizeWords(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
