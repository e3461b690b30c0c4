/** What a person has opened or closed stays so while its message is drawn anew. */
const isOpenBy = new Map();

/** `key` names the thing for good, such as a file's id; `preset` is how it stands before anybody touched it. */
export function isOpen(key, preset) {
  return isOpenBy.get(key) ?? preset;
}

export function remember(key, open) {
  isOpenBy.set(key, open);
}
