/** What Slack would make of a mrkdwn text: its formats, with what stands in each. Code and tokens come first: nothing else is looked for in them. */

export interface Span {
  readonly kind: 'code' | 'token' | 'bold' | 'italic' | 'strike' | 'emoji' | 'quote' | 'block';
  readonly inside: string;
}

const CLOSED = /`[^`]+`|<[^<>]+>/g;
const SPANS: readonly { readonly kind: Span['kind']; readonly pattern: RegExp }[] = [
  { kind: 'bold', pattern: /(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/d },
  { kind: 'italic', pattern: /(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/d },
  { kind: 'strike', pattern: /(?<![\w~])~(?=\S)([^~]+?)(?<=\S)~(?![\w~])/d },
  { kind: 'emoji', pattern: /:([a-z0-9_+'-]*[a-z_+'-][a-z0-9_+'-]*):/di },
];

export function spansOf(mrkdwn: string): Span[] {
  return mrkdwn.split(/(```[\s\S]*?```)/).flatMap((part, index): Span[] => {
    if (index % 2 === 1) return [{ kind: 'block', inside: part.slice(3, -3) }];
    return part.split('\n').flatMap((line): Span[] => {
      const quoted = /^\s*(?:&gt;|>)(.*)$/.exec(line);
      const rest = quoted?.[1] ?? line;
      return [...(quoted === null ? [] : [{ kind: 'quote' as const, inside: rest }]), ...inLine(rest)];
    });
  });
}

function inLine(text: string): Span[] {
  const closed = [...text.matchAll(CLOSED)].map(([all]): Span => {
    return { kind: all.startsWith('`') ? 'code' : 'token', inside: all.slice(1, -1) };
  });
  const open = text.replace(CLOSED, (all) => all.charAt(0) + 'x'.repeat(all.length - 2) + all.charAt(0));
  return [...closed, ...formats(text, open)];
}

/** `open` is the text as far as it may hold formats; the one that begins first wins. */
function formats(text: string, open: string): Span[] {
  const found = SPANS.flatMap(({ kind, pattern }) => {
    const match = pattern.exec(open);
    return match === null ? [] : [{ kind, match }];
  });
  const [first] = found.toSorted((a, b) => a.match.index - b.match.index);
  const [start, end] = first?.match.indices?.[1] ?? [0, 0];
  if (first === undefined) return [];
  const deeper = first.kind === 'emoji' ? [] : formats(text.slice(start, end), open.slice(start, end));
  const after = end + 1;
  return [
    { kind: first.kind, inside: text.slice(start, end) },
    ...deeper,
    ...formats(text.slice(after), open.slice(after)),
  ];
}
