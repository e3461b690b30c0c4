import { expect, test } from 'vitest';
import { splitHead, splitWords } from '../../src/slack/split-words.ts';

test.each([
  ['launch kpro5 dflash', ['launch', 'kpro5', 'dflash']],
  ['  launch\u00a0kpro5\n dflash ', ['launch', 'kpro5', 'dflash']],
  ['launch “kpro 5” ‘d’', ['launch', 'kpro 5', 'd']],
  ['launch —dry-run –x a—b', ['launch', '--dry-run', '--x', 'a—b']],
  ['launch `kpro5` dflash', ['launch', 'kpro5', 'dflash']],
  ['launch <http://kpro5.example.com|kpro5.example.com> x', ['launch', 'kpro5.example.com', 'x']],
  ['stop <@U0ALICE|alice> <#C0OPS|ops> <#C0OPS|>', ['stop', 'U0ALICE', 'C0OPS', 'C0OPS']],
  ['a &lt;b&gt; &amp;amp; c', ['a', '<b>', '&amp;', 'c']],
  ['a\u200bb \u202ec\u0007', ['ab', 'c']],
  ['cafe\u0301', ['café']],
  ['a\\ b \'c d\'e "" f\\\\', ['a b', 'c de', '', 'f\\']],
  ['$(reboot) ; rm *', ['$(reboot)', ';', 'rm', '*']],
  ['', []],
])('%j is read as %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test('a quote that is never closed is told', () => {
  expect(() => splitWords('launch "kpro5')).toThrow('A quote (") is opened and never closed.');
});

test.each([
  ['note kpro5-3 a  "b', 2, ['note', 'kpro5-3', 'a  "b']],
  [' note\u00a0“kpro5-3”\n use —flag\nor – not —', 2, ['note', 'kpro5-3', 'use --flag\nor – not —']],
  [
    'note <http://kpro5-3|kpro5-3> <http://x|y> <http://z> <@U0BOB|bob> <@U0BOB> <#C0OPS|ops> a &lt; b',
    2,
    ['note', 'kpro5-3', 'y http://z @bob U0BOB #ops a < b'],
  ],
  ['note kpro5-3 a\u202eb\u0007', 2, ['note', 'kpro5-3', 'ab']],
  ['note', 2, ['note']],
  ['', 1, []],
])('of %j the first %i are words, and the rest stays as it was typed', (text, count, words) => {
  expect(splitHead(text, count)).toEqual(words);
});
