import { expect, test } from 'vitest';
import type { Recipe } from '../../src/config/config.ts';
import type { Peek } from '../../src/host/log.ts';
import type { ServeRequest, TrainRequest } from '../../src/run/request.ts';
import type { Phase, Run } from '../../src/run/run.ts';
import type { Host } from '../../src/tools.ts';
import { readCommands } from '../../src/watch/commands.ts';
import { gpusOf } from '../../src/watch/gpu-look.ts';
import { rasAddress } from '../../src/watch/ras-address.ts';
import { type Commands, folderLooks, workQuestion } from '../../src/watch/work-question.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';
import { fakeHost } from '../support/fake-host.ts';
import { gpu } from '../support/gpus.ts';
import { sampleConfig } from '../support/sample-config.ts';

const { dflash, drafter } = sampleConfig().recipes;

const SCRIPT = `#!/bin/bash
HF_HOME=/data/hf vllm serve Qwen/Qwen3-8B --port 8000 &
torchrun --nproc_per_node 4 train.py --save-path out/new --hidden-states-path /dev/shm/states
`;

/** The host has one script. */
function commands({ request }: Run, recipe: Recipe | null): Promise<Commands> {
  const peek: Host['peek'] = async () => ({ size: SCRIPT.length, text: SCRIPT }) as Peek;
  return readCommands({ request, recipe }, fakeHost('kpro5', { peek }), new AbortController().signal);
}

/** What is looked at: roles with their keys. */
async function places(run: Run, recipe: Partial<Recipe> = {}, base: Recipe | undefined = dflash): Promise<string[]> {
  if (base === undefined) throw new Error('no recipe');
  const asked = workQuestion(run, await commands(run, { ...base, ...recipe } as Recipe));
  return asked.places.map(({ role, key }) => `${role} ${key}`);
}

const serves = (...argv: string[]) =>
  sampleRun({}, { argv: ['vllm', 'serve', ...argv] } satisfies Partial<ServeRequest>);
const trains = (argv: readonly string[], checkpoint?: string) => {
  const run = sampleTraining({}, { argv } satisfies Partial<TrainRequest>);
  return checkpoint === undefined ? run : { ...run, reading: { ...run.reading, facts: { checkpoint } } };
};

const CACHES = ['compile_cache ~/.cache/vllm', 'compile_cache ~/.cache/flashinfer'];

test.each([
  ['a model of the hub', serves('Qwen/Qwen3-8B'), ['download Qwen/Qwen3-8B']],
  ['a path', serves('/models/qwen'), []],
  ['a path below home', serves('~/models/qwen'), []],
  ['a relative path', serves('./qwen'), []],
  [
    'a drafter of the hub',
    serves('/models/q', '--speculative-config', '{"method":"dflash","model":"org/drafter"}'),
    ['download org/drafter'],
  ],
])('of a server with %s what comes from the hub is looked at, and the compile caches', async (_, run, expected) => {
  expect(await places(run)).toEqual([...expected, ...CACHES]);
});

test.each<[Phase, readonly string[]]>([
  ['connecting', []],
  ['downloading', ['download Qwen/Qwen3-8B']],
  ['loading', ['download Qwen/Qwen3-8B', ...CACHES]],
  ['compiling', CACHES],
  ['capturing', CACHES],
])('in %s nothing is looked at that other runs may move and this one does not: %j', async (phase, expected) => {
  expect(await places({ ...serves('Qwen/Qwen3-8B'), phase })).toEqual(expected);
});

test('the compile cache is where vLLM has it', async () => {
  const cacheOf = (environment: Record<string, string>) => places(serves('/m'), { environment });
  const flashinfer = 'compile_cache ~/.cache/flashinfer';
  expect(await cacheOf({ VLLM_CACHE_ROOT: '/data/vllm', XDG_CACHE_HOME: '/x' })).toEqual([
    ...['compile_cache /data/vllm', flashinfer],
  ]);
  expect(await cacheOf({ XDG_CACHE_HOME: '/x' })).toEqual(['compile_cache /x/vllm', flashinfer]);
  expect(await cacheOf({ FLASHINFER_WORKSPACE_BASE: '/f' })).toContain('compile_cache /f/.cache/flashinfer');
});

test('of a training its checkpoints are looked at, beside the last one once there is any', async () => {
  const argv = ['python', 'train.py', '--save-path', 'out/run', '--hidden-states-path', '/dev/shm/states'];
  const folders = ['checkpoint /workspace/dflash/out/run', 'hidden_states /dev/shm/states'];
  expect(await places(trains(argv), {}, drafter)).toEqual(folders);
  expect(await places(trains(['bash', 'train.sh'], 'out/5'), {}, drafter)).toContain(
    'checkpoint /workspace/dflash/out',
  );
  expect(await places(trains(['bash', 'train.sh'], '/out/5'), { directory: null }, drafter)).toContain(
    'checkpoint /out',
  );
});

test('of a training that a script starts, what the script says counts, for its target server too', async () => {
  const run = trains(['bash', 'train.sh']);
  expect(await places({ ...run, phase: 'target_starting' }, {}, drafter)).toEqual([
    ...['download Qwen/Qwen3-8B', ...CACHES],
    ...['checkpoint /workspace/dflash/out/new', 'hidden_states /dev/shm/states'],
  ]);
  expect((await commands(run, drafter ?? null)).environment).toMatchObject({ HF_HOME: '/data/hf' });
});

test('what could be counted is a look at a folder', async () => {
  const run = serves('Qwen/Qwen3-8B');
  const asked = workQuestion(run, await commands(run, null));
  const bytes = new Map<string, number | null>([
    ['Qwen/Qwen3-8B', 7],
    ['~/.cache/vllm', null],
  ]);
  const totals = new Map([['Qwen/Qwen3-8B', 9]]);
  const partial = new Set(['Qwen/Qwen3-8B']);
  const view = { at: 1, bytes, totals, partial, received: null, tree: [], states: [] };
  expect(folderLooks(asked, view)).toEqual([
    { role: 'download', path: 'Qwen/Qwen3-8B', bytes: 7, total: 9, isPartial: true },
  ]);
});

test.each([
  [{}, { host: '127.0.0.1', port: 28028 }],
  [{ NCCL_RAS_ENABLE: '0' }, null],
  [{ NCCL_RAS_ADDR: 'localhost:9000' }, { host: '127.0.0.1', port: 9000 }],
  [{ NCCL_RAS_ADDR: '0.0.0.0:9000' }, { host: '127.0.0.1', port: 9000 }],
  [{ NCCL_RAS_ADDR: '[::]:9000' }, { host: '::1', port: 9000 }],
  [{ NCCL_RAS_ADDR: '10.0.0.7:9000' }, { host: '10.0.0.7', port: 9000 }],
  [{ NCCL_RAS_ADDR: '-e:9000' }, null],
  [{ NCCL_RAS_ADDR: 'node:99999' }, null],
])('NCCL with %j is asked at %j', (environment, expected) => {
  expect(rasAddress(environment)).toEqual(expected);
});

test('of the GPUs of a host the run’s own are looked at: by its placement, else by its processes', () => {
  const process = { pid: 7, command: 'python', usedMib: 5, user: null, since: null, run: null };
  const gpus = [gpu(0), gpu(1, { utilization: 90, processes: [process] })];
  const placement = { devices: ['0'], holds: [], freeAt: null };
  const indexes = (run: Pick<Run, 'placement' | 'tree'>) =>
    gpusOf(run, 'kpro5', gpus)?.map(({ index }) => index) ?? null;
  expect(indexes({ placement, tree: [{ pid: 7, start: 1 }] })).toEqual(['0']);
  expect(indexes({ placement: null, tree: [{ pid: 7, start: 1 }] })).toEqual(['1']);
  expect(indexes({ placement: { ...placement, devices: ['9'] }, tree: [] })).toBeNull();
});
