import { describe, expect, it } from 'vitest';
import { clip, clipMarkup, code, escapeText, markup } from '../../src/report/escape.ts';

describe('text of others', () => {
  it.each([
    ['a *b* c', 'a ∗b∗ c'],
    ['_a_ and __init__.py and max_num_seqs', '_aˍ and __initˍˍ.py and max_num_seqs'],
    ['~a~ but ~/logs and ~/more', '~a∼ but ~/logs and ~/more'],
    ['`rm`', 'ˋrmˋ'],
    [':smile: at 12:30:45', ':\u2060smile: at 12:30:45'],
    ['> said', '\u2060&gt; said'],
    ['a\n  > b', 'a\n  \u2060&gt; b'],
    ['<!channel> @here & co', '&lt;!channel&gt; @\u2060here &amp; co'],
    ['a\u202eb\u0000c\u200bd\u2066e\ud800f', 'abcdef'],
    [`Z${'\u0336'.repeat(40)}!`, `Z${'\u0336'.repeat(4)}!`],
    ['👩‍👩‍👧 é नि', '👩‍👩‍👧 é नि'],
  ])('%j is said as %j', (text, said) => {
    expect(escapeText(text)).toBe(said);
  });

  it('keeps its backticks in a code span by look alike', () => {
    expect(code('a `b` <c>')).toBe('`a ˋbˋ &lt;c&gt;`');
    expect(markup('run `x` and ` or *y*')).toBe('run `x` and ˋ or ∗y∗');
  });
});

describe('a cut', () => {
  it.each([
    ['abcdef', 4, 'abc…'],
    ['abc', 3, 'abc'],
    ['ab😀cd', 4, 'ab…'],
    ['ab😀cd', 5, 'ab😀…'],
    ['a👩‍👩‍👧b', 8, 'a…'],
    ['ae\u0301e\u0301', 4, 'ae\u0301…'],
    ['a🇩🇪🇫🇷', 8, 'a🇩🇪…'],
    ['a\r\nb', 3, 'a…'],
  ])('of %j at %i stands between characters that people see: %j', (text, max, cut) => {
    expect(clip(text, max)).toBe(cut);
  });

  it('leaves no half of a pair of a heap without end', () => {
    const heap = `x${'\u200d😀'.repeat(5000)}`;
    for (let max = 900; max < 910; max += 1) expect(clip(heap, max)).not.toMatch(/\p{Cs}/u);
  });

  it.each([
    ['a &lt;b', 5, 'a …'],
    ['see <@U123> now', 9, 'see …'],
    ['see `code here` now', 12, 'see `code `…'],
    ['at `&lt;&gt;`', 10, 'at `&lt;`…'],
    ['*bold text* and', 8, '*bold …*'],
    ['*a*\n*bold text* and', 8, '*a*\n*b…*'],
    ['*a* and more', 6, '*a* …'],
    ['<!date^1^{time}|noon> then', 12, '…'],
    ['a ` b c d', 6, 'a ` b…'],
  ])('of the mrkdwn %j at %i leaves nothing half: %j', (mrkdwn, max, cut) => {
    expect(clipMarkup(mrkdwn, max)).toBe(cut);
    expect(clipMarkup(mrkdwn, max).length).toBeLessThanOrEqual(max);
  });

  it('leaves alone what fits', () => {
    expect(clipMarkup('*a* &lt; `b`', 12)).toBe('*a* &lt; `b`');
  });
});
