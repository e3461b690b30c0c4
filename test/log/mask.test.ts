import { describe, expect, it } from 'vitest';
import { holdsToken } from '../../src/config/secret-shapes.ts';
import { createMask } from '../../src/log/mask.ts';
import { openLogReader } from '../../src/log/reader.ts';

const mask = createMask(['my-own-value', 'line one\nline-two-of-it', 'quo\'te"d']);

const LONG = 'abcdefghijklmnopqrstuvwx';

describe('the mask', () => {
  it.each([
    `hf_${LONG}`,
    `sk-${LONG}`,
    `xoxb-${LONG}`,
    `xapp-${LONG}`,
    `ghp_${LONG}`,
    `github_pat_${LONG}`,
    `glpat-${LONG}`,
    `nvapi-${LONG}`,
    'AKIAABCDEFGHIJKLMNOP',
  ])('hides %s, which vigil.yaml refuses as a token', (token) => {
    expect(holdsToken(token)).toBe(true);
    expect(mask(`loaded with ${token} from disk`)).toBe('loaded with [masked] from disk');
  });

  it.each([
    [
      "non-default args: {'api_key': ['topsecret1'], 'port': 8000}",
      "non-default args: {'api_key': [[masked]], 'port': 8000}",
    ],
    ["args: Namespace(api_key='topsecret1', port=8000)", "args: Namespace(api_key='[masked]', port=8000)"],
    ['+ exec vllm serve /m --api-key topsecret1 --port 8', '+ exec vllm serve /m --api-key [masked] --port 8'],
    ['vllm serve /m --api-key=topsecret1 --port 8', 'vllm serve /m --api-key=[masked] --port 8'],
    ["['serve', '--api-key', 'topsecret1']", "['serve', '--api-key', '[masked]']"],
    ['HF_TOKEN=topsecret1 vllm', 'HF_TOKEN=[masked] vllm'],
    ['{"hf_token": "topsecret1"}', '{"hf_token": "[masked]"}'],
    ['Authorization: Bearer topsecret1', 'Authorization: [masked] [masked]'],
    ['with hf_abcdefghijKLMN and sk-abcdef123456', 'with [masked] and [masked]'],
    ['xoxb-123456789-abc ghp_abcdefghijklmnopqrst AKIAABCDEFGHIJKLMNOP', '[masked] [masked] [masked]'],
    ['https://me:topsecret1@host/x', 'https://me:[masked]@host/x'],
    ['my-own-value and line-two-of-it', '[masked] and [masked]'],
    ['{"a": "quo\'te\\"d"}', '{"a": "[masked]"}'],
  ])('hides the secret in %j', (text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  it.each([
    "api_key=None, max_num_batched_tokens=8192, tokenizer='/models/Qwen3', eos_token='<|im_end|>'",
    'usage: vllm serve [--api-key API_KEY [API_KEY ...]]',
    'Processed 12 tokens: 5 keys, token usage: 0.00',
    'INFO 05-19 13:02:44 [a.py:1] distributed_init_method=tcp://127.0.0.1:41265 backend=nccl',
  ])('leaves %j alone', (text) => {
    expect(mask(text)).toBe(text);
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
