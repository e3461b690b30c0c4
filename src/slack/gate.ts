/** The last look at all that leaves for Slack: no secret, no character that takes effect unseen, whoever made the text and whatever they forgot. */

import type { ModalView } from '@slack/types';
import type { Message } from '../chat.ts';
import { createMask } from '../log/mask.ts';
import { clip, clipMarkup, code, escapeText, tidy } from '../report/escape.ts';

export interface Gate {
  message(message: Message): Message;
  /** A title, a comment, a file's text. */
  text(text: string): string;
  view(view: ModalView): ModalView;
  /** What is wrong in a modal, by block_id. */
  errors(errors: Readonly<Record<string, string>>): Record<string, string>;
}

/** Strings that people don't see: ids, what comes back to us, addresses, and words of Slack's own. */
const UNSHOWN: ReadonlySet<string> = new Set([
  ...['type', 'block_id', 'action_id', 'task_id', 'value', 'url', 'image_url', 'style', 'status', 'range', 'name'],
  ...['callback_id', 'private_metadata', 'external_id', 'user_id', 'usergroup_id', 'channel_id', 'team_id', 'emoji'],
  ...['initial_date', 'initial_user', 'initial_channel', 'initial_conversation', 'default_to_current_conversation'],
]);

/** A shorter text may grow a little where `[masked]` stands in it. */
const SHORT = 20;

/** `secrets`: every value that must not be seen, as src/config/secrets.ts knows them. */
export function openGate({ secrets }: { readonly secrets: readonly string[] }): Gate {
  const forms = [...new Set(secrets.flatMap(renderedForms))];
  const mask = createMask(forms);
  const text = (shown: string): string => withoutCut(mask(tidy(shown)), forms);
  return {
    text,
    message: (message) => ({
      ...message,
      text: fitted(message.text, text, true),
      blocks: shownIn(message.blocks, text),
    }),
    view: (view) => shownIn(view, text),
    errors: (errors) => Object.fromEntries(Object.entries(errors).map(([block, error]) => [block, text(error)])),
  };
}

/** A secret as it is, and as mrkdwn has it. Its first and last character are escaped by what stands beside them. */
function renderedForms(secret: string): string[] {
  const span = code(secret, Number.POSITIVE_INFINITY);
  return [secret, escapeText(secret), escapeText(`a${secret}a`).slice(1, -1), span.slice(1, -1)];
}

/** Fewer characters of a secret tell nothing of it. */
const TELLING = 6;
const CUT_WORD = /(?<![^\s…])[^\s…]+(?=\s?…)/g;

/** What was cut off before anybody looked for secrets may end in the beginning of one. */
function withoutCut(text: string, secrets: readonly string[]): string {
  if (!text.includes('…')) return text;
  return text.replace(CUT_WORD, (word) => {
    for (const secret of secrets) {
      for (let length = Math.min(word.length, secret.length - 1); length >= TELLING; length -= 1)
        if (word.endsWith(secret.slice(0, length))) return `${word.slice(0, -length)}[masked]`;
    }
    return word;
  });
}

/** The same shape with each text that people see looked at. */
function shownIn<T>(node: T, text: (shown: string) => string): T {
  return walk(node, text) as T; // only strings are changed
}

function walk(node: unknown, text: (shown: string) => string): unknown {
  if (Array.isArray(node)) return node.map((child) => walk(child, text));
  if (typeof node !== 'object' || node === null) return node;
  const isMarkup = 'type' in node && node.type === 'mrkdwn';
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (typeof value !== 'string') return [name, walk(value, text)];
      return [name, UNSHOWN.has(name) ? value : fitted(value, text, isMarkup)];
    }),
  );
}

/** No longer than before: it fitted Slack's limits. */
function fitted(shown: string, text: (shown: string) => string, isMarkup: boolean): string {
  const safe = text(shown);
  const most = Math.max(shown.length, SHORT);
  if (safe.length <= most) return safe;
  return isMarkup ? clipMarkup(safe, most) : clip(safe, most);
}
