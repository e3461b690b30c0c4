import { describe, expect, it } from 'vitest';
import { createMask } from '../../src/log/mask.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { INNOCENT, SAMPLES } from '../support/secrets.ts';

const mask = createMask(['my-own-value', 'line one\nline-two-of-it', 'quo\'te"d']);

describe('the mask', () => {
  it.each(SAMPLES)('hides $shape', ({ secret, line }) => {
    const masked = mask(line);
    expect(masked).toContain('[masked]');
    expect(masked).not.toContain(secret);
    expect(mask(masked)).toBe(masked);
  });

  it.each(INNOCENT)('leaves %j alone', (line) => {
    expect(mask(line)).toBe(line);
  });

  it.each([
    [
      "non-default args: {'api_key': ['topsecret1'], 'port': 8000}",
      "non-default args: {'api_key': [masked], 'port': 8000}",
    ],
    ["args: Namespace(api_key='topsecret1', port=8000)", "args: Namespace(api_key='[masked]', port=8000)"],
    ['+ exec vllm serve /m --api-key topsecret1 --port 8', '+ exec vllm serve /m --api-key [masked] --port 8'],
    ['vllm serve /m --api-key=topsecret1 --port 8', 'vllm serve /m --api-key=[masked] --port 8'],
    ["['serve', '--api-key', 'topsecret1']", "['serve', '--api-key', '[masked]']"],
    ['HF_TOKEN=topsecret1 vllm', 'HF_TOKEN=[masked] vllm'],
    ['{"hf_token": "topsecret1"}', '{"hf_token": "[masked]"}'],
    ['Authorization: Bearer topsecret1', 'Authorization: Bearer [masked]'],
    ['with hf_abcdefghijKLMN and sk-abcdef123456', 'with [masked] and [masked]'],
    ['xoxb-123456789-abc ghp_abcdefghijklmnopqrst AKIAABCDEFGHIJKLMNOP', '[masked] [masked] [masked]'],
    ['https://me:topsecret1@host/x', 'https://me:[masked]@host/x'],
    ['my-own-value and line-two-of-it', '[masked] and [masked]'],
    ['{"a": "quo\'te\\"d"}', '{"a": "[masked]"}'],
  ])('hides the secret in %j', (text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  it.each(['\\n', '\\u003d', '\\x3d', '%3D', '\\u001b[31m', '_', '-', '='])('knows a token behind %s', (before) => {
    expect(mask(`a${before}hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567`)).toBe(`a${before}[masked]`);
  });

  it.each([
    ['as JSON', 'a"b\\c<d>&é', '{"x": "a\\"b\\\\c<d>&é"}'],
    ['as json.dumps has it', 'a"b\\cé', '{"x": "a\\"b\\\\c\\u00e9"}'],
    ['as Go has it', 'a<b>&c', '{"x": "a\\u003cb\\u003e\\u0026c"}'],
    ['as repr() has it', 'a\'b\\c"d', "{'x': 'a\\'b\\\\c\"d'}"],
    ['as a shell has it', "a'b c", "+ x 'a'\\''b c'"],
    ['in a URL', 'a/b c+d', 'GET /x?y=a%2Fb%20c%2Bd'],
    ['in a URL of small letters', 'a/b c+d', 'GET /x?y=a%2fb%20c%2bd'],
    ['in a form', 'a/b c+d', 'y=a%2Fb+c%2Bd'],
  ])('hides a value of its own %s', (_, secret, line) => {
    const masked = createMask([secret])(line);
    expect(masked).toContain('[masked]');
    expect(masked.replace('[masked]', '')).not.toMatch(/b/);
  });

  it.each([8150, 8185, 8191, 16_370, 16_383])(
    'shows no part of a secret that begins at character %i of a line',
    (at) => {
      const secrets = ['0123456789-abcdefghij-0123456789'];
      const reader = openLogReader({ kind: 'serve', secrets, resume: null });
      const { lines } = reader.feed(
        new TextEncoder().encode(`${'.'.repeat(at)}${secrets.join('')}${'█'.repeat(9000)}\n`),
      );
      expect(lines[0]).not.toMatch(/\d/);
    },
  );
});
