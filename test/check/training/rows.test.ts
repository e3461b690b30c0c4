/** What each check of a training says of its samples. */

import { describe, expect, it } from 'vitest';
import type { Known, Sample } from '../../../src/check/check.ts';
import { NOW } from '../../../src/check/samples.ts';
import { TRAINING_CHECKS } from '../../../src/check/training/rows.ts';

/** What its row doesn't ask for, or its sample doesn't hold, can't be read. */
function guarded(facts: Partial<Known>, needs: readonly string[]): Known {
  return new Proxy({ now: NOW, ...facts } as Known, {
    get(target, key) {
      if (key !== 'now' && (!needs.includes(String(key)) || !Object.hasOwn(target, key)))
        throw new Error(`${String(key)} is read, but not asked for`);
      return Reflect.get(target, key);
    },
  });
}

describe.each(TRAINING_CHECKS.map((check) => [check.id, check] as const))('%s', (_, check) => {
  const judge = ({ subject, facts }: Sample) =>
    check.concerns(subject) ? check.judge(guarded(facts, check.needs), subject) : [];

  it('judges its samples as they say, among them a good one and a bad one', () => {
    for (const sample of check.samples) {
      const findings = judge(sample);
      const verdicts = findings.map(({ verdict }) => verdict);
      expect(verdicts, JSON.stringify({ argv: sample.subject.recipe.argv, findings })).toEqual(sample.verdicts);
    }
    const verdicts = check.samples.flatMap((sample) => sample.verdicts);
    expect(verdicts).toContain('passed');
    expect(verdicts.some((verdict) => verdict !== 'passed')).toBe(true);
  });

  it('says what was found as a phrase, what to do as a sentence, and both in words that people read', () => {
    const told = check.samples.flatMap(judge).map(({ verdict, found, needed, advice }) => {
      expect(found).toMatch(/^(?! ).{3,500}[^.\s]$/s);
      if (needed !== null) expect(needed).toMatch(/^(?! ).{1,300}[^.\s]$/s);
      expect(advice === null).toBe(verdict === 'passed' || (verdict === 'unknown' && advice === null));
      if (advice !== null) expect(advice).toMatch(/^[A-Z`].{8,600}\.$/s);
      const need = needed === null ? '' : ` | needed ${needed}`;
      return `${verdict}: ${found}${need}${advice === null ? '' : ` | ${advice}`}`;
    });
    expect(told).toMatchSnapshot();
  });
});
