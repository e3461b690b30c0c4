/** A team's own rows in vigil.yaml: what they become, and what is said of mistakes in them. */

import { expect, test } from 'vitest';
import { load, mistakes, vigilYaml } from './yaml.ts';

const yaml = (rows: string): string => `${vigilYaml()}diagnoses:\n${rows}\n`;
const row = (pattern: string): string => yaml(`  - {pattern: ${JSON.stringify(pattern)}, title: T, advice: A}`);

test('rows are kept in the order of the file, and there are none without the key', () => {
  expect(load(vigilYaml()).diagnoses).toEqual([]);
  const first = '  - pattern: no space\n    title: T\n    advice: |\n      Do this.\n      Then that.\n';
  const second = '  - {pattern: b, title: B, advice: A, category: disk_full, kind: train}';
  const [one, two] = load(yaml(first + second)).diagnoses;
  expect(one).toMatchObject({ title: 'T', advice: 'Do this.\nThen that.', category: null, kind: null });
  expect(one?.pattern.test('OSError: NO SPACE left')).toBe(true);
  expect(two).toMatchObject({ title: 'B', category: 'disk_full', kind: 'train' });
});

test.each([
  ['a(b', 'Unterminated group'],
  ['a**', 'Nothing to repeat'],
  ['(a)\\1', 'found "\\\\1", which looks back at what fitted before, expected a pattern without \\1; write it out'],
  ['a(?=b)', 'found "(?=b)", a look ahead or behind, expected a pattern without; write it without'],
  ['(?<!x)a', 'a look ahead or behind'],
  ['(?:abcde){200}', 'expected fewer; write + or * instead of large {counts}'],
  ['.*', 'found ".*", which fits every text, expected one that fits some failures only'],
  ['', 'found "", expected a regular expression of 1 to 300 characters; write a part of the error'],
  ['x'.repeat(301), 'expected a regular expression of 1 to 300 characters'],
])('the pattern %j is refused at its place', (pattern, words) => {
  const [found, ...more] = mistakes(row(pattern));
  expect(found).toMatch(/^vigil\.yaml:12:\d+ diagnoses\[0\]\.pattern: found /);
  expect(found).toContain(words);
  expect(more).toEqual([]);
});

test.each([
  ['(a+)+$', false],
  ['(a|a)*b', false],
  ['^(\\w+\\s?)+$', false],
  ['(.*a){12}!', true],
])('the pattern %j, which hangs a backtracking matcher, is taken and answers', (pattern, fits) => {
  const [only] = load(row(pattern)).diagnoses;
  expect(only?.pattern.test(`${'a'.repeat(2000)}!`)).toBe(fits);
});

test('mistakes of shape name the key and what is allowed', () => {
  expect(mistakes(`${vigilYaml()}diagnoses: yes\n`)).toEqual([
    'vigil.yaml:11:12 diagnoses: found "yes", expected a list of rows; write - pattern: …, title: … and advice: …, or leave the key out',
  ]);
  const wrong = yaml('  - {patern: a, title: T, advice: A}\n  - {pattern: a, title: "", advice: A, category: disk}');
  expect(mistakes(wrong)).toEqual([
    expect.stringContaining('diagnoses[0].pattern: found nothing, expected a regular expression'),
    expect.stringContaining('diagnoses[0].patern: found an unknown key'),
    expect.stringContaining('diagnoses[1].title: found "", expected one line of 1 to 120 characters'),
    expect.stringContaining('diagnoses[1].category: found "disk", expected one of cuda_oom, kv_cache_too_small'),
  ]);
  const many = Array.from({ length: 51 }, () => '  - {pattern: a, title: T, advice: A}').join('\n');
  expect(mistakes(yaml(many))[0]).toContain('diagnoses: found 51 rows, expected at most 50');
});
