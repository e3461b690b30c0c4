import { describe, expect, it } from 'vitest';
import { openLogReader } from '../../src/log/reader.ts';
import { FAILURE_RULES } from '../../src/log/rules/failures.ts';
import { findRule, RULES } from '../../src/log/rules/table.ts';

describe('the rules', () => {
  it.each(RULES.map((rule) => [rule.sample, rule] as const))('know %j by its own row', (sample, rule) => {
    const found = findRule(sample);
    expect(found?.rule).toBe(rule);
    expect(found?.findings.length).toBeGreaterThan(0);
  });

  it.each(FAILURE_RULES.map(({ sample, shapes }) => [sample, shapes?.[0]] as const))(
    'know %j for a failure',
    (sample, shape) => {
      const head =
        shape === 'plain'
          ? ''
          : shape === 'torch'
            ? '[rank1]:[E1108 17:36:12.700918244 ProcessGroupNCCL.cpp:2068] '
            : 'ERROR:    ';
      const reader = openLogReader({ secrets: [], resume: null });
      const { events } = reader.feed(new TextEncoder().encode(`${head}${sample}\n`));
      expect(events).toMatchObject([{ kind: 'trouble', trouble: { line: 1, type: null, message: sample.trim() } }]);
    },
  );

  it('count the finished files of a download, each once', () => {
    const bar = (n: number, percent: number) =>
      `\rmodel-0000${n}-of-00004.safetensors: ${percent}%|██| 1G/4G [00:01<00:01, 9MB/s]`;
    const reader = openLogReader({ secrets: [], resume: null });
    const { events } = reader.feed(
      new TextEncoder().encode(`${bar(1, 40)}${bar(2, 100)}${bar(2, 100)}${bar(1, 100)}\n`),
    );
    const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress.done] : []));
    expect(progress).toEqual([0, 1, 1, 2]);
  });
});
