/** What the channel shows, as text while it changes: for a terminal. */
import type { Content, Message } from '../slack/records.ts';
import type { SlackStandIn } from '../slack/stand-in.ts';
import { toModalText, toNamedText } from '../slack/text.ts';

/** Writes each new message, reply, private answer, modal and edit of a card; an edit that reads the same is left out. Returns how to stop. */
export function writeTranscript(slack: SlackStandIn, write: (text: string) => void): () => void {
  const shown = new Map<string, string>();
  const read = (content: Content): string => toNamedText(content, (user) => slack.userName(user));
  return slack.on((change) => {
    if (change.kind === 'ephemeral') {
      write(`${frame('only you', read(change.ephemeral))}\n`);
      return;
    }
    if (change.kind === 'view') {
      if (change.view.isOpen) write(`${frame('a modal, only you', toModalText(change.view))}\n`);
      return;
    }
    if (change.kind !== 'posted' && change.kind !== 'edited') return;
    const { message } = change;
    if (!message.byApp) return;
    const where = placeOf(message, change.kind);
    const text = frame(where, read(message));
    if (shown.get(message.ts) === text) return;
    shown.set(message.ts, text);
    write(`${text}\n`);
  });
}

function placeOf({ thread, broadcast }: Message, kind: 'posted' | 'edited'): string {
  if (thread === null) return kind === 'edited' ? 'card, edited' : 'card';
  return broadcast ? '  reply, also sent to the channel' : '  reply';
}

function frame(title: string, body: string): string {
  const indent = title.startsWith(' ') ? '    ' : '  ';
  return `${title}\n${body
    .split('\n')
    .map((line) => `${indent}${line}`)
    .join('\n')}`;
}
