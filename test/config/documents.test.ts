import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERBS } from '../../src/config/config.ts';
import { VARIABLE_NAMES } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import {
  DiagnosisKeys,
  ExpectationKeys,
  FloorKeys,
  HostKeys,
  PatrolKeys,
  RecipeKeys,
  SecretReference,
  TargetKeys,
  TopKeys,
} from '../../src/config/schema.ts';

const DOCS = readFileSync('docs/configuration.md', 'utf8');
const EXAMPLE = readFileSync('vigil.example.yaml', 'utf8');
const MAPS = [
  TopKeys,
  DiagnosisKeys,
  ExpectationKeys,
  FloorKeys,
  HostKeys,
  PatrolKeys,
  RecipeKeys,
  TargetKeys,
  SecretReference,
];
const KEYS = [...new Set(MAPS.flatMap(({ shape }) => Object.keys(shape)).concat(VERBS))];

test('the example holds the DFlash recipes and needs nothing of the environment', () => {
  const { instance, hosts, recipes } = loadConfig('vigil.example.yaml', {});
  expect(instance).toBe('vigil');
  expect(Object.keys(hosts)).toEqual(['kpro5', 'trainer']);
  expect(hosts.trainer?.patrol).toEqual({ logs: ['/workspace/*/logs/run.log'], every: 60, channel: 'C0VIGIL' });
  expect(recipes.dflash).toMatchObject({
    gpus: 2,
    log: '/root/vllm-serve.log',
    address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
    stopGrace: 60,
  });
  expect(recipes.dflash?.expect.map(({ path, value }) => `${path.join('/')} ${value}`)).toEqual([
    'dflash_config/target_layer_ids [1,16,31,46,61]',
    'layer_types ["sliding_attention","sliding_attention","sliding_attention","sliding_attention","full_attention"]',
    'sliding_window 2048',
    'block_size 16',
  ]);
  expect(recipes.dflash?.argv.join(' ')).toBe(
    'vllm serve /root/models/Qwen3.6-27B --port 8000 --tensor-parallel-size 2 --max-model-len 32768 ' +
      '--max-num-batched-tokens 32768 --reasoning-parser qwen3 --tool-call-parser qwen3_coder --language-model-only ' +
      '--trust-remote-code --speculative-config ' +
      '{"method":"dflash","model":"/root/models/Qwen3.6-27B-DFlash","num_speculative_tokens":15}',
  );
  expect(recipes.drafter).toMatchObject({
    kind: 'train',
    argv: ['bash', '/workspace/dflash/train.sh'],
    directory: '/workspace/dflash',
    log: '/workspace/dflash/logs/run.log',
    targetLog: '/workspace/dflash/logs/vllm.log',
    address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
    gpus: ['0', '1', '2', '3'],
  });
});

test.each(KEYS)('the key %s stands in the docs and in the example', (key) => {
  expect(DOCS).toContain(`\`${key}\``);
  expect(EXAMPLE).toMatch(new RegExp(`(?:^|[\\s#{])${key}:`, 'm'));
});

test('the docs have no heading and no row for a key that does not exist', () => {
  const named = [...DOCS.matchAll(/^(?:### |\| )`(\w+)`/gm)].map((match) => match[1]);
  expect(named.filter((name) => name === undefined || ![...KEYS, ...VARIABLE_NAMES].includes(name))).toEqual([]);
});

test.each(VARIABLE_NAMES)('the variable %s stands in the docs and in .env.example', (name) => {
  expect(DOCS).toContain(`| \`${name}\` |`);
  expect(readFileSync('.env.example', 'utf8')).toMatch(new RegExp(`^${name}=$`, 'm'));
});
