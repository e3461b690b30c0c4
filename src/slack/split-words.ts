/** What people type, as words: Slack's composer and phones change quotes, dashes, blanks and host names on the way. */

import { UsageError } from '../errors.ts';
import { unformatted } from './unformatted.ts';

/** Splits like a shell would, with no shell: blanks separate, quotes and backslashes hold together. Throws UsageError for a quote that is never closed. */
export function splitWords(text: string): string[] {
  return split(normalise(text));
}

/** The first `count` words, as splitWords reads them, and what stands behind them, if anything, as it was typed: its quotes and blanks stay. */
export function splitHead(text: string, count: number): string[] {
  const head: string[] = [];
  let rest = withoutFence(text);
  while (head.length < count && rest !== '') {
    const cut = cutWord(rest);
    if (cut.word !== '') head.push(cut.word);
    rest = cut.rest;
  }
  return rest === '' ? head : [...head, asTyped(rest)];
}

/** The first word ('' where there is none) as splitHead reads it, and all behind it as it came, to be read in its turn. */
export function cutWord(text: string): { readonly word: string; readonly rest: string } {
  let rest = withoutFence(text);
  let word = '';
  // A word of marks that nobody sees is none.
  while (word === '' && rest !== '') {
    const [typed = ''] = rest.split(BLANK, 1);
    word = normalise(typed).replace(/["']/g, '');
    rest = rest.slice(typed.length).replace(BLANKS_BEFORE, '');
  }
  return { word, rest };
}

/** Every blank that a keyboard or a web page has, and what looks like one. */
const BLANK = /[\t-\r \u0085\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u3164]/;
const BLANKS = new RegExp(`${BLANK.source}+`, 'g');
const BLANKS_BEFORE = new RegExp(`^${BLANK.source}+`);
/** A dash of any length that is no hyphen: what phones and composers make of `--`, at times with a hyphen left over. */
const DASHES = '[\\u2012-\\u2015\\u2e3a\\u2e3b\\ufe58]{1,3}-{0,2}';
const DASHES_BEFORE = new RegExp(`(^| )(["']?)${DASHES}(?=\\S)`, 'g');
const DASHES_TYPED = new RegExp(`(^|\\s)${DASHES}(?=[a-z])`, 'g');

/** The text as it was meant: straight quotes, `--` for a leading dash, plain blanks, link labels instead of links, no marks that nobody sees. */
function normalise(text: string): string {
  const plain = unwrap(text)
    .replace(/[\uff01-\uff5e]/g, narrow)
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .replace(/[\p{Cc}\p{Cf}]|\ufe0e|\ufe0f|\u034f/gu, '')
    .replace(/[“”„‟«»″＂]/g, '"')
    .replace(/[‘’‚‛′‹›]/g, "'")
    .replace(/[\u2010\u2011\u2212\ufe63]/g, '-')
    .replaceAll('`', '')
    .trim();
  return unformatted(plain).replace(DASHES_BEFORE, '$1$2--');
}

/** A full-width letter, digit or sign as the plain one. */
function narrow(wide: string): string {
  return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
}

/** Without what Slack makes of names, links and flags on the way; what joins emoji and letters stays. */
function asTyped(text: string): string {
  const named = text.replace(/<([@#])[A-Z0-9]+\|([^<>]+)>/g, '$1$2');
  return unwrap(named)
    .replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
    .replace(DASHES_TYPED, '$1--');
}

/** The blanks around it go, and so do the backticks that make all of it code. */
function withoutFence(text: string): string {
  const bare = text.replace(BLANKS_BEFORE, '').trimEnd();
  const [fence = ''] = /^(?:```|`)/.exec(bare) ?? [];
  if (fence === '' || bare.length <= 2 * fence.length || !bare.endsWith(fence)) return bare;
  const inside = bare.slice(fence.length, -fence.length);
  return inside.includes(fence) ? bare : inside.replace(BLANKS_BEFORE, '').trimEnd();
}

/** `<http://kpro5|kpro5>` → `kpro5`, `<@U1|alice>` → `U1`, `<#C1|ops>` → `C1`; then Slack's three entities (should_escape). */
function unwrap(text: string): string {
  return text
    .replace(/<[@#]([A-Z0-9]+)(?:\|[^<>]*)?>/g, '$1')
    .replace(/<([^<>|]*)\|([^<>]*)>/g, (_, link: string, label: string) => label || link)
    .replace(/<((?:https?|mailto|tel):[^<>|]*)>/g, '$1')
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
