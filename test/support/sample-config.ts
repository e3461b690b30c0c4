import type { Config, HostConfig, ServeRecipe, TrainRecipe } from '../../src/config/config.ts';

function host(name: string): HostConfig {
  return {
    name,
    connect: {
      kind: 'address',
      address: '192.0.2.172',
      user: 'root',
      port: 22,
      key: '~/.ssh/id_ed25519',
      isOnlyKey: false,
      knownHosts: ['~/.ssh/known_hosts'],
      jump: null,
      passphrase: null,
    },
    stateDir: '~/.vigil/runs',
    keepRuns: 30,
    channel: 'C0GPU',
    rights: { see: 'anyone', launch: 'anyone', force: 'anyone', stop: 'anyone', watch: 'anyone' },
    patrol: null,
    watchLogs: [],
  };
}

const DFLASH: ServeRecipe = {
  kind: 'serve',
  name: 'dflash',
  argv: ['vllm', 'serve', '/models/target', '--tensor-parallel-size', '2', '--port', '8000'],
  environment: {},
  secrets: [],
  prelude: null,
  directory: null,
  log: '/root/vllm-serve.log',
  gpus: ['0', '1'],
  address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
  stopGrace: 60,
  expect: [],
  versions: {},
  python: null,
  budgets: {},
  floor: { acceptanceLength: null, tokensPerSecond: null },
};

const DRAFTER: TrainRecipe = {
  kind: 'train',
  name: 'drafter',
  argv: ['bash', '/workspace/dflash/train.sh'],
  environment: { COLUMNS: '1000', PYTHONUNBUFFERED: '1' },
  secrets: [],
  prelude: null,
  directory: '/workspace/dflash',
  log: '/workspace/dflash/logs/run.log',
  gpus: ['0', '1', '2', '3'],
  address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
  targetLog: '/workspace/dflash/logs/vllm.log',
  stopGrace: 120,
  expect: [],
  versions: {},
  python: null,
  budgets: {},
  resume: false,
};

/** Two hosts that anybody may use, a server's recipe and a training's. */
export function sampleConfig(): Config {
  return {
    instance: 'vigil',
    hosts: { kpro5: host('kpro5'), trainer: host('trainer') },
    recipes: { dflash: DFLASH, drafter: DRAFTER },
    diagnoses: [],
  };
}
