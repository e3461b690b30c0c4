import { describe, expect, it } from 'vitest';
import type { Known, Sample } from '../../src/check/check.ts';
import { NOW } from '../../src/check/samples.ts';
import { CHECKS, SERVER_CHECKS } from '../../src/check/table.ts';

/** Facts that a sample doesn't hold, or that its row doesn't ask for, can't be read. */
function guarded(facts: Partial<Known>, needs: readonly string[]): Known {
  const allowed = ['now', ...needs];
  return new Proxy({ now: NOW, ...facts } as Known, {
    get(target, key) {
      if (!allowed.includes(String(key)) || !Object.hasOwn(target, key))
        throw new Error(`${String(key)} is read, but not among needs or the sample's facts`);
      return Reflect.get(target, key);
    },
  });
}

describe.each(SERVER_CHECKS.map((check) => [check.id, check] as const))('%s', (_, check) => {
  const judge = ({ subject, facts }: Sample) =>
    check.concerns(subject) ? check.judge(guarded(facts, [...check.needs, ...(check.uses ?? [])]), subject) : [];

  it('judges its samples as they say', () => {
    for (const sample of check.samples) {
      const findings = judge(sample);
      expect(
        findings.map(({ verdict }) => verdict),
        JSON.stringify({ argv: sample.subject.recipe.argv, findings }, null, 1),
      ).toEqual(sample.verdicts);
    }
  });

  it('has a good sample and a bad one', () => {
    const verdicts = check.samples.flatMap(({ verdicts }): readonly string[] =>
      verdicts.length === 0 ? ['passed'] : verdicts,
    );
    expect(verdicts).toContain('passed');
    expect(verdicts.some((verdict) => verdict !== 'passed')).toBe(true);
  });

  it('says what was found as a phrase, and what to do as a sentence', () => {
    for (const { found, needed, advice, verdict } of check.samples.flatMap(judge)) {
      expect(found).toMatch(/^(?! ).{3,500}[^.\s]$/s);
      if (needed !== null) expect(needed).toMatch(/^(?! ).{1,300}[^.\s]$/s);
      if (verdict === 'passed') expect(advice).toBeNull();
      if (verdict === 'refused') expect(advice).not.toBeNull();
      if (advice !== null) expect(advice).toMatch(/^[A-Z`].{8,600}\.$/s);
      expect((found + (needed ?? '') + (advice ?? '')).split('`').length % 2).toBe(1);
    }
  });

  it('is told in words that people read', () => {
    expect(
      check.samples.flatMap(judge).map(({ verdict, found, needed, advice }) => {
        const need = needed === null ? '' : ` | needed ${needed}`;
        return `${verdict}: ${found}${need}${advice === null ? '' : ` | ${advice}`}`;
      }),
    ).toMatchSnapshot();
  });
});

it('every check has an id of its own', () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
