import { describe, expect, it } from 'vitest';
import { readServer } from '../../src/check/server.ts';
import type { Server } from '../../src/check/subject.ts';

const DRAFTER = { kind: 'folder', path: '/m/d' };

it.each<[string, readonly string[], Partial<Server>]>([
  ['the positional model', ['vllm', 'serve', '/m/a'], { model: { kind: 'folder', path: '/m/a' } }],
  ['a path of the program', ['/opt/v/bin/vllm', 'serve', '/m/a'], { model: { kind: 'folder', path: '/m/a' } }],
  ['a hub id', ['vllm', 'serve', 'Qwen/Qwen3-8B'], { model: { kind: 'hub', id: 'Qwen/Qwen3-8B', revision: 'main' } }],
  [
    'a revision',
    ['vllm', 'serve', 'Qwen/Qwen3-8B', '--revision=v2'],
    { model: { kind: 'hub', id: 'Qwen/Qwen3-8B', revision: 'v2' } },
  ],
  ['a relative folder', ['vllm', 'serve', './a/b'], { model: { kind: 'folder', path: './a/b' } }],
  ['a folder below the home', ['vllm', 'serve', '~/a'], { model: { kind: 'folder', path: '~/a' } }],
  [
    'the positional model before --model',
    ['vllm', 'serve', '/m/a', '--model', '/m/b'],
    { model: { kind: 'folder', path: '/m/a' } },
  ],
  ['--model alone', ['vllm', 'serve', '--port', '1', '--model', '/m/b'], { model: { kind: 'folder', path: '/m/b' } }],
  [
    'a positional model behind flags',
    ['vllm', 'serve', '--port', '1', '/m/a', '--served-model-name', 'x', 'y'],
    { model: { kind: 'folder', path: '/m/a' } },
  ],
  [
    'names that are no model',
    ['vllm', 'serve', '--model', '/m/a', '--served-model-name', 'x', 'y'],
    { model: { kind: 'folder', path: '/m/a' } },
  ],
  ['a bucket', ['vllm', 'serve', 's3://models/a'], { model: null }],
  ['a file of a hub id', ['vllm', 'serve', 'org/model:Q4_K_M'], { model: null }],
  ['a deep relative folder', ['vllm', 'serve', 'a/b/c'], { model: { kind: 'folder', path: 'a/b/c' } }],
  ['no model at all', ['vllm', 'serve', '--port', '1'], { model: null }],
  [
    "the module's own form",
    ['python', '-m', 'vllm.entrypoints.openai.api_server', '--model', '/m/a', '-tp', '2'],
    { model: { kind: 'folder', path: '/m/a' }, sizes: [{ flag: '--tensor-parallel-size', size: 2 }] },
  ],
  [
    'the module behind vllm itself',
    ['python3', '-m', 'vllm.entrypoints.cli.main', 'serve', '/m/a'],
    { model: { kind: 'folder', path: '/m/a' } },
  ],
  [
    'a script that Python runs',
    ['/v/bin/python', '/v/bin/vllm', 'serve', '/m/a'],
    { model: { kind: 'folder', path: '/m/a' } },
  ],
  [
    'variables of env, which win over the own ones',
    ['env', 'A=1', 'CUDA_VISIBLE_DEVICES=2, 3', 'vllm', 'serve', '/m/a'],
    { devices: ['2', '3'], environment: { A: '1', B: '2', CUDA_VISIBLE_DEVICES: '2, 3' } },
  ],
  ['what wraps it', ['uv', 'run', 'vllm', 'serve', '/m/a'], { model: { kind: 'folder', path: '/m/a' } }],
  ['its own choice of devices', ['vllm', 'serve', '/m/a', '--device_ids', '1,3'], { devices: ['1', '3'] }],
  ['no choice of devices', ['vllm', 'serve', '/m/a'], { devices: null }],
  [
    'the last of several flags, in whatever form',
    ['vllm', 'serve', '/m/a', '-tp', '8', '--tensor_parallel_size=4', '-pp=2', '-dp', '3', '-dpl', '1'],
    {
      sizes: [
        { flag: '--tensor-parallel-size', size: 4 },
        { flag: '--pipeline-parallel-size', size: 2 },
      ],
    },
  ],
  [
    'the speculative JSON',
    ['vllm', 'serve', '/m/a', '-sc', '{"method":"dflash","model":"/m/d"}'],
    { speculative: { method: 'dflash', model: '/m/d' }, drafter: DRAFTER as Server['drafter'] },
  ],
  [
    'dotted flags',
    [
      'vllm',
      'serve',
      '/m/a',
      '--speculative-config.method',
      'dflash',
      '--speculative_config.num-speculative-tokens=15',
      '--speculative-config.draft_model_config.hf_config.ids',
      '[1]',
    ],
    {
      speculative: {
        method: 'dflash',
        num_speculative_tokens: 15,
        draft_model_config: { hf_config: { ids: [1] } },
      },
    },
  ],
  [
    'flat flags',
    ['vllm', 'serve', '/m/a', '--spec-method', 'dflash', '--spec-model=/m/d', '--spec-tokens', '15'],
    {
      speculative: { method: 'dflash', model: '/m/d', num_speculative_tokens: 15 },
      drafter: DRAFTER as Server['drafter'],
    },
  ],
  [
    'JSON that a shell has spoilt',
    ['vllm', 'serve', '/m/a', '--speculative-config', '{method:dflash}'],
    { speculative: 'broken', drafter: null },
  ],
  ['a JSON list', ['vllm', 'serve', '/m/a', '--speculative-config', '[]'], { speculative: 'broken' }],
  ['no speculation', ['vllm', 'serve', '/m/a'], { speculative: null, drafter: null }],
  [
    'a method without a drafter',
    ['vllm', 'serve', '/m/a', '-sc', '{"method":"ngram","model":"/m/d"}'],
    { drafter: null },
  ],
  [
    'a drafter of the hub',
    ['vllm', 'serve', '/m/a', '-sc', '{"model":"z-lab/X-DFlash","revision":"r"}'],
    { drafter: { kind: 'hub', id: 'z-lab/X-DFlash', revision: 'r' } },
  ],
])('reads %s', (_, argv, expected) => {
  const environment = argv[0] === 'env' ? { A: '0', B: '2' } : {};
  expect(readServer(argv, environment)).toMatchObject(expected);
});

it('takes devices from the variables that the recipe sets', () => {
  const server = readServer(['vllm', 'serve', '/m/a'], { CUDA_VISIBLE_DEVICES: 'GPU-12,GPU-34' });
  expect(server?.devices).toEqual(['GPU-12', 'GPU-34']);
});

describe('what is no server here', () => {
  it.each([
    [['python', 'train.py']],
    [['vllm', 'bench', 'serve']],
    [['docker', 'run', 'vllm/vllm-openai', 'vllm', 'serve', '/m/a']],
    [['podman', 'run', 'x', 'vllm', 'serve', '/m/a']],
    [['ssh', 'other', 'vllm', 'serve', '/m/a']],
    [['bash', '-c', 'vllm serve /m/a']],
    [[]],
  ])('%j', (argv) => {
    expect(readServer(argv, {})).toBeNull();
  });
});
