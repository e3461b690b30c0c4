import type { DryRun } from '../../src/questions.ts';

/** What a worker tells of a launch that nothing is in the way of. */
export const DRY_RUN: DryRun = {
  argv: ['vllm', 'serve', '/models/target', '--tensor-parallel-size', '2'],
  environment: [{ name: 'HF_TOKEN', value: null }],
  prelude: 'source /root/venv/bin/activate',
  program: '/root/venv/bin/vllm',
  path: '/usr/bin',
  directory: '/root',
  log: null,
  olderLog: null,
  gpus: ['0', '1'],
  address: 'port 8000',
  reached: 'root@192.0.2.172:22',
  obstacles: [],
  warnings: [],
};
