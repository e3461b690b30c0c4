import { expect, it } from 'vitest';
import type { Known } from '../../src/check/check.ts';
import { judgeAll } from '../../src/check/judge.ts';
import { readSubject } from '../../src/check/read-subject.ts';
import {
  DRAFTER,
  draftFolder,
  drafting,
  FREE,
  folder,
  GIB,
  gpuProcess,
  gpuUse,
  NOW,
  packages,
  serving,
  TARGET,
  weight,
} from '../../src/check/samples.ts';
import type { Subject } from '../../src/check/subject.ts';
import { training } from '../../src/check/training/samples.ts';
import type { HubLook, ModelLook, PreflightFacts, Room } from '../../src/host/preflight.ts';

/** Hosts and commands that start in the field. What the model, the machine or the command has of its own stands in each row. */

const room = (path: string, changes: Partial<Room> = {}): readonly [string, Room] => [
  path,
  { path, mount: '/', free: 500 * GIB, total: 900 * GIB, isWritable: true, ...changes },
];
const MODELS: readonly (readonly [string, ModelLook])[] = [
  ['/models/target', folder(TARGET)],
  ['/models/drafter', draftFolder(DRAFTER)],
];
const ROOMS = ['/root', '~/.cache/vllm', '~/.cache/huggingface/hub'].map((path) => room(path));
const SHM = room('/dev/shm', { mount: '/dev/shm', free: 60 * GIB, total: 64 * GIB });
const GPUS = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => gpuUse(index));
const HELD = [gpuUse(0, { usedMib: 20_000, freeMib: 28_600, processes: [gpuProcess()] }), ...GPUS.slice(1)];
const CAPABILITIES = new Map([['GPU-0', '8.6']]);

const GOOD: Known = {
  now: NOW,
  outlook: FREE,
  listener: { kind: 'closed' },
  gpus: GPUS,
  driver: { version: '580.159.04', cuda: '13.0', capabilities: CAPABILITIES },
  packages: packages({ vllm: '0.25.0', torch: '2.11.0+cu130' }),
  files: new Map(),
  models: new Map(MODELS),
  hub: new Map(),
  saves: new Map(),
  room: new Map([...ROOMS, SHM]),
  leftovers: [],
};

function factsOf(changes: Partial<Known>): PreflightFacts {
  const { now, ...known } = { ...GOOD, ...changes };
  const told = Object.entries(known).map(([fact, value]) => [fact, { kind: 'told', value }]);
  return { now, ...(Object.fromEntries(told) as unknown as Omit<PreflightFacts, 'now'>) };
}

/** `vllm serve` with these words, read as a launch reads it. */
function serve(words: readonly string[], changes: Partial<Subject['recipe']> = {}): Subject {
  const { recipe } = serving(words, { recipe: changes as object });
  return readSubject({
    host: 'kpro5',
    recipe,
    devices: changes.gpus === undefined ? ['0', '1'] : (changes.gpus as readonly string[]),
    scripts: new Map(),
  });
}

/** A training whose script is this text. */
function script(text: string): Subject {
  const { recipe } = training();
  const argv = ['bash', 'run.sh'];
  const scripts = new Map([['run.sh', text]]);
  const read = { ...recipe, argv } as Subject['recipe'];
  return readSubject({ host: 'trainer', recipe: read, devices: ['0', '1', '2', '3'], scripts });
}

const at = (...models: readonly (readonly [string, ModelLook])[]): Partial<Known> => ({
  models: new Map([...MODELS, ...models]),
});
const target = (config: unknown, changes: Parameters<typeof folder>[1] = {}): Partial<Known> =>
  at(['/models/target', folder(config, changes)]);
const cached = (look: Partial<HubLook>): Partial<Known> => ({
  hub: new Map([
    ['org/model', { cache: '/root/.cache/huggingface/hub', snapshot: null, partial: [], token: 'file', ...look }],
  ]),
  models: new Map([...MODELS, ['org/model', { kind: 'missing' } as const]]),
});
const rooms = (...more: readonly (readonly [string, Room])[]): Partial<Known> => ({
  room: new Map([...ROOMS, SHM, ...more]),
});
const full = (path: string, free = 0): Partial<Known> => rooms(room(path, { mount: path, free }));

const ALL = GPUS.map(({ index }) => index);
const M = '/models/target';
const TP = [M, '-tp', '2'];
const HUB = { environment: { HF_HUB_OFFLINE: '1' } };
const SHARDS = ['model-1.safetensors', 'model-2.safetensors'];
const MISTRAL = ['consolidated.safetensors', 'params.json', 'tekken.json', 'model.safetensors.index.json'];
const LARGE = folder(
  { ...TARGET, text_config: { ...TARGET.text_config, n_routed_experts: 256 } },
  { weights: SHARDS.map((name) => weight(name, 300 * GIB)) },
);
const F32 = [0, 1].map((index) => {
  const one = weight(`model-${index + 1}.safetensors`, 40 * GIB);
  return { ...one, header: one.header.replace('BF16', 'F32') };
});

it.each<[string, Subject, Partial<Known>?]>([
  ['a model as it should be', serve([...TP, ...drafting(), '--max-num-batched-tokens', '32768'])],

  ['its sizes and share in a file of flags', serve([M, '--config', '/root/serve.yaml', ...drafting()]), { gpus: HELD }],
  ['Ray behind an equals sign', serve([M, '-tp', '12', '--distributed-executor-backend=ray'])],
  ['a node that only answers requests', serve([M, '-dp', '4', '-dpl', '0']), { gpus: HELD }],
  [
    'several values of a flag before nothing else',
    serve(['--model', M, '-tp', '2', '--cuda-graph-sizes', '1', '2', '4'], HUB),
  ],
  [
    'a folder that is called as a container is',
    serve(['/models/docker', '-tp', '2']),
    at(['/models/docker', folder(TARGET)]),
  ],

  ['experts that data parallel ranks share', serve([M, '-dp', '8', '-ep'], { gpus: ALL }), at([M, LARGE])],
  ['experts shared without the flag', serve([M, '-tp', '1', '-dp', '8'], { gpus: ALL }), at([M, LARGE])],
  ['quantized on the way in, by the short flag', serve([M, '-q', 'fp8'])],
  [
    'weights of 32 bits, which it loads as 16',
    serve(TP),
    target({ ...TARGET, torch_dtype: 'float32' }, { weights: F32 }),
  ],
  [
    'weights that are partly for drafting ahead',
    serve(TP),
    target(TARGET, { weights: SHARDS.map((name) => weight(name, 44.5 * GIB)) }),
  ],

  [
    'a length that the model has under another name',
    serve([...TP, '--max-model-len', '40000']),
    target({ max_position_embeddings: 32_768, model_max_length: 65_536 }),
  ],
  [
    'a length that the prelude allows',
    serve([...TP, '--max-model-len', '300000'], { prelude: 'export VLLM_ALLOW_LONG_MAX_MODEL_LEN=1' }),
  ],
  [
    'a length by a sourced file',
    serve([...TP, '--max-model-len', '300000'], { prelude: 'set -a; source /root/env.sh' }),
  ],
  ['a configuration from elsewhere', serve([...TP, '--max-model-len', '300000', '--hf-config-path', '/models/config'])],
  [
    'more heads than divide, in a configuration that is not read',
    serve([M, '-tp', '5', '--hf-config-path', '/c'], { gpus: ALL }),
  ],
  [
    'batches doubled for throughput',
    serve([...TP, ...drafting(), '--performance-mode', 'throughput', '--max-num-seqs', '200']),
  ],
  ['batches as long as the model', serve([...TP, ...drafting(), '--no-enable-chunked-prefill'])],

  [
    'Mistral files beside an index that nobody follows',
    serve([...TP, '--load-format', 'mistral', '--config-format', 'mistral']),
    target(null, { config: null, weights: [weight('consolidated.safetensors')], names: MISTRAL }),
  ],
  [
    'Mistral files, told by themselves',
    serve(TP),
    target(TARGET, { weights: [weight('consolidated.safetensors')], names: [...MISTRAL, 'config.json'] }),
  ],
  [
    'weights of torch beside an index of none',
    serve(TP),
    target(TARGET, {
      weights: [{ ...weight('pytorch_model.bin'), headerLength: null, header: '' }],
      names: ['pytorch_model.bin', 'config.json', 'tokenizer.json'],
    }),
  ],
  [
    'no config.json where another is named',
    serve([...TP, '--hf-config-path', '/models/config']),
    target(null, { config: null }),
  ],
  [
    'weights that a loader takes from elsewhere',
    serve([
      ...TP,
      '--load-format',
      'tensorizer',
      '--model-loader-extra-config',
      '{"tensorizer_uri":"s3://b/m.tensors"}',
    ]),
    target(TARGET, { weights: [], index: null }),
  ],
  [
    'a GGUF file of the hub',
    serve(['unsloth/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q4_K_M.gguf']),
    at(['unsloth/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q4_K_M.gguf', { kind: 'missing' }]),
  ],

  [
    'a cache that the prelude moves',
    serve(['org/model', '-tp', '2'], { ...HUB, prelude: 'export HF_HOME=$SCRATCH/hf' }),
    cached({}),
  ],
  [
    'a cache that a sourced file may move',
    serve(['org/model', '-tp', '2'], { ...HUB, prelude: 'source /root/env.sh' }),
    cached({}),
  ],
  ['a small model on a small disk', serve(['org/model']), { ...cached({}), ...full('~/.cache/huggingface/hub', GIB) }],
  [
    'a whole model in a cache that is full',
    serve(['org/model', '-tp', '2']),
    { ...cached({ snapshot: folder(TARGET) }), ...full('~/.cache/huggingface/hub') },
  ],

  [
    'a model below the folder that the prelude goes to',
    serve(['./models/a', '-tp', '2'], { prelude: 'cd /data' }),
    at(['./models/a', { kind: 'missing' }], ['/data/models/a', folder(TARGET)]),
  ],
  [
    'a model below a folder that nobody knows',
    serve(['./models/a', '-tp', '2'], { prelude: 'cd $DATA' }),
    at(['./models/a', { kind: 'missing' }]),
  ],
  [
    'a fork whose version says nothing',
    serve(TP, { versions: { vllm: '>=0.20' } }),
    { packages: packages({ vllm: '0.1.dev1+g8a1b2c3' }) },
  ],
  [
    'two versions that an install left',
    serve(TP, { versions: { vllm: '>=0.20' } }),
    {
      packages: {
        ...GOOD.packages,
        distributions: ['0.19.0', '0.25.0'].map((version) => ({ name: 'vllm', version, folder: '/s' })),
      },
    },
  ],
  ['a log on a disk of its own', serve(TP), full('/root', 700 * 1024 ** 2)],
  ['a compile cache on a full disk', serve([...TP, '--enforce-eager']), full('~/.cache/vllm')],
  ['a file system that tells no sizes', serve(TP), rooms(room('/root', { free: 0, total: 0 }))],
  [
    'a full disk where a training keeps hidden states for a moment',
    script(
      `python launch_vllm.py ${M} -- -tp 2 &\nCUDA_VISIBLE_DEVICES=2,3 torchrun --nproc_per_node 2 train.py --verifier-name-or-path ${M} --save-path /w/out`,
    ),
    full('/tmp/hidden_states'),
  ],
  [
    "Docker's own shared memory",
    serve(TP),
    rooms(room('/dev/shm', { mount: '/dev/shm', free: 64 * 1024 ** 2, total: 64 * 1024 ** 2 })),
  ],

  [
    'a newer CUDA by its compatibility package',
    serve(TP, { environment: { LD_LIBRARY_PATH: '/usr/local/cuda/compat' } }),
    { driver: { version: '550.54', cuda: '12.4', capabilities: CAPABILITIES } },
  ],
  [
    'a runtime of a newer CUDA that something else brought',
    serve(TP),
    {
      driver: { version: '550.54', cuda: '12.4', capabilities: CAPABILITIES },
      packages: packages({
        vllm: '0.25.0',
        torch: '2.9.0',
        'nvidia-cuda-runtime-cu12': '12.8.90',
        'nvidia-cuda-runtime': '13.0.88',
      }),
    },
  ],
  [
    'a fork that needs no flash_attn.ops',
    serve(TP),
    { packages: packages({ vllm: '0.20.2.dev31+g8a1b2c3' }, { flashAttn: ['cute'] }) },
  ],
  [
    'a backend of its own for the drafter',
    serve([
      ...TP,
      ...drafting({ attention_backend: 'FLASH_ATTN' }),
      '--attention-backend',
      'FLASHINFER',
      '--max-num-batched-tokens',
      '32768',
    ]),
    { packages: packages({ vllm: '0.23.1' }) },
  ],
  [
    'packages beside those of the environment',
    serve(TP, { environment: { PYTHONPATH: '/opt/extra' }, versions: { speculators: '>=0.5' } }),
  ],
  [
    'an environment that conda activates',
    serve(TP, {
      prelude: 'source /opt/conda/etc/profile.d/conda.sh\nconda activate vllm',
      versions: { vllm: '>=0.20' },
    }),
    { packages: packages({ vllm: '0.9.0' }, { flashAttn: ['cute'] }) },
  ],
  [
    'a program found on a path that the prelude sets',
    serve(TP, { prelude: 'export PATH=/opt/new/bin:$PATH', versions: { vllm: '>=0.20' } }),
    { packages: packages({ vllm: '0.9.0' }) },
  ],

  [
    'flags of a script that only the shell knows',
    script(`CUDA_VISIBLE_DEVICES=0,1 vllm serve ${M} $VLLM_ARGS &`),
    { gpus: HELD },
  ],
  [
    'flags behind one without a value',
    script(`CUDA_VISIBLE_DEVICES=0,1 vllm serve ${M} -tp 2 --trust-remote-code $EXTRA &`),
    { gpus: HELD },
  ],
  [
    'a model below the folder that the script goes to',
    script(`cd /data\nCUDA_VISIBLE_DEVICES=0,1 vllm serve ./models/a -tp 2 &`),
    at(['./models/a', { kind: 'missing' }], ['/data/models/a', folder(TARGET)]),
  ],
  [
    'targets behind an address of their own',
    script(
      `CUDA_VISIBLE_DEVICES=0 python launch_vllm.py ${M} -- --port 8001 --quantization fp8 &\nCUDA_VISIBLE_DEVICES=1 python launch_vllm.py ${M} -- --port 8002 --quantization fp8 &\nnginx -c lb.conf &\nCUDA_VISIBLE_DEVICES=2,3 torchrun --nproc_per_node 2 train.py --verifier-name-or-path ${M} --vllm-endpoint http://localhost:9000/v1 --save-path /w/out`,
    ),
  ],
  [
    'flags that are written in short',
    serve([M, '--tensor-parallel', '2', '--gpu-memory-util', '0.5', '--kv-cache-dtype', 'fp8']),
    { gpus: HELD },
  ],
  [
    'a program in another root',
    serve([], { argv: ['chroot', '/srv/box', 'vllm', 'serve', '/m', '-tp', '2'] }),
    at(['/m', { kind: 'missing' }]),
  ],
  [
    'a drafter of four bits',
    serve([...TP, ...drafting(), '--max-num-batched-tokens', '32768']),
    at([
      '/models/drafter',
      draftFolder(DRAFTER, {
        weights: [
          {
            ...weight('model.safetensors', GIB),
            header: '{"fc.weight":{"dtype":"U8","shape":[5120,12800],"data_offsets":[0,1073741752]}}',
          },
        ],
      }),
    ]),
  ],
  [
    'an environment that conda activates, behind env',
    serve([], {
      argv: ['/usr/bin/env', 'vllm', 'serve', ...TP],
      prelude: 'conda activate vllm',
      versions: { vllm: '>=0.20' },
    }),
    { packages: packages({ vllm: '0.9.0' }) },
  ],
  [
    'flags of the trainer that only the shell knows',
    script(
      `CUDA_VISIBLE_DEVICES=0,1 python launch_vllm.py ${M} --target-layer-ids 1 2 3 -- -tp 2 --port 8001 &\nCUDA_VISIBLE_DEVICES=2,3 torchrun $RANKS train.py --verifier-name-or-path ${M} $TRAIN_ARGS`,
    ),
    { saves: new Map([['/w/output/checkpoints', { kind: 'folder', isWritable: false, checkpoints: [] }]]) },
  ],
  [
    'a home folder written in two ways',
    script(
      `CUDA_VISIBLE_DEVICES=0,1 python launch_vllm.py ~/models/a -- -tp 2 &\nCUDA_VISIBLE_DEVICES=2,3 torchrun --nproc_per_node 2 train.py --verifier-name-or-path /root/models/a --save-path /w/out`,
    ),
    at(['~/models/a', folder(TARGET)]),
  ],
  [
    'a cache that a script moves',
    script(`export HF_HOME=$SCRATCH/hf HF_HUB_OFFLINE=1\nCUDA_VISIBLE_DEVICES=0,1 vllm serve org/model -tp 2 &`),
    cached({}),
  ],
  [
    'a cache that a file of the script may move',
    script(`source env.sh\nexport HF_HUB_OFFLINE=1\nCUDA_VISIBLE_DEVICES=0,1 vllm serve org/model -tp 2 &`),
    cached({}),
  ],
])('lets start: %s', (_, subject, changes = {}) => {
  const refusals = judgeAll(factsOf(changes), subject).filter(({ verdict }) => verdict === 'refused');
  expect(refusals).toEqual([]);
});

const mig = gpuUse(0, { isMig: true, migs: [{ uuid: 'MIG-0', name: 'MIG 1g.10gb' }] });

it.each<[string, string, Subject, Partial<Known>?]>([
  [
    'faults of a drafter that is not cached',
    'known-faults',
    serve([...TP, ...drafting({ model: 'org/d' })]),
    { ...cached({}), packages: packages({ vllm: '0.24.0' }) },
  ],
  ['faults in what a file asks', 'known-faults', serve([...TP, '--config', 'a.yaml'])],
  ['a GGUF file', 'model', serve(['/m/model.gguf']), at(['/m/model.gguf', { kind: 'file' }])],
  ['the memory of a MIG device', 'weights-fit', serve([M], { gpus: ['MIG-0'] }), { gpus: [mig] }],
  [
    'devices that change from round to round',
    'training-devices',
    script(
      `i=0\nfor port in 8000 8001; do\n  CUDA_VISIBLE_DEVICES=$i vllm serve ${M} --port $port &\n  i=$((i + 1))\ndone\nCUDA_VISIBLE_DEVICES=1 torchrun --nproc_per_node 1 train.py --verifier-name-or-path ${M}`,
    ),
  ],
  [
    'the address that another trainer asks',
    'target-address',
    script(
      `CUDA_VISIBLE_DEVICES=0,1 python launch_vllm.py ${M} -- -tp 2 &\nCUDA_VISIBLE_DEVICES=2 python train_dflash.py --server http://localhost:9999`,
    ),
  ],
  ['packages of an environment that conda chooses', 'versions', serve(TP, { prelude: 'conda activate vllm' })],
])('does not call passed what it did not look at: %s', (_, check, subject, changes = {}) => {
  const own = judgeAll(factsOf(changes), subject).filter((finding) => finding.check === check);
  expect(own.filter(({ verdict, found }) => verdict === 'passed' && !/^the trainer/.test(found))).toEqual([]);
});

it('lets nobody force a training onto GPUs where somebody computes', () => {
  const four = [...GPUS.slice(0, 3), gpuUse(3, { processes: [gpuProcess()] })];
  const subject = { ...training(), devices: ['0', '1', '2'] };
  const findings = judgeAll(factsOf({ gpus: four }), subject);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'training-devices', isFinal: true }));
});
