import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LinearPattern, parseLinearPattern } from '../src/linear-pattern.ts';

function patternOf(source: string): LinearPattern {
  const parsed = parseLinearPattern(source);
  if ('wrong' in parsed) throw new Error(parsed.wrong);
  return parsed;
}

const SOURCES = [
  ...[
    'abc',
    'a|b',
    'a*b+c?',
    '(ab|a)(bc|c)',
    '^a',
    'a$',
    '^$',
    'a.c',
    '[a-c]+\\d',
    '[^a]b',
    '\\bab\\b',
    'a\\B',
    '\\w+\\s\\w+',
  ],
  ...[
    '(?:ab){2}',
    'a{2,3}b',
    'a{0,2}$',
    'a{2,}',
    '(a*)*b',
    '(a|b|)+c',
    '(?<name>a)b',
    'a+?b',
    '\\.',
    '\\x41',
    '(?:)',
    'ä|ß',
    'b\\nc',
  ],
];

describe('a pattern that is matched in linear time', () => {
  it('fits what the regular expression fits', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'd', ' ', '1', '.', '\n', 'ä'), maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), text, (source, tried) => {
        expect([source, tried, patternOf(source).test(tried)]).toEqual([
          source,
          tried,
          new RegExp(source, 'im').test(tried),
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  it('is read from any text without an error of its own', () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        const parsed = parseLinearPattern(source);
        return 'wrong' in parsed ? parsed.wrong.startsWith('found ') : typeof parsed.test('x') === 'boolean';
      }),
    );
  });

  it('takes as many steps as the text has characters, also where a backtracking matcher hangs', () => {
    for (const source of ['(a+)+$', '(a*)*b', '(a|aa)+$', 'a*a*a*a*a*a*c'])
      expect(patternOf(source).test(`${'a'.repeat(5000)}!`)).toBe(false);
  });
});
