import { expect, test } from 'vitest';
import type { DryRun } from '../../src/questions.ts';
import { setUp } from './set-up.ts';

const TOLD: DryRun = {
  argv: [
    'vllm',
    'serve',
    '/models/target',
    '--tensor-parallel-size',
    '2',
    '--speculative-config',
    '{"method":"dflash"}',
    '--served-model-name=it\'s "this"',
  ],
  environment: [
    { name: 'HF_TOKEN', value: null },
    { name: 'VLLM_LOGGING_LEVEL', value: 'INFO' },
  ],
  prelude: 'source /root/venv/bin/activate',
  program: '/root/venv/bin/vllm',
  path: '/root/venv/bin:/usr/bin',
  directory: '/root',
  log: '/root/vllm-serve.log',
  olderLog: 1_234_567,
  gpus: ['0', '1'],
  address: 'port 8000',
  reached: 'root@192.0.2.172:22',
  obstacles: [],
  warnings: [],
};

test('a dry run shows each word, where the program was found, and no secret; nothing is ordered', async () => {
  const { type, desk } = setUp();
  desk.told.set('dry_run', { kind: 'told', told: TOLD });
  expect(await type('launch kpro5 dflash --dry-run')).toMatchInlineSnapshot(`
    "Dry run of dflash on kpro5 (root@192.0.2.172:22): nothing was started. Nothing was found in its way.
    The words of its command, one argument a word:
        vllm
        serve
        /models/target
        --tensor-parallel-size 2
        --speculative-config '{"method":"dflash"}'
        '--served-model-name=it'\\''s "this"'
    • vllm is /root/venv/bin/vllm, found on PATH /root/venv/bin:/usr/bin; the prelude may change that
    • Working directory /root
    • Log /root/vllm-serve.log; an older log of 1,234,567 bytes is moved aside
    • GPUs 0 and 1
    • Listens on port 8000
    Its variables, beside those of the login:
        HF_TOKEN=(a secret)
        VLLM_LOGGING_LEVEL=INFO
    Its prelude, which runs before:
        source /root/venv/bin/activate"
  `);
  expect(desk.orders).toEqual([]);
  expect(desk.questions).toEqual([{ kind: 'dry_run', host: 'kpro5', recipe: 'dflash' }]);
});

test('what stands in its way comes first', async () => {
  const { type, desk } = setUp();
  const obstacles = ['port 8000 on kpro5 is in use by pid 4242.', 'The program "vllm" was not found.'];
  desk.told.set('dry_run', { kind: 'told', told: { ...TOLD, obstacles, program: null } });
  expect(await type('launch kpro5 dflash --dry-run')).toContain(
    'nothing was started. It would be refused now, for 2 reasons:\n• port 8000 on kpro5 is in use by pid 4242.',
  );
});

test('a host that can not be asked is said, and so is a worker that is silent', async () => {
  const { type, desk } = setUp();
  desk.told.set('dry_run', { kind: 'failed', reason: 'kpro5 can not be reached.' });
  expect(await type('launch kpro5 dflash --dry-run')).toBe('kpro5 can not be reached. Nothing was started.');
  desk.told.clear();
  expect(await type('launch kpro5 dflash --dry-run')).toContain('check that a worker runs');
});

test('only who may launch there is told', async () => {
  const { type, desk } = setUp();
  expect(await type('launch kpro5 dflash --dry-run', { user: 'U0BOB' })).toContain(
    'you (U0BOB) may not launch on kpro5',
  );
  expect(desk.questions).toEqual([]);
});
