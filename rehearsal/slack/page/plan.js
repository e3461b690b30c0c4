/** Steps of some work, each with its state. */
import { element } from './dom.js';
import { isOpen, remember } from './folds.js';
import { link } from './links.js';
import { renderRichText } from './rich-text.js';

/** As screen readers hear it; the sign is drawn by the style sheet. */
const STATES = { pending: 'Pending', in_progress: 'In progress', complete: 'Complete', error: 'Error' };

/** A plan can be folded to its title. */
export function renderPlan({ title, tasks = [] }, { names, key }) {
  const items = tasks.map((task) => element('li', {}, ...taskParts(task, names)));
  const node = element(
    'details',
    { class: 'plan', open: isOpen(key, true) },
    element('summary', {}, title),
    element('ol', {}, ...items),
  );
  node.addEventListener('toggle', () => remember(key, node.open));
  return node;
}

export function renderTask(task, names) {
  return element('div', { class: 'task' }, ...taskParts(task, names));
}

function taskParts({ title, status, details, output, sources = [] }, names) {
  const sign = element('span', {
    class: `sign ${STATES[status] ? status : 'pending'}`,
    role: 'img',
    'aria-label': STATES[status] ?? status,
  });
  const links = sources.map(({ url, text }) => link(url, text));
  return [
    sign,
    element(
      'div',
      { class: 'task-words' },
      element('span', { class: 'task-title' }, title),
      details && element('div', { class: 'task-details' }, renderRichText(details, names)),
      output && element('div', { class: 'task-output' }, renderRichText(output, names)),
      links.length > 0 && element('div', { class: 'task-sources' }, ...links),
    ),
  ];
}
