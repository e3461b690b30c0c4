import { expect, test } from 'vitest';
import type { Checklist, Finding } from '../../src/check/check.ts';
import { CONFIG, setUp } from './set-up.ts';

function finding(change: Partial<Finding>): Finding {
  return {
    check: 'port',
    label: 'Port',
    verdict: 'passed',
    found: 'port 8000 is closed',
    needed: null,
    advice: null,
    isFinal: false,
    ...change,
  };
}

const WELL: Checklist = {
  findings: [finding({}), finding({ check: 'gpu_count', label: 'GPUs' })],
  tookMs: 812,
  forcedBy: null,
};

const BROKEN: Checklist = {
  ...WELL,
  findings: [
    ...WELL.findings,
    finding({
      check: 'gpu_memory',
      label: 'GPU memory',
      verdict: 'refused',
      found: '26.2 GiB free on GPU 1: pid 3381 (`VLLM::Worker_TP1`, user bob) holds 20.7 GiB',
      needed: '43.2 GiB (0.9 of 48.0)',
      advice: 'End it if it is left over (`kill 3381`), or lower `--gpu-memory-utilization` to 0.5.',
    }),
    finding({ check: 'driver', label: 'Driver', verdict: 'unknown', found: 'nvidia-smi did not answer within 10 s' }),
    finding({ check: 'disk', label: 'Disk', verdict: 'warning', found: '3.1 GiB free on /', needed: '5 GiB' }),
  ],
};

test('a check that finds nothing folds what passed into one line and names the launch', async () => {
  const { type, desk } = setUp();
  desk.told.set('check', { kind: 'told', told: WELL });
  expect(await type('check kpro5 dflash')).toMatchInlineSnapshot(`
    "Checked dflash on kpro5: nothing was found that refuses it. /vllm launch kpro5 dflash starts it. All 2 checks passed in 0.8 s.
    ✅ Passed: Port, GPUs"
  `);
  expect(desk.questions).toEqual([{ kind: 'check', host: 'kpro5', recipe: 'dflash' }]);
  expect(desk.orders).toEqual([]);
});

test('what refuses a launch comes first, with what was found, what is needed and what to do', async () => {
  const { type, desk } = setUp();
  desk.told.set('check', { kind: 'told', told: BROKEN });
  expect(await type('check kpro5 dflash')).toMatchInlineSnapshot(`
    "Checked dflash on kpro5: it would be refused: GPU memory. 5 checks in 0.8 s: 1 refuses it, 1 warns and 1 can't tell.
    ❌ GPU memory: 26.2 GiB free on GPU 1: pid 3381 (VLLM::Worker_TP1, user bob) holds 20.7 GiB
    Needed: 43.2 GiB (0.9 of 48.0)
    → End it if it is left over (kill 3381), or lower --gpu-memory-utilization to 0.5.
    ⚠️ Disk: 3.1 GiB free on /
    Needed: 5 GiB
    ❔ Driver: nvidia-smi did not answer within 10 s
    ✅ Passed: Port, GPUs"
  `);
});

test('a host that can not be asked is said', async () => {
  const { type, desk } = setUp();
  desk.told.set('check', { kind: 'failed', reason: 'kpro5 can not be reached.' });
  expect(await type('check kpro5 dflash')).toBe('kpro5 can not be reached. Nothing was checked.');
});

test('only who may launch there may check there', async () => {
  const { type, desk } = setUp();
  expect(await type('check kpro5 dflash', { user: 'U0BOB' })).toContain('you (U0BOB) may not launch on kpro5');
  expect(desk.questions).toEqual([]);
});

test('a training is checked by its own command, whose words may be left out', async () => {
  const { type, desk } = setUp();
  desk.told.set('check', { kind: 'told', told: WELL });
  expect(await type('check', { command: '/dflash' })).toContain('Checked drafter on kpro5: nothing was found');
});

test('--force is ordered by who has the right to it, and refused to others', async () => {
  const { type, desk } = setUp();
  await type('launch kpro5 dflash --force');
  expect(desk.orders).toMatchObject([{ recipe: 'dflash', isForced: true }]);
  const { kpro5 } = CONFIG.hosts;
  if (kpro5 === undefined) throw new Error('the configuration has no kpro5');
  const hosts = { ...CONFIG.hosts, kpro5: { ...kpro5, rights: { ...kpro5.rights, force: [] } } };
  const others = setUp({ config: { ...CONFIG, hosts } });
  expect(await others.type('launch kpro5 dflash --force')).toContain('you (U0ALICE) may not force on kpro5');
  expect(others.desk.orders).toEqual([]);
});
