/** What people type, as words: Slack's composer and phones change quotes, dashes, blanks and host names on the way. */

import { UsageError } from '../errors.ts';

/** Splits like a shell would, with no shell: blanks separate, quotes and backslashes hold together. */
export function splitWords(text: string): string[] {
  return split(normalise(text));
}

/** The first `count` words, as splitWords reads them, and what stands behind them, if anything, as it was typed: its quotes and blanks stay. */
export function splitHead(text: string, count: number): string[] {
  const head: string[] = [];
  let rest = text.trim();
  while (head.length < count && rest !== '') {
    const [word = ''] = rest.split(/\s/, 1);
    head.push(normalise(word).replace(/["']/g, ''));
    rest = rest.slice(word.length).trim();
  }
  return rest === '' ? head : [...head, asTyped(rest)];
}

/** Without what Slack makes of names, links and flags on the way; what joins emoji and letters stays. */
function asTyped(text: string): string {
  const named = text.replace(/<([@#])[A-Z0-9]+\|([^<>]+)>/g, '$1$2');
  return unwrap(named)
    .replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
    .replace(/(^|\s)[–—]{1,3}(?=[a-z])/g, '$1--');
}

/** The text as it was meant: straight quotes, `--` for a leading dash, plain blanks, link labels instead of links. */
function normalise(text: string): string {
  return unwrap(text)
    .normalize('NFC')
    .replace(/[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[‐‑−]/g, '-')
    .replace(/(^| )(["']?)[–—]+(?=\S)/g, '$1$2--')
    .replaceAll('`', '')
    .trim();
}

/** `<http://kpro5|kpro5>` → `kpro5`, `<@U1|alice>` → `U1`, `<#C1|ops>` → `C1`; then Slack's three entities (should_escape). */
function unwrap(text: string): string {
  return text
    .replace(/<[@#]([A-Z0-9]+)(?:\|[^<>]*)?>/g, '$1')
    .replace(/<([^<>|]*)\|([^<>]*)>/g, (_, link: string, label: string) => label || link)
    .replace(/<((?:https?|mailto):[^<>|]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function split(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\\' && quote !== "'" && at + 1 < text.length) word = (word ?? '') + text.charAt(++at);
    else if (sign === quote) quote = null;
    else if (quote === null && (sign === '"' || sign === "'")) {
      quote = sign;
      word ??= '';
    } else if (quote === null && sign === ' ') {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
  }
  if (quote !== null) throw new UsageError(`A quote (${quote}) is opened and never closed. Close it, or leave it out.`);
  return word === null ? words : [...words, word];
}
