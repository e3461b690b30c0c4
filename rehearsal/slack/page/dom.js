/** The few ways in which this page touches the document. Text always arrives as text nodes, never as markup. */

/** An element with attributes and children; strings become text nodes, null and false are left out. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return node;
}

export function find(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`the page has no #${id}`);
  return node;
}

/** Where one pane is seen at a time, as the style sheets have it. */
export const narrow = matchMedia('(max-width: 760px)');

const KEPT = new WeakMap();

/**
 * Makes the children of `parent` those of `entries` ({key, signature, create, update?}). A child whose signature is unchanged stays
 * the same node, so that a button can't vanish under a finger while other parts of its message are edited.
 */
export function reconcile(parent, entries) {
  const kept = KEPT.get(parent) ?? new Map();
  const next = new Map();
  const nodes = entries.map((entry) => {
    const old = kept.get(entry.key);
    if (old?.signature === entry.signature) {
      next.set(entry.key, old);
      return old.node;
    }
    const node = old !== undefined && entry.update ? entry.update(old.node) : entry.create();
    next.set(entry.key, { node, signature: entry.signature });
    return node;
  });
  KEPT.set(parent, next);
  nodes.forEach((node, at) => {
    if (parent.childNodes[at] !== node) parent.insertBefore(node, parent.childNodes[at] ?? null);
  });
  while (parent.childNodes.length > nodes.length) parent.lastChild.remove();
}

/** Changes what a scrolling pane shows and stays at its end if it was there. */
export function keepAtEnd(pane, change) {
  const isAtEnd = pane.scrollHeight - pane.scrollTop - pane.clientHeight < 60;
  change();
  if (isAtEnd) pane.scrollTop = pane.scrollHeight;
}

export function toast(text) {
  const node = element('p', {}, text);
  find('toasts').append(node);
  setTimeout(() => node.remove(), 6000);
}
