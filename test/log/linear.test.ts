import { readdirSync } from 'node:fs';
import { checkSync } from 'recheck';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literalsIn, type Pattern, watchComposed } from '../support/pattern/collect.ts';
import { findSlowness } from '../support/pattern/slow.ts';

const src = new URL('../../src/', import.meta.url);
/** Whatever these folders compose is composed when they are loaded. */
const LOADED = ['log', 'run', 'diagnosis', 'report', 'shell', 'config', 'explain', 'check', 'pulse', 'watch'];

/** Short ones without looks around, back references and long repeats are what recheck's exact method decides in milliseconds. */
const DECIDABLE = /^(?!.*(?:\(\?<?[=!]|\\[1-9bBk]|[{,]\d{2,}\})).{1,45}$/s;
/** What repeats nothing without end takes no more than linear time. */
const ENDLESS = /[*+]|,\}/;

/** Expressions that only look slow, by what they begin with, and why. */
const FALSE_ALARMS: Readonly<Record<string, string>> = {
  '"(?<quoted>':
    'a quote without an end is tried once: every other one is escaped, and another alternative takes it with its backslash',
};

let patterns: Pattern[] = [];
const composed = watchComposed();

beforeAll(async () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && LOADED.some((folder) => name.startsWith(`${folder}/`)),
  );
  for (const file of files) await import(new URL(file, src).href);
  composed.stop();
  patterns = [...literalsIn(src), ...composed.found()];
});
afterAll(composed.stop);

function slowOnes(isSlow: (pattern: Pattern) => string | null): string[] {
  return patterns.flatMap((pattern) => {
    const why = isSlow(pattern);
    return why === null ? [] : [`${pattern.file ?? 'composed'}: ${why}: /${pattern.source}/${pattern.flags}`];
  });
}

describe('every regular expression', () => {
  it('needs linear time on any text, however long', () => {
    expect(patterns.length).toBeGreaterThan(300);
    expect(
      slowOnes(({ source, flags }) => {
        const slowness = findSlowness(source, flags);
        if (Object.keys(FALSE_ALARMS).some((start) => source.startsWith(start))) return null;
        return slowness && `${slowness.cost}, by ${JSON.stringify(slowness.pump)}`;
      }),
    ).toEqual([]);
  });

  it('that only looks slow is one that there is', () => {
    for (const start of Object.keys(FALSE_ALARMS))
      expect(
        patterns.filter(({ source, flags }) => source.startsWith(start) && findSlowness(source, flags)),
      ).toHaveLength(1);
  });

  it('is found linear by recheck as well, where that can tell', () => {
    const isDecidable = (source: string) => DECIDABLE.test(source) && ENDLESS.test(source);
    expect(patterns.filter(({ source }) => isDecidable(source)).length).toBeGreaterThan(100);
    expect(
      slowOnes(({ source, flags }) => {
        if (!isDecidable(source)) return null;
        const found = checkSync(source, flags.replace(/[dv]/g, ''), { checker: 'automaton', timeout: 100 });
        return found.status === 'vulnerable' ? found.complexity.summary : null;
      }),
    ).toEqual([]);
  });
});

describe('the search for slow expressions', () => {
  it.each([
    ['^(a|a)*b', '', 'exponential'],
    ['^(a*)*b', '', 'exponential'],
    ['^(\\w+\\s?)*$', '', 'exponential'],
    ['[\\d.]+ foo', '', 'n * n'],
    ['\\s+$', '', 'n * n'],
    ['^.*x.*y', '', 'n * n'],
    ['x.*y', '', 'n * n'],
    ['x.*y.*z', '', 'n * n * n'],
    ['^INFO: +(.*)$', '', 'n * n'],
    ['^(?!.*a.*b)', '', 'n * n'],
    ['^(?:(?=\\w*x).)*$', '', 'n * n'],
    ['(?<!\\d)[\\d.]+x', '', 'n * n'],
    ['x(?:.*y)?', 'g', 'n * n'],
    ['x.{0,200}y.{0,200}z', '', 'n * 200 * 200'],
    ['(?<=x.*)y', '', 'a loop in a lookbehind'],
  ])('finds /%s/%s', (source, flags, cost) => {
    expect(findSlowness(source, flags)?.cost).toBe(cost);
  });

  it.each([
    ['\\d+', 'g'],
    ['foo(\\d+)', ''],
    ['^.*x', ''],
    ['\\b\\w+x', ''],
    ['(?<!\\d)\\d+x', ''],
    ['^(?:[^"\\\\]|\\\\.)*"', ''],
    ['^[a-z]+(?: [a-z]+)*$', ''],
    ['^x(?:.*?y)?(?:.*?z)?', ''],
    ['x.{0,200}y', ''],
  ])('passes /%s/%s', (source, flags) => {
    expect(findSlowness(source, flags)).toBeNull();
  });
});
