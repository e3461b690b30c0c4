/** The texts of a message or a modal, by what Slack makes of them. */

interface Shown {
  readonly type: string;
  readonly text: string;
}

/** Every string that people see in blocks, wherever it stands. */
export function shownTexts(node: unknown): Shown[] {
  if (Array.isArray(node)) return node.flatMap(shownTexts);
  if (typeof node !== 'object' || node === null) return [];
  const fields: Record<string, unknown> = { ...node };
  const kind = typeof fields.type === 'string' ? fields.type : '';
  const own = ['text', 'title', 'alt_text', 'accessibility_label'].flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' ? [{ type: name === 'text' ? kind : name, text: value }] : [];
  });
  return [...own, ...Object.values(fields).flatMap(shownTexts)];
}

/** What Slack parses: a message's own text, mrkdwn objects, markdown. */
export function parsedTexts(shown: { readonly text?: string; readonly blocks: unknown }): string[] {
  const parsed = shownTexts(shown.blocks).filter(({ type }) => type === 'mrkdwn' || type === 'markdown');
  return [...(shown.text === undefined ? [] : [shown.text]), ...parsed.map(({ text }) => text)];
}
