/** Tables: they scroll by themselves where they are wider than the message. */
import { element } from './dom.js';
import { isOpen, remember } from './folds.js';
import { renderRichText } from './rich-text.js';

/** Rows shown at a time where a data_table doesn't say. */
const PAGE_SIZE = 5;

export function renderTable({ rows, column_settings: columns = [] }, names) {
  return tableOf({ rows: rows.map((row) => row.map((cell) => renderCell(cell, names))), columns });
}

/** With its caption and a page of rows at a time; the first row is the head. */
export function renderDataTable(block, { names, key }) {
  const [head = [], ...body] = block.rows;
  const size = block.page_size ?? PAGE_SIZE;
  const last = Math.max(0, Math.ceil(body.length / size) - 1);
  const place = element('div');
  const show = (page) => {
    remember(`${key}/page`, page);
    const cells = [head, ...body.slice(page * size, (page + 1) * size)];
    const table = renderTable({ rows: cells }, names);
    table.querySelector('table').prepend(element('caption', {}, block.caption));
    place.replaceChildren(table, ...(last > 0 ? [renderPager({ page, last, show })] : []));
  };
  show(Math.min(isOpen(`${key}/page`, 0), last));
  return place;
}

function renderPager({ page, last, show }) {
  const button = (words, to) =>
    element('button', { type: 'button', disabled: to < 0 || to > last, onclick: () => show(to) }, words);
  return element(
    'div',
    { class: 'pager' },
    button('Previous', page - 1),
    element('span', {}, `Page ${page + 1} of ${last + 1}`),
    button('Next', page + 1),
  );
}

/** A table of cells that are lists of nodes; the first row is its head. */
export function tableOf({ rows, columns = [] }) {
  const attributes = (at) => ({
    class: [columns[at]?.align, columns[at]?.is_wrapped && 'wrapped'].filter(Boolean).join(' '),
  });
  const [head = [], ...body] = rows;
  const table = element(
    'table',
    {},
    element(
      'thead',
      {},
      element('tr', {}, ...head.map((cell, at) => element('th', { scope: 'col', ...attributes(at) }, ...cell))),
    ),
    element(
      'tbody',
      {},
      ...body.map((row) => element('tr', {}, ...row.map((cell, at) => element('td', attributes(at), ...cell)))),
    ),
  );
  return element('div', { class: 'table scrolls', tabindex: 0, role: 'region', 'aria-label': 'Table' }, table);
}

function renderCell(cell, names) {
  return cell.type === 'rich_text' ? [renderRichText(cell, names)] : [cell.text];
}
