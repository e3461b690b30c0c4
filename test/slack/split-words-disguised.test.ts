/** Whatever Slack's composer, a phone or a paste makes of what somebody types, the words that they meant come out. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitHead, splitWords } from '../../src/slack/split-words.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';

const WORDS = [
  'launch',
  'kpro5',
  'kpro5-3',
  'dflash',
  'qwen3_8b.v2',
  '/root/logs/vllm.log',
  '~/logs/run.log',
  'R&D<1>',
];
const OPTIONS = ['--queue', '--dry-run', '--pid=4242'];
const BLANKS = [' ', '  ', '\n', '\r\n', '\t', '\u00a0', '\u2003', '\u202f', '\u2009 ', '\u3000', '\u2028', ' \u200b'];
const UNSEEN = ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\ufe0f', ''];
const QUOTES = ['""', "''", '“”', '„“', '«»', '‘’', '＂＂', '‚‘'];

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** What may become of a word on its way. */
const word = fc.constantFrom(...WORDS).chain((meant) => {
  const typed = escaped(meant);
  const quoted = QUOTES.map((pair) => `${pair.charAt(0)}${typed}${pair.charAt(1)}`);
  const marked = ['*', '_', '~'].map((mark) => `${mark}${typed}${mark}`);
  const linked = [`<http://${typed}|${typed}>`, `<mailto:${typed}|${typed}>`];
  const disguises = [typed, `\`${typed}\``, `*_${typed}_*`, ...quoted, ...marked, ...linked];
  return fc.record({
    meant: fc.constant(meant),
    typed: fc.constantFrom(...disguises, ...(meant === typed ? [wide(meant)] : [])),
  });
});

const option = fc.constantFrom(...OPTIONS).chain((meant) => {
  const name = meant.slice(2);
  const dashes = ['--', '—', '–', '―', '——', '‑‑', '−−', '—-', '––', '－－', '﹘'];
  return fc.record({ meant: fc.constant(meant), typed: fc.constantFrom(...dashes.map((dash) => `${dash}${name}`)) });
});

/** A mark that nobody sees, somewhere in a word. */
const unseen = fc.record({ mark: fc.constantFrom(...UNSEEN), at: fc.nat({ max: 30 }) });

const part = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: word }, option), unseen, fc.constantFrom(...BLANKS))
  .map(([{ meant, typed }, { mark, at }, blank]) => {
    const place = typed.startsWith('<') || typed.includes('&') ? 0 : Math.min(at, typed.length);
    return { meant, typed: `${typed.slice(0, place)}${mark}${typed.slice(place)}`, blank };
  });

const around = fc.constantFrom(
  ...['', '`', '```', '*', '_'].map((mark) => [mark, mark]),
  ['```\n', '\n```'],
  [' ', '\n'],
);

test('what somebody meant comes out, whatever it was disguised as', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), around, (parts, [before = '', after = '']) => {
      const between = parts.map(({ typed, blank }, index) => (index === 0 ? typed : `${blank}${typed}`));
      const typed = `${before}${between.join('')}${after}`;
      expect(splitWords(typed)).toEqual(parts.map(({ meant }) => meant));
    }),
    { numRuns: fuzzRuns(2000) },
  );
});

test('the first words of a text come out likewise, and the text behind them stays', () => {
  fc.assert(
    fc.property(word, fc.constantFrom(...BLANKS), ({ typed, meant }, blank) => {
      expect(splitHead(`note${blank}${typed}${blank}Copy  the “good” one`, 2)).toEqual([
        'note',
        meant,
        'Copy  the “good” one',
      ]);
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('any text at all is read, or refused for a quote that is never closed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      try {
        const words = splitWords(text);
        expect(words.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      } catch (error) {
        expect(String(error)).toContain('is opened and never closed');
      }
    }),
    { numRuns: fuzzRuns(1000) },
  );
});
