import { expect, it } from 'vitest';
import type { Known } from '../../src/check/check.ts';
import { judgeAll } from '../../src/check/judge.ts';
import {
  DRAFTER,
  drafting,
  file,
  folder,
  GIB,
  gpuProcess,
  gpuUse,
  models,
  NOW,
  packages,
  serving,
  TARGET,
} from '../../src/check/samples.ts';
import type { Subject } from '../../src/check/subject.ts';
import type { ModelLook, PreflightFacts, Room, Told } from '../../src/host/preflight.ts';

/** A machine with nothing wrong: a server of a target with its drafter, on two GPUs of 48 GiB. */
const GOOD: Omit<Known, 'now'> = {
  outlook: {
    program: '/root/venv/bin/vllm',
    path: '/root/venv/bin:/usr/bin',
    directory: '/root',
    log: '/root/vllm-serve.log',
    olderLog: null,
    obstacles: [],
    warnings: [],
  },
  listener: { kind: 'closed' },
  gpus: [gpuUse(0), gpuUse(1)],
  driver: { version: '580.159.04', cuda: '13.0', capabilities: new Map([['GPU-0', '8.6']]) },
  packages: packages({ vllm: '0.25.0', torch: '2.11.0+cu130' }),
  files: new Map(),
  models: models(TARGET, DRAFTER),
  hub: new Map(),
  saves: new Map(),
  room: new Map<string, Room>([
    ['/root', { path: '/root', mount: '/', free: 300 * GIB, total: 900 * GIB, isWritable: true }],
  ]),
  leftovers: [],
};

const WORDS = ['/models/target', '-tp', '2', '--max-model-len', '32768', '--language-model-only'];
const SERVE = serving([...WORDS, '--max-num-batched-tokens', '32768', ...drafting()]);

/** What is not good, by its label, as `verdict label: found (needed)`. */
function findings(facts: Partial<Known>, subject: Subject = SERVE): readonly string[] {
  const told = Object.entries({ ...GOOD, ...facts }).map(([key, value]) => [key, { kind: 'told', value }] as const);
  const all = { ...Object.fromEntries<Told<unknown>>(told), now: NOW } as unknown as PreflightFacts;
  return judgeAll(all, subject)
    .filter(({ verdict }) => verdict !== 'passed')
    .map(
      ({ verdict, label, found, needed }) => `${verdict} ${label}: ${found}${needed === null ? '' : ` (${needed})`}`,
    );
}

it('finds nothing where nothing is wrong', () => {
  expect(findings({})).toEqual([]);
});

it('finds batched tokens too few for the draft slots', () => {
  expect(findings({}, serving([...WORDS, ...drafting()]))).toContain(
    'refused Batched tokens: 2,048 (default) batched tokens − 14 draft slots × 256 (default) sequences = −1,536 (more than 0 left for prompts)',
  );
});

it('finds flash-attn 4 on Ampere, without the module that vLLM imports', () => {
  const installed = packages({ vllm: '0.22.1', 'flash-attn-4': '4.0.0b4' }, { flashAttn: ['cute'] });
  expect(findings({ packages: installed })).toEqual(
    expect.arrayContaining([
      'refused flash-attn: `flash-attn-4` 4.0.0b4, in part: it has `cute` and no `ops` (none, or a whole flash-attn 2: vLLM 0.22.1 imports `flash_attn.ops`)',
      'warning flash-attn and GPUs: `flash-attn-4` 4.0.0b4 on GPUs of compute capability 8.6 (Hopper or Blackwell (9.0 and above))',
    ]),
  );
});

it('finds old processes on the GPUs, and an old log that somebody writes', () => {
  const left = { pid: 4101, command: 'VLLM::EngineCore', user: 'root', since: NOW - 7_200_000, run: null };
  const held = { usedMib: 43_000, freeMib: 5677, processes: [gpuProcess({ ...left, usedMib: 42_900 })] };
  const obstacles = [
    'Process 4101 has the log /root/vllm-serve.log open for writing: stop that process, or give the recipe another log path.',
  ];
  const outlook = { ...GOOD.outlook, obstacles };
  expect(findings({ outlook, leftovers: [left], gpus: [gpuUse(0, held), gpuUse(1)] })).toEqual(
    expect.arrayContaining([
      'refused Program and log: Process 4101 has the log /root/vllm-serve.log open for writing',
      'refused GPU memory: 5.5 GiB free on GPU 0 (42.8 GiB (0.9 of 47.5))',
      'refused Left-over processes: 1 process without a parent: pid 4101 (`VLLM::EngineCore`, user root, for 2 h); it holds 41.9 GiB of GPU 0 (none on these GPUs)',
    ]),
  );
});

it('finds a version that reads every hidden state one layer off, and sliding layers as full attention', () => {
  expect(findings({ packages: packages({ vllm: '0.20.1' }) })).toEqual(
    expect.arrayContaining([
      'warning Known faults: vLLM 0.20.1: it reads `dflash_config.target_layer_ids` literally: every hidden state one layer off, acceptance near 1 % (about vLLM 0.22 or newer)',
      "warning Known faults: vLLM 0.20.1: it runs the drafter's sliding layers as full attention: acceptance falls the longer the text is (about vLLM 0.25 or newer)",
    ]),
  );
});

it('finds JSON that a shell has mangled', () => {
  const words = ['--speculative-config', '{method:dflash,model:/models/drafter,num_speculative_tokens:15}'];
  expect(findings({}, serving([...WORDS, ...words]))).toContain(
    'refused JSON flags: the value of `--speculative-config` is no JSON: its words have lost their double quotes, as a shell takes them away (`{method:dflash,model:/models/drafter,num_speculative_tokens:15}`)',
  );
});

it("finds that the drafter's corrected config never reached the disk", () => {
  const path = '/models/drafter/config.json';
  const wanted = [
    { file: path, path: ['dflash_config', 'target_layer_ids'], value: '[1,16,31,46,61]' },
    { file: path, path: ['layer_types', 0], value: '"sliding_attention"' },
    { file: path, path: ['sliding_window'], value: '2048' },
  ];
  const guessed = {
    ...DRAFTER,
    dflash_config: { target_layer_ids: [1, 17, 33, 49, 63] },
    layer_types: Array(5).fill('full_attention'),
    sliding_window: null,
  };
  const subject = serving(SERVE.recipe.argv.slice(2), { recipe: { expect: wanted } });
  const files = new Map([[path, file(JSON.stringify(guessed))]]);
  expect(findings({ files, models: models(TARGET, guessed) }, subject)).toEqual(
    expect.arrayContaining([
      'refused Expected values: `dflash_config.target_layer_ids` is `[1,17,33,49,63]` in `drafter/config.json` (`[1,16,31,46,61]`)',
      'refused Expected values: `layer_types[0]` is `"full_attention"` in `drafter/config.json` (`"sliding_attention"`)',
      'refused Expected values: `sliding_window` is `null` in `drafter/config.json` (`2048`)',
    ]),
  );
});

it('finds tensor × data parallel on too few GPUs', () => {
  const subject = serving(['/models/target', '-tp', '2', '-dp', '2']);
  expect(findings({}, subject)).toContain('refused GPUs: 2 GPUs (0, 1) (4 = tensor 2 × data 2)');
});

it('finds 55 GB that are to come from the hub without a token', () => {
  const cache = '/root/.cache/huggingface/hub';
  const hub = new Map([['Qwen/Qwen3.6-27B', { cache, snapshot: null, partial: [], token: null }]]);
  const none = new Map<string, ModelLook>([['Qwen/Qwen3.6-27B', { kind: 'missing' }]]);
  expect(findings({ hub, models: none }, serving(['Qwen/Qwen3.6-27B', '-tp', '2']))).toEqual([
    'warning Model from the hub: model `Qwen/Qwen3.6-27B` is not in the cache `/root/.cache/huggingface/hub`, and there is no token for the hub',
  ]);
});

it('says why it does not know what the host was silent about, and hides secrets', () => {
  const subject = serving(WORDS, { recipe: { secrets: ['correct-horse'], environment: { KEY: 'correct-horse' } } });
  const told = { kind: 'told', value: [] } as const;
  const silent = { kind: 'silent', why: 'nvidia-smi did not answer within 5 s (correct-horse).' } as const;
  const facts = {
    ...Object.fromEntries(Object.entries(GOOD).map(([key, value]) => [key, { kind: 'told', value }])),
    leftovers: told,
    gpus: silent,
    now: NOW,
  } as unknown as PreflightFacts;
  const unknown = judgeAll(facts, subject).filter(({ verdict }) => verdict === 'unknown');
  expect(unknown.map(({ label }) => label)).toEqual(['GPUs', 'GPU memory']);
  expect(new Set(unknown.map(({ found }) => found))).toEqual(
    new Set(['nvidia-smi did not answer within 5 s ([masked])']),
  );
});

it('finds a folder that a download left in pieces', () => {
  const whole = folder(TARGET);
  const broken = {
    ...whole,
    weights: whole.weights.slice(0, 1),
    partial: [{ name: 'x.incomplete', size: GIB, age: 9000 }],
  };
  expect(findings({ models: new Map([['/models/target', broken]]) }, serving(WORDS))).toEqual([
    'refused Model files: model `/models/target`: 1 of 2 files of weights: `model-2.safetensors` is missing (2, as `model.safetensors.index.json` lists them)',
    'warning Model files: model `/models/target`: 1 unfinished file, 1.0 GiB of a download that broke off (`x.incomplete`)',
  ]);
});
