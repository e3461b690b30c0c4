import { expect, test } from 'vitest';
import { choosesDevices } from '../../src/config/gpus.ts';
import { load, RECIPE, recipeOf, vigilYaml } from './yaml.ts';

test('a host gets its defaults, and rights that are not given are nobody’s', () => {
  expect(load(vigilYaml()).hosts.kpro5).toEqual({
    name: 'kpro5',
    connect: {
      kind: 'address',
      address: '192.0.2.172',
      user: 'root',
      port: 22,
      key: '/home/v/.ssh/id_ed25519',
      isOnlyKey: false,
      knownHosts: ['/home/v/.ssh/known_hosts'],
      jump: null,
      passphrase: null,
    },
    stateDir: '~/.vigil/runs',
    keepRuns: 30,
    channel: 'C0VIGIL',
    rights: { see: [], launch: [], force: [], stop: [], watch: [] },
    patrol: null,
    watchLogs: [],
  });
});

test('a host takes what is given; an alias says all of the way', () => {
  const host =
    'address: "2001:db8::1"\nuser: x\nport: 10978\nkey: /k\nknown_hosts: [/a, ~/b]\nstate_dir: /s/\nkeep_runs: 7\nchannel: G0A\nrights: {see: anyone, force: [U0ALICE], stop: [U0ALICE, W0BOB]}';
  const given = load(vigilYaml({ host })).hosts.kpro5;
  expect(given?.connect).toEqual({
    kind: 'address',
    address: '2001:db8::1',
    user: 'x',
    port: 10978,
    key: '/k',
    isOnlyKey: true,
    knownHosts: ['/a', '/home/v/b'],
    jump: null,
    passphrase: null,
  });
  expect(given?.stateDir).toBe('/s');
  expect(given?.keepRuns).toBe(7);
  expect(given?.rights).toEqual({
    see: 'anyone',
    launch: [],
    force: ['U0ALICE'],
    stop: ['U0ALICE', 'W0BOB'],
    watch: [],
  });
  const alias = load(vigilYaml({ host: 'alias: gpu-box\nchannel: C0A' })).hosts.kpro5;
  expect(alias?.connect).toEqual({ kind: 'alias', alias: 'gpu-box', passphrase: null });
});

test('a floor is a number of tokens, with a fraction or without', () => {
  expect(recipeOf(`${RECIPE}\nfloor: {acceptance_length: 2.05, tokens_per_second: 60}`)).toMatchObject({
    floor: { acceptanceLength: 2.05, tokensPerSecond: 60 },
  });
});

test('a recipe gets its defaults', () => {
  expect(recipeOf(RECIPE)).toEqual({
    kind: 'serve',
    name: 'r',
    argv: ['vllm', 'serve', 'm'],
    environment: {},
    secrets: [],
    prelude: null,
    directory: null,
    log: null,
    gpus: 1,
    address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
    stopGrace: 60,
    expect: [],
    versions: {},
    python: null,
    budgets: {},
    floor: { acceptanceLength: null, tokensPerSecond: null },
  });
});

test('a server gets no variables but its own', () => {
  expect(recipeOf(`kind: serve\n${RECIPE}`).environment).toEqual({});
});

test('no name finds what the file does not hold', () => {
  const { hosts, recipes } = load(vigilYaml());
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect(hosts[name]).toBeUndefined();
    expect(recipes[name]).toBeUndefined();
  }
});

test('secrets come from Vigil’s environment and are named to be masked, as literal ones of telling names are', () => {
  const { environment, secrets } = recipeOf(
    `${RECIPE}\nenvironment: {VLLM_API_KEY: {secret: KEY}, MY_PASSWORD: hunter22, TOKENIZERS_PARALLELISM: false, A: 0.90}`,
    { KEY: 's3cret value' },
  );
  expect(environment).toEqual({
    VLLM_API_KEY: 's3cret value',
    MY_PASSWORD: 'hunter22',
    TOKENIZERS_PARALLELISM: 'false',
    A: '0.90',
  });
  expect(secrets).toEqual(['s3cret value', 'hunter22']);
});

test.each([
  ['argv: [vllm]', true],
  ['argv: [vllm, --device, cuda]', true],
  ['argv: [env, "CUDA_VISIBLE_DEVICES=2,3", vllm]', false],
  ['argv: [vllm, --device-ids, "2,3"]', false],
  ['argv: [docker, run, --gpus, \'"device=2,3"\', image]', false],
  ['argv: [docker, run, --device, nvidia.com/gpu=2, image]', false],
  ['argv: [vllm]\nprelude: export CUDA_VISIBLE_DEVICES=2,3', false],
  ['argv: [vllm]\nprelude: echo $CUDA_VISIBLE_DEVICES', true],
  ['argv: [vllm]\nenvironment: {CUDA_VISIBLE_DEVICES: "2,3"}', false],
])('with %j Vigil sets the devices: %j', (lines, expected) => {
  expect(choosesDevices(recipeOf(`${lines}\ngpus: [2, 3]`))).toBe(!expected);
});

test.each([
  ['gpus: 2', 2],
  ['gpus: 2\nenvironment: {CUDA_VISIBLE_DEVICES: "3, GPU-12ab,0"}', ['3', 'GPU-12ab']],
  ['gpus: [1, 0]', ['1', '0']],
  ['gpus: [3]\nenvironment: {CUDA_VISIBLE_DEVICES: "2,3"}', ['3']],
  ['gpus: [2, GPU-12ab, MIG-0a1b2c3d]', ['2', 'GPU-12ab', 'MIG-0a1b2c3d']],
])('%j occupies %j', (lines, expected) => {
  expect(recipeOf(`argv: [vllm]\n${lines}`).gpus).toEqual(expected);
});

test.each([
  ['[vllm, -tp, 2, --data-parallel-size, 4, --data-parallel-size-local, 1]'],
  ['[vllm, -tp, 2, -dp, 4, --data-parallel-rank, 3]'],
  ['[vllm, -tp, 8, --nnodes, 4]'],
  ['[vllm, -tp, 8, --distributed-executor-backend, ray]'],
  ['[vllm, -tp, 8, -tp, 2]'],
])('%s needs no more than two GPUs here', (argv) => {
  expect(recipeOf(`argv: ${argv}\ngpus: 2`).gpus).toBe(2);
});

test.each([
  ['[vllm, --host, 0.0.0.0]', { kind: 'tcp', host: '127.0.0.1', port: 8000 }],
  ['[vllm, "--host=::", --port=9000]', { kind: 'tcp', host: '::1', port: 9000 }],
  ['[vllm, --host, 10.0.0.5, --port, 1, --port, 08001]', { kind: 'tcp', host: '10.0.0.5', port: 8001 }],
  ['[vllm, --uds, /run/v.sock]', { kind: 'unix', path: '/run/v.sock' }],
])('%s is reached at %j', (argv, expected) => {
  expect(recipeOf(`argv: ${argv}\ngpus: 1`).address).toEqual(expected);
});

test('port says where the server is when argv does not', () => {
  expect(recipeOf('argv: [vllm, --config, a.yaml]\ngpus: 1\nport: 9000').address).toMatchObject({ port: 9000 });
});

test.each([
  ['[vllm]', '', 60],
  ['[vllm, --shutdown_timeout, 100]', '', 115],
  ['[vllm]', 'stop_grace: 15', 15],
  ['[vllm, --shutdown-timeout=100]', 'stop_grace: 200', 200],
])('%s with %j waits %i s', (argv, line, expected) => {
  expect(recipeOf(`argv: ${argv}\ngpus: 1\n${line}`).stopGrace).toBe(expected);
});
