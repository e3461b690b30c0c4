import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RuleIndex } from '../../src/log/gate/rule-index.ts';
import { FAILURE_RULES } from '../../src/log/rules/failures.ts';
import { TRAINING_RULES } from '../../src/log/rules/training-table.ts';
import { labelledLogs } from '../support/log-reading.ts';

/** Texts that rules fit, nearly fit, or that look alike to who compares letters only. */
const samples = [...FAILURE_RULES, ...TRAINING_RULES].map(({ sample }) => sample);
const lines = labelledLogs().flatMap(({ bytes }) => new TextDecoder().decode(bytes).split('\n'));
const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...samples) }, fc.constantFrom(...lines));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const between = fc.constantFrom('', ' ', ': ', '[', '(', '\t', '█', 'İ', '\u212a', '\u017f', '等待', '7');
const changed = fc.oneof(
  text,
  text.map((each) => each.toUpperCase()),
  text.map((each) => each.toLowerCase()),
  text.map((each) => each.replace(/\d+/g, '1')),
  fc.tuple(text, share, between).map(([each, at, added]) => {
    const cut = Math.floor(at * each.length);
    return each.slice(0, cut) + added + each.slice(cut);
  }),
  fc.tuple(text, share, between, text, share).map(([one, from, added, other, to]) => {
    return one.slice(Math.floor(from * one.length)) + added + other.slice(0, Math.floor(to * other.length));
  }),
);

describe.each([
  ['failures', FAILURE_RULES],
  ['training', TRAINING_RULES],
])('the index of the %s rules', (_, table) => {
  const rules: readonly { readonly pattern: RegExp }[] = table;
  const index = new RuleIndex(rules);
  const dropped = (line: string) => {
    const found = new Set(index.candidates(line));
    return rules.filter((rule) => !found.has(rule) && rule.pattern.test(line)).map(({ pattern }) => pattern);
  };

  it('holds every rule that fits a sample or a labelled line', () => {
    for (const line of new Set([...samples, ...lines])) expect([line, dropped(line)]).toEqual([line, []]);
  });

  it('holds every rule that fits what is changed in them', () => {
    fc.assert(
      fc.property(changed, (line) => {
        expect(dropped(line)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps their order, and passes over most of them', () => {
    let tried = 0;
    for (const line of samples) {
      const places = index.candidates(line).map((rule) => rules.indexOf(rule));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      tried += places.length;
    }
    expect(tried).toBeLessThan((samples.length * rules.length) / 4);
  });
});
