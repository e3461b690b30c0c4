import { describe, expect, test, vi } from 'vitest';
import { hasteOf } from '../../../../rehearsal/host/stand-in/generation.mjs';
import { SPECULATIVE, serveHere, type Told } from './serve-here.ts';

const CHAT = { model: 'target', messages: [{ role: 'user', content: 'Hello.' }] };

/** The JSON of a stream's events, without its end. */
function events({ body }: Told) {
  const lines = body.split('\n\n').filter((line) => line !== '');
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')));
}

describe('a stream', () => {
  test('ends with its usage where that is asked for, then with [DONE]', async () => {
    const { ask } = await serveHere();
    const body = { model: 'target', prompt: 'x', max_tokens: 5, stream: true, stream_options: { include_usage: true } };
    const all = events(await ask('/v1/completions', { body }));
    expect(all).toHaveLength(6);
    expect(all.at(-2).choices[0]).toMatchObject({ finish_reason: 'length' });
    expect(all.at(-1)).toMatchObject({ object: 'text_completion', choices: [], usage: { completion_tokens: 5 } });
    const plain = events(await ask('/v1/completions', { body: { ...body, stream_options: undefined } }));
    expect(plain.filter(({ usage }) => usage !== undefined)).toEqual([]);
  });

  test('has several tokens an event when it speculates', async () => {
    const { ask, value } = await serveHere({ flags: SPECULATIVE });
    const body = { model: 'target', prompt: 'x', max_tokens: 128, stream: true };
    expect(events(await ask('/v1/completions', { body })).length).toBeLessThan(60);
    const drafts = await value('vllm:spec_decode_num_drafts_total');
    expect(1 + (await value('vllm:spec_decode_num_accepted_tokens_total')) / drafts).toBeCloseTo(2.7, 1);
  });

  test('comes at the scenario’s pace: its first token late, the others evenly', async () => {
    const { ask } = await serveHere({ serving: { tokensPerSecond: 40, firstTokenMs: 2_000 } });
    const { pieces } = await ask('/v1/completions', {
      body: { model: 'target', prompt: 'x', max_tokens: 41, stream: true },
    });
    const [first, last] = [pieces[0]?.at ?? 0, pieces.at(-1)?.at ?? 0];
    // From the request on, so that what comes late on a busy machine is no failure; a few ms less, since two clocks are read.
    expect(first).toBeGreaterThan(2_000 / hasteOf(100) - 5);
    expect(last).toBeGreaterThan(3_000 / hasteOf(100) - 25);
  });

  test('of a reasoning model thinks first: no content until it has thought enough', async () => {
    const { ask } = await serveHere({ flags: ['--reasoning-parser', 'qwen3'] });
    const said = (delta: Record<string, string>[], key: string) => delta.map((each) => each[key] ?? '').join('');
    const deltas = async (more: object) =>
      events(await ask('/v1/chat/completions', { body: { ...CHAT, stream: true, ...more } })).map(
        ({ choices }) => choices[0].delta,
      );
    const short = await deltas({ max_tokens: 64 });
    expect(short[0]).toEqual({ role: 'assistant', content: '' });
    expect([said(short, 'content'), said(short, 'reasoning').length]).toEqual(['', 256]);
    expect(said(await deltas({ max_tokens: 240 }), 'content')).toHaveLength(80);
    const silent = await deltas({ max_tokens: 64, chat_template_kwargs: { enable_thinking: false } });
    expect([said(silent, 'content').length, said(silent, 'reasoning')]).toEqual([256, '']);
  });

  test('whose engine dies in the midst of it ends with the error', async () => {
    const { ask, generation, metrics } = await serveHere();
    const answer = ask('/v1/completions', { body: { model: 'target', prompt: 'x', max_tokens: 20_000, stream: true } });
    await vi.waitFor(() => expect(metrics.read().generated).toBeGreaterThan(5));
    generation.die();
    const all = events(await answer);
    expect(all.at(-1)).toMatchObject({
      error: { code: 500, message: expect.stringMatching(/^EngineCore encountered/) },
    });
    expect(await ask('/v1/completions', { body: { model: 'target', prompt: 'x' } })).toMatchObject({ status: 500 });
    expect(await ask('/health')).toMatchObject({ status: 503, body: '' });
  });
});

test('a reasoning model’s short answer has no content at all', async () => {
  const { ask } = await serveHere({ flags: ['--reasoning-parser', 'qwen3'] });
  const { body } = await ask('/v1/chat/completions', { body: { ...CHAT, max_tokens: 32 } });
  const [{ message, finish_reason }] = JSON.parse(body).choices;
  expect([message.content, message.reasoning.length, finish_reason]).toEqual([null, 128, 'length']);
});

test('a hung engine gives no token more; its counters and gauges stand, also when clients go, and /health is 200', async () => {
  const { ask, value, generation, metrics } = await serveHere({ flags: SPECULATIVE });
  const gone = new AbortController();
  const begin = () => generation.generate({ promptTokens: 8, tokens: 20_000, signal: gone.signal });
  const talk = begin();
  for (let step = 0; step < 5; step += 1) await talk.next();
  generation.hang();
  const before = metrics.read();
  expect(before).toMatchObject({ running: 1, waiting: 0, abort: 0 });
  const next = [talk.next(), begin().next()];
  gone.abort();
  for (const each of next) await expect(each).rejects.toThrow('aborted');
  expect({ ...metrics.read(), lastFinished: null }).toEqual(before);
  expect(await value('vllm:num_requests_running')).toBe(1);
  expect(await ask('/health')).toMatchObject({ status: 200 });
});

test.each([
  ['no messages', '/v1/chat/completions', { model: 'target' }, 400, /^1 validation error:\n {2}.*Field required/],
  ['an unknown model', '/v1/completions', { model: 'other', prompt: 'x' }, 404, /^The model `other` does not exist\.$/],
  [
    'a prompt that is too long',
    '/v1/completions',
    { model: 'target', prompt: 'x'.repeat(200_000) },
    400,
    /^This model's maximum context length is 32768 tokens\. However, you requested 16 output tokens/,
  ],
  ['a body that is no object', '/v1/completions', [1], 400, /JSON decode error/],
] as const)('%s is refused in vLLM’s own shape', async (_, path, body, status, message) => {
  const answer = await (await serveHere()).ask(path, { body });
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toEqual({
    error: {
      code: status,
      message: expect.stringMatching(message),
      type: expect.stringMatching(/Error$|^Bad Request$/),
      param: expect.anything(),
    },
  });
});

test('without a chat template chat is refused, and plain completions are not', async () => {
  const { ask } = await serveHere({ serving: { hasTemplate: false } });
  const refusal = await ask('/v1/chat/completions', { body: CHAT });
  expect([refusal.status, JSON.parse(refusal.body).error.message]).toEqual([
    400,
    expect.stringMatching(/^As of transformers v4\.44, default chat template is no longer allowed/),
  ]);
  expect(await ask('/v1/completions', { body: { model: 'target', prompt: 'x' } })).toMatchObject({ status: 200 });
});
