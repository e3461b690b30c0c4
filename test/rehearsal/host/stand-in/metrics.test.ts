import { expect, test } from 'vitest';
import { gauge } from '../../../../rehearsal/host/stand-in/exposition.mjs';
import { SPECULATIVE, serveHere } from './serve-here.ts';

const BODY = { model: 'target', prompt: 'x', max_tokens: 64 };

test('answers are counted by route, method and kind of status; those of monitors are not', async () => {
  const { ask, value } = await serveHere();
  await ask('/v1/completions', { body: BODY });
  await ask('/v1/completions', { body: { model: 'target' } });
  await ask('/health');
  await ask('/wp-login.php');
  const count = (handler: string, status: string) => value('http_requests_total', { handler, status });
  expect(await count('/v1/completions', '2xx')).toBe(1);
  expect(await count('/v1/completions', '4xx')).toBe(1);
  expect(await count('none', '4xx')).toBe(1);
  await expect(count('/health', '2xx')).rejects.toThrow();
  await expect(count('/metrics', '2xx')).rejects.toThrow();
});

test('each step of an engine is counted, by a histogram whose name ends in _total', async () => {
  const { ask, value } = await serveHere({ flags: SPECULATIVE });
  await ask('/v1/completions', { body: BODY });
  const steps = await value('vllm:iteration_tokens_total_count');
  expect(steps).toBe(1 + (await value('vllm:spec_decode_num_drafts_total')));
  expect(await value('vllm:iteration_tokens_total_bucket', { le: '+Inf' })).toBe(steps);
  expect(await value('vllm:time_to_first_token_seconds_count')).toBe(1);
  const perPosition = await Promise.all(
    Array.from({ length: 15 }, (_, position) =>
      value('vllm:spec_decode_num_accepted_tokens_per_pos_total', { position: String(position) }),
    ),
  );
  expect(perPosition).toEqual([...perPosition].sort((one, other) => other - one));
  expect(perPosition.reduce((sum, each) => sum + each)).toBe(await value('vllm:spec_decode_num_accepted_tokens_total'));
});

test('each engine has series of its own, and its counters have a birth', async () => {
  const { ask, value } = await serveHere({ flags: ['--data-parallel-size', '2'] });
  await Promise.all([1, 2, 3].map(() => ask('/v1/completions', { body: BODY })));
  expect(await value('vllm:generation_tokens_total', { engine: '0' })).toBeGreaterThan(0);
  expect(await value('vllm:generation_tokens_total', { engine: '1' })).toBeGreaterThan(0);
  expect(await value('vllm:generation_tokens_total')).toBeGreaterThanOrEqual(3 * 64);
  expect(await value('vllm:request_success_total', { finished_reason: 'length' })).toBe(3);
  expect(await value('vllm:generation_tokens_created', { engine: '1' })).toBeGreaterThan(1.7e9);
});

test('without statistics nothing of the engine is told', async () => {
  const { ask } = await serveHere({ flags: ['--disable-log-stats'] });
  await ask('/v1/completions', { body: BODY });
  const { body } = await ask('/metrics');
  expect(body).not.toContain('vllm:');
  expect(body).toContain('http_requests_total{handler="/v1/completions",method="POST",status="2xx"} 1.0');
});

test.each([
  [0, '0.0'],
  [0.25, '0.25'],
  [123_456, '123456.0'],
  [1_234_567, '1.234567e+06'],
  [3_000_000, '3e+06'],
])('%d is written as %s', (value, written) => {
  expect(gauge('some', 'Some.', [[{}, value]]).at(-1)).toBe(`some ${written}`);
});
