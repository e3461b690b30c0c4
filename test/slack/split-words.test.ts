import { expect, test } from 'vitest';
import { splitWords } from '../../src/slack/split-words.ts';

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
