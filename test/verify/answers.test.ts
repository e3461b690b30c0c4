import { describe, expect, it } from 'vitest';
import { createMask } from '../../src/log/mask.ts';
import { readModels, readPrompt, readTry, readVersion, refusalIn, shownModels } from '../../src/verify/answers.ts';

const mask = createMask(['s3cret-of-the-run']);
const ok = (body: unknown) => ({ status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) });
const outcome = (task: Parameters<typeof readTry>[0], answer: Parameters<typeof readTry>[1]) =>
  readTry(task, answer, mask).outcome;

describe('/v1/models and /version', () => {
  it('tell the names', () => {
    const body = { object: 'list', data: [{ id: 'a', max_model_len: 4096 }, { id: 'b' }, { root: '/m' }] };
    expect(readModels(ok(body), false, mask)).toEqual({ kind: 'named', names: ['a', 'b'] });
  });

  it('tell a name as it is to be asked for, and without secrets what people see of it', () => {
    const names = ['/data/hf_Checkpoints1/m', 'hf_OtherOtherOther', 's3cret-of-the-run', 'é"`<!here>'];
    const models = readModels(ok({ data: names.map((id) => ({ id })) }), false, mask);
    expect(models).toEqual({ kind: 'named', names });
    expect(shownModels(models, ['/data/hf_Checkpoints1/m'], mask)).toEqual({
      ...{ kind: 'named', names: ['/data/hf_Checkpoints1/m', '[masked]', '[masked]', 'é"`<!here>'] },
    });
  });

  it('are wrong where no answer came, and why', () => {
    expect(readModels({ why: 'socket hang up' }, false, mask)).toEqual({
      ...{ kind: 'wrong', status: null, said: 'socket hang up' },
    });
  });

  it.each([401, 403])('tell with status %i that a key is wanted', (status) => {
    expect(readModels({ status, body: '{"error":"Unauthorized"}' }, true, mask)).toEqual({
      ...{ kind: 'wants_key', status, knowsKey: true },
    });
  });

  it.each([
    [404, '{"detail":"Not Found"}', 'Not Found'],
    [200, '<html>\n  gateway', '<html> gateway'],
    [200, '{"data": []}', '{"data": []}'],
    [500, '{"error": {"message": "key s3cret-of-the-run", "code": 500}}', 'key [masked]'],
  ])('are wrong with %i %s', (status, body, said) => {
    expect(readModels({ status, body }, false, mask)).toEqual({ kind: 'wrong', status, said });
  });

  it('hold the model behind hundreds of adapters, and no name that is none', () => {
    const data = Array.from({ length: 5000 }, (_, index) => ({ id: `adapter-${index}` }));
    const models = readModels(ok({ data: [{ id: 'x'.repeat(5000) }, ...data] }), false, mask);
    expect(models.kind === 'named' && [models.names[0], models.names.length]).toEqual(['adapter-0', 999]);
  });

  it('tell a version only where it looks like one', () => {
    expect(readVersion(ok({ version: '0.20.1+cu129' }))).toBe('0.20.1+cu129');
    expect(readVersion(ok({ version: '<!here>' }))).toBeNull();
    expect(readVersion({ status: 404, body: '{"version": "1"}' })).toBeNull();
  });
});

describe('a try', () => {
  it('is answered by text or tokens, wherever the server puts them', () => {
    const usage = { completion_tokens: 16 };
    expect(outcome('plain', ok({ choices: [{ text: ' Paris' }], usage }))).toEqual({
      ...{ kind: 'answered', amount: 16, text: ' Paris' },
    });
    for (const key of ['content', 'reasoning', 'reasoning_content'])
      expect(outcome('chat', ok({ choices: [{ message: { content: null, [key]: 'So' } }], usage }))).toMatchObject({
        ...{ kind: 'answered', text: 'So' },
      });
    expect(outcome('chat', ok({ choices: [{ message: { content: '' } }], usage }))).toEqual({
      ...{ kind: 'answered', amount: 16, text: null },
    });
  });

  it('is answered by numbers of a vector, and by scores', () => {
    expect(outcome('embedding', ok({ data: [{ embedding: [0.1, -0.2, 0.3] }] }))).toMatchObject({ amount: 3 });
    expect(outcome('embedding', ok({ data: [{ embedding: [0.1, null] }] }))).toMatchObject({ kind: 'failed' });
    expect(outcome('score', ok({ data: [{ index: 0, score: 0.97 }] }))).toMatchObject({ kind: 'answered', amount: 1 });
    const labels = { data: [{ index: 0, label: 'LABEL_1', probs: [0.3, 0.7], num_classes: 2 }] };
    expect(outcome('classify', ok(labels))).toMatchObject({ kind: 'answered', amount: 2 });
    for (const data of [
      [0.1, 0.2],
      [[0.1], [0.2]],
    ])
      expect(outcome('pooling', ok({ data: [{ object: 'pooling', data }] }))).toMatchObject({ amount: 2 });
    expect(outcome('pooling', ok(`{"data":[{"data":${'['.repeat(100_000)}`))).toMatchObject({ kind: 'failed' });
    const deep = `{"data":[{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`;
    expect(outcome('pooling', ok(deep))).toMatchObject({ kind: 'failed' });
  });

  it.each([
    [400, { error: { message: 'no chat template', code: 400 } }, 'refused', 'no chat template'],
    [404, { detail: 'Not Found' }, 'refused', 'Not Found'],
    [501, { error: { message: 'not here' } }, 'refused', 'not here'],
    [200, { object: 'error', message: 'The model does not support Embeddings API', code: 400 }, 'refused', 'The model'],
    [200, { error: { message: 'EngineDeadError', code: 500 } }, 'failed', 'EngineDeadError'],
    [500, { error: { message: 'boom' } }, 'failed', 'boom'],
    [503, '', 'failed', ''],
    [200, 'OK', 'failed', 'an answer that is none: OK'],
    [200, { choices: [{ text: '' }] }, 'failed', 'an answer that is none'],
    [200, { choices: [] }, 'failed', 'an answer that is none'],
  ])('with %i %j is %s', (status, body, kind, said) => {
    const answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
    expect(outcome('plain', answer)).toMatchObject({ kind, said: expect.stringContaining(said) });
  });

  it('has failed where no answer came, and says why', () => {
    expect(outcome('plain', { why: 'no answer within 1000 ms' })).toEqual({
      ...{ kind: 'failed', status: null, said: 'no answer within 1000 ms' },
    });
  });

  it('shows no part of a secret that stands where a text is cut', () => {
    for (const before of [390, 395, 399]) {
      const text = JSON.stringify(
        outcome('plain', ok({ choices: [{ text: `${'x'.repeat(before)}s3cret-of-the-run` }] })),
      );
      expect(text).not.toContain('s3c');
    }
  });

  it('shows no secret, and no more than a few words of what was said', () => {
    const long = `${'é'.repeat(2000)} s3cret-of-the-run`;
    for (const answer of [
      { status: 500, body: `s3cret-of-the-run\n${long}` },
      ok({ choices: [{ text: `s3cret-of-the-run ${long}` }] }),
    ]) {
      const text = JSON.stringify(outcome('plain', answer));
      expect(text).not.toContain('s3cret');
      expect(text.length).toBeLessThan(600);
    }
  });
});

describe('a fixed prompt', () => {
  const chunk = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
  const USAGE = `data: ${JSON.stringify({ choices: [], usage: { completion_tokens: 128 } })}\n\n`;
  const timed = (body: string, status = 200) =>
    ({ status, body, by: 'forwarding', firstMs: 80, totalMs: 1780 }) as const;

  it('has as many tokens as the server says, else as many pieces with text', () => {
    const pieces = `: ping\n\n${chunk('')}${chunk('a')}${chunk('b')}`;
    expect(readPrompt(timed(`${pieces}${USAGE}data: [DONE]\n\n`))).toEqual({ tokens: 128, firstMs: 80, totalMs: 1780 });
    expect(readPrompt(timed(`${pieces}data: [DONE]\n\n`))?.tokens).toBe(2);
    expect(readPrompt(timed(`${pieces}${USAGE}`.replaceAll('\n', '\r\n')))?.tokens).toBe(128);
  });

  it('has the tokens that were asked for where it ended by them, however few pieces they came in', () => {
    const end = `data: ${JSON.stringify({ choices: [{ delta: { content: 'z' }, finish_reason: 'length' }] })}\n\n`;
    expect(readPrompt(timed(`${chunk('several tokens')}${end}data: [DONE]\n\n`))?.tokens).toBe(128);
  });

  it('that was refused says so, and no other answer does', () => {
    const body = JSON.stringify({ error: { message: 'no ignore_eos, s3cret-of-the-run', code: 400 } });
    expect(refusalIn({ status: 400, body }, mask)).toEqual({ status: 400, said: 'no ignore_eos, [masked]' });
    expect(refusalIn({ status: 500, body: 'boom' }, mask)).toBeNull();
    expect(refusalIn({ status: 200, body: chunk('a') }, mask)).toBeNull();
  });

  it('counts pieces of thinking, and of plain completions', () => {
    const thinking = `data: {"choices":[{"delta":{"reasoning":"So"}}]}\n\ndata: {"choices":[{"text":"x"}]}\n\n`;
    expect(readPrompt(timed(thinking))?.tokens).toBe(2);
  });

  it('is nothing with an error in its stream, another status, or no token', () => {
    expect(readPrompt(timed(`${chunk('a')}data: {"error":{"message":"EngineCore died","code":500}}\n\n`))).toBeNull();
    expect(readPrompt(timed(chunk('a'), 500))).toBeNull();
    expect(readPrompt(timed('data: [DONE]\n\n'))).toBeNull();
    expect(readPrompt(timed(''))).toBeNull();
  });

  it('says nothing of its first token where it came in one piece', () => {
    const whole = JSON.stringify({ choices: [{ message: { content: 'a' } }], usage: { completion_tokens: 9 } });
    expect(readPrompt(timed(whole))).toEqual({ tokens: 9, firstMs: null, totalMs: 1780 });
  });

  it('counts the same wherever a stream ends behind a whole piece, and never more for half of one', () => {
    const whole = chunk('a') + chunk('b') + chunk('c');
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const tokens = readPrompt(timed(whole.slice(0, cut)))?.tokens ?? 0;
      const pieces = whole.slice(0, cut).split('}]}').length - 1;
      expect(tokens).toBe(pieces);
    }
  });
});
