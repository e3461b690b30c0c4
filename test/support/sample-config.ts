import type { Config, HostConfig, Recipe } from '../../src/config/config.ts';

function host(name: string): HostConfig {
  return {
    name,
    connect: {
      kind: 'address',
      address: '192.0.2.172',
      user: 'root',
      port: 22,
      key: '~/.ssh/id_ed25519',
      knownHosts: ['~/.ssh/known_hosts'],
    },
    stateDir: '~/.vigil/runs',
    channel: 'C0GPU',
    rights: { see: 'anyone', launch: 'anyone', stop: 'anyone' },
  };
}

const DFLASH: Recipe = {
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
};

/** Two hosts that anybody may use, and one recipe. */
export function sampleConfig(): Config {
  return { instance: 'vigil', hosts: { kpro5: host('kpro5'), trainer: host('trainer') }, recipes: { dflash: DFLASH } };
}
