import { expect, test } from 'vitest';
import { othersOnGpus } from '../../../src/flow/verify/others.ts';
import type { GpuProcess, GpuUse } from '../../../src/host/gpu.ts';
import { sampleRun } from '../../report/sample-run.ts';

const OWN: GpuProcess = { pid: 4242, command: 'VLLM::Worker', usedMib: 40_000, user: 'root', since: 0, run: null };
const BOB: GpuProcess = { ...OWN, pid: 4711, command: 'python', user: 'bob' };
const TREE = [{ pid: 4242, start: 1 }];

function gpu(index: string, processes: readonly GpuProcess[]): GpuUse {
  const memory = { totalMib: 48_000, usedMib: 40_000, freeMib: 8_000 };
  return { index, uuid: `GPU-${index}`, name: 'A6000', ...memory, utilization: 0, isMig: false, migs: [], processes };
}

const ON_TWO = sampleRun({ placement: null }, { gpus: ['0', '1'] });

test('others on its GPUs are named, those on other GPUs are not', () => {
  const gpus = [gpu('0', [OWN]), gpu('1', [OWN, BOB]), gpu('2', [{ ...BOB, pid: 4712 }])];
  expect(othersOnGpus(ON_TWO, { gpus, tree: TREE })).toEqual(['pid 4711 (python, user bob) on GPU 1']);
});

test('a process that carries the run’s mark is its own', () => {
  const marked = { ...BOB, run: ON_TWO.request.id };
  expect(othersOnGpus(ON_TWO, { gpus: [gpu('0', [OWN]), gpu('1', [marked])], tree: TREE })).toEqual([]);
});

test('a secret on a stranger’s command line is not told', () => {
  const command = 'python serve.py --api-key sk-aaaabbbbccccdddd';
  const [words] =
    othersOnGpus(ON_TWO, { gpus: [gpu('0', [OWN, { ...BOB, command }]), gpu('1', [])], tree: TREE }) ?? [];
  expect(words).toContain('python serve.py');
  expect(words).not.toContain('aaaabbbb');
});

test('the GPUs of a server that was found are those that it computes on', () => {
  const found = sampleRun({ placement: null }, { gpus: [] });
  const gpus = [gpu('0', [BOB]), gpu('1', [OWN, { ...BOB, pid: 4712 }])];
  expect(othersOnGpus(found, { gpus, tree: TREE })).toEqual(['pid 4712 (python, user bob) on GPU 1']);
});

test('nobody can tell where nvidia-smi is silent, knows no such GPU, or numbers processes of another namespace', () => {
  expect(othersOnGpus(ON_TWO, { gpus: null, tree: TREE })).toBeNull();
  expect(othersOnGpus(ON_TWO, { gpus: [gpu('0', [OWN])], tree: TREE })).toBeNull();
  const alien = { ...OWN, pid: 1_234_567, user: null };
  expect(othersOnGpus(ON_TWO, { gpus: [gpu('0', [alien]), gpu('1', [alien])], tree: TREE })).toBeNull();
});
