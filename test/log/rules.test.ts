import { describe, expect, it } from 'vitest';
import { openLogReader } from '../../src/log/reader.ts';
import { FAILURE_RULES } from '../../src/log/rules/failures.ts';
import { findRule, RULES } from '../../src/log/rules/table.ts';
import { findTraining, TRAINING_RULES } from '../../src/log/rules/training-table.ts';

describe('the rules', () => {
  it.each(RULES.map((rule) => [rule.sample, rule] as const))('know %j by its own row', (sample, rule) => {
    const found = findRule(sample);
    expect(found?.rule).toBe(rule);
    expect(found?.findings.length).toBeGreaterThan(0);
  });

  it.each(TRAINING_RULES.map((rule) => [rule.sample, rule] as const))(
    'know %j of a training by its own row',
    (sample, rule) => {
      const places = rule.only === undefined ? (['record', 'line'] as const) : [rule.only];
      for (const place of places) {
        const found = findTraining(sample, place);
        expect([place, found?.rule.sample]).toEqual([place, sample]);
        expect(found?.findings.length).toBeGreaterThan(0);
      }
      if (rule.isPrompt === true) expect(findTraining(sample, 'prompt')?.rule).toBe(rule);
    },
  );

  it.each([
    '+ echo "vLLM server ready."',
    'waiting until the target is ready',
    'Waiting for vLLM server to be ready on 127.0.0.1:8000 (limit 900s)',
    'if vLLM is not ready after 600s this script gives up',
    'once the server is up, training begins',
  ])('take %j for no readiness of the target', (line) => {
    const found = findTraining(line, 'line')?.findings ?? [];
    expect(found).not.toContainEqual({ kind: 'phase', phase: 'target_ready' });
    expect(found).not.toContainEqual({ kind: 'sign', sign: 'fails' });
  });

  it.each([
    'vLLM server ready.',
    'target is up: vLLM ready after 201s (pid 40112)',
    'target answers',
    'Server is ready',
  ])('take %j for the readiness of the target', (line) => {
    expect(findTraining(line, 'line')?.findings).toContainEqual({ kind: 'phase', phase: 'target_ready' });
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
      const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
      const { events } = reader.feed(new TextEncoder().encode(`${head}${sample}\n`));
      expect(events).toMatchObject([{ kind: 'trouble', trouble: { line: 1, type: null, message: sample.trim() } }]);
    },
  );

  it('count the finished files of a download, each once', () => {
    const bar = (n: number, percent: number) =>
      `\rmodel-0000${n}-of-00004.safetensors: ${percent}%|██| 1G/4G [00:01<00:01, 9MB/s]`;
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    const { events } = reader.feed(
      new TextEncoder().encode(`${bar(1, 40)}${bar(2, 100)}${bar(2, 100)}${bar(1, 100)}\n`),
    );
    const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress.done] : []));
    expect(progress).toEqual([0, 1, 1, 2]);
  });
});
