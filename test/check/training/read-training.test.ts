/** What is read from the command of a training, its scripts included, without running anything. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTraining } from '../../../src/check/training/read-training.ts';
import { scriptsOf } from '../../../src/check/training/script-paths.ts';

function read(script: string, given: Partial<Parameters<typeof readTraining>[0]> = {}) {
  return readTraining({
    argv: ['bash', 'train.sh'],
    environment: {},
    directory: '/w',
    scripts: new Map([['train.sh', script]]),
    ...given,
  });
}

test('the script of the rehearsal is read whole', () => {
  const text = readFileSync('rehearsal/host/trainer/train.sh', 'utf8');
  const path = '/workspace/dflash/train.sh';
  const { servers, trainer, unread } = readTraining({
    argv: ['bash', path],
    environment: { PORT: '8123' },
    directory: null,
    scripts: new Map([[path, text]]),
  });
  expect(servers).toMatchObject([
    {
      devices: ['0', '1'],
      model: { kind: 'folder', path: '/workspace/dflash/models/Qwen3.6-27B' },
      sizes: [{ flag: '--tensor-parallel-size', size: 2 }],
      extraction: { layerIds: [2, 17, 32, 47, 62, 64], addsLast: false, folder: '/tmp/hidden_states' },
    },
  ]);
  expect(servers[0]?.argv.slice(3, 5)).toEqual(['--port', '8123']);
  expect(trainer).toMatchObject({
    devices: ['2', '3'],
    ranks: 2,
    verifier: '/workspace/dflash/models/Qwen3.6-27B',
    savePath: null,
    newSavePath: '/workspace/dflash/out/$(date +%m%d-%H%M%S)/checkpoints',
    hiddenStatesPath: '/workspace/dflash/data/hidden_states',
    targetLayerIds: [2, 17, 32, 47, 62],
  });
  expect(unread).toEqual([]);
});

/** The shape of speculators' example scripts. */
const EXAMPLE = `#!/bin/bash
set -euo pipefail
MODEL="Qwen/Qwen3-8B"   # the target
OUTPUT_DIR="./output/dflash"
VLLM_PORT=8000
TARGET_LAYER_IDS="2 18 33"
VLLM_GPUS="0,1"
TRAIN_GPUS="2,3"
NUM_TRAIN_GPUS=2

python scripts/prepare_data.py --model "$MODEL" --output "$OUTPUT_DIR"

CUDA_VISIBLE_DEVICES="$VLLM_GPUS" python scripts/launch_vllm.py "$MODEL" \\
    --target-layer-ids $TARGET_LAYER_IDS \\
    -- --data-parallel-size 2 --port "$VLLM_PORT" &
VLLM_PID=$!

cleanup() {
    kill "$VLLM_PID" 2>/dev/null || true
}
trap cleanup EXIT

until curl -sf "http://localhost:\${VLLM_PORT}/health" > /dev/null 2>&1; do
    sleep 2
done
STOP_TARGET
CUDA_VISIBLE_DEVICES="$TRAIN_GPUS" torchrun \\
    --standalone --nproc_per_node "$NUM_TRAIN_GPUS" \\
    scripts/train.py \\
    --verifier-name-or-path "$MODEL" \\
    --data-path "$OUTPUT_DIR" \\
    --vllm-endpoint "http://localhost:\${VLLM_PORT}/v1" \\
    --save-path "$OUTPUT_DIR/checkpoints" \\
    --target-layer-ids $TARGET_LAYER_IDS
`;

test('a script in the shape of the examples of speculators is read whole', () => {
  const { servers, trainer, unread } = read(EXAMPLE.replace('STOP_TARGET', ''));
  expect(servers).toMatchObject([
    {
      devices: ['0', '1'],
      model: { kind: 'hub', id: 'Qwen/Qwen3-8B' },
      sizes: [{ flag: '--data-parallel-size', size: 2 }],
      extraction: { layerIds: [2, 18, 33], addsLast: true, folder: '/tmp/hidden_states' },
    },
  ]);
  expect(trainer).toMatchObject({
    devices: ['2', '3'],
    ranks: 2,
    verifier: 'Qwen/Qwen3-8B',
    savePath: '/w/output/dflash/checkpoints',
    hiddenStatesPath: '/w/output/dflash/hidden_states',
    targetLayerIds: [2, 18, 33],
  });
  expect(trainer?.isOffline).toBeUndefined();
  expect(unread).toEqual([]);
});

test.each(['kill "$VLLM_PID" 2>/dev/null || true', 'cleanup'])(
  'a target that is stopped before the training (%s) shares no GPU with it',
  (stop) => {
    expect(read(EXAMPLE.replace('STOP_TARGET', stop)).trainer?.isOffline).toBe(true);
  },
);

test('what a script runs in an if, a function or another branch is read where it is certain', () => {
  const { trainer, servers } = read(`
    serve() { CUDA_VISIBLE_DEVICES=$1 vllm serve "$MODEL" --port "$2" & }
    train() {
      local save="$1"; shift
      torchrun --nproc-per-node=2 train.py --verifier-name-or-path "$MODEL" --save-path "$save" "$@"
    }
    MODEL=/m/a
    if [ -n "\${BIG:-}" ]; then MODEL=/m/b; fi
    if true; then PORT=1; else PORT=1; fi
    serve 0,1 "$PORT"
    ARGS=(--target-layer-ids 2 18)
    ARGS+=(33)
    train /s/run "\${ARGS[@]}"
  `);
  expect(servers).toMatchObject([{ devices: ['0', '1'], model: null, unread: ['--model'] }]);
  expect(servers[0]?.argv).toEqual(['vllm', 'serve', '--port', '1']);
  expect(trainer).toMatchObject({ ranks: 2, verifier: null, savePath: '/s/run', targetLayerIds: [2, 18, 33] });
});

test('what only the shell knows is told, with what the script writes, and never guessed', () => {
  const { servers, trainer, unread } = read(`
    source settings.sh
    CUDA_VISIBLE_DEVICES=$(free_gpus 2) vllm serve /m --port \${PORT:-8000} -tp=$TP --trust-remote-code &
    torchrun --nproc_per_node $(nvidia-smi -L | wc -l) train.py --verifier-name-or-path /m --save-path "$OUT/c" --lr $LR
  `);
  expect(servers[0]).toMatchObject({ argv: ['vllm', 'serve', '/m', '--trust-remote-code'], devices: null });
  expect(servers[0]?.unread).toEqual(expect.arrayContaining(['--port', '-tp', 'CUDA_VISIBLE_DEVICES', 'HF_HOME']));
  expect(trainer).toMatchObject({ ranks: null, savePath: null, verifier: '/m' });
  expect(unread).toEqual([
    `Only the shell knows \`--port\` (\`\${PORT:-8000}\`), \`-tp\` (\`-tp=$TP\`) and \`CUDA_VISIBLE_DEVICES\` (\`$(free_gpus 2)\`) of the target server: look at that part yourself, no check can.`,
    'Only the shell knows `--nproc_per_node` (`$(nvidia-smi -L | wc -l)`) and `--save-path` (`$OUT/c`) of the trainer: look at that part yourself, no check can.',
  ]);
});

/** Commands without a script of their own: ranks, devices and verifier of the trainer, or null. */
const TRAINERS: readonly (readonly [readonly string[], unknown])[] = [
  [
    ['torchrun', '--nproc_per_node', '4', 'train.py'],
    [4, null],
  ],
  [
    ['env', 'CUDA_VISIBLE_DEVICES=4,5', 'torchrun', '--nproc-per-node=gpu', 'scripts/train.py'],
    [2, ['4', '5']],
  ],
  [
    ['/v/bin/python', '-m', 'torch.distributed.run', '--nproc_per_node', '2', '-m', 'speculators.train'],
    [2, null],
  ],
  [
    ['accelerate', 'launch', '--num_processes', '3', '--gpu_ids', '0,1,2', 'train.py'],
    [3, ['0', '1', '2']],
  ],
  [
    ['accelerate', 'launch', 'train.py'],
    [null, null],
  ],
  [
    ['python3.12', '-u', 'train_dflash.py'],
    [1, null],
  ],
  [
    ['uv', 'run', 'torchrun', 'train.py'],
    [1, null],
  ],
  [
    ['bash', '-c', 'export CUDA_VISIBLE_DEVICES=1; exec python train.py'],
    [1, ['1']],
  ],
  [['python', 'prepare.py'], null],
  [['cat', 'train.py'], null],
];

test.each(TRAINERS)('of %j the ranks and devices are %j', (argv, expected) => {
  const { trainer } = read('', { argv });
  expect(trainer === null ? null : [trainer.ranks, trainer.devices]).toEqual(expected);
});

test('a script that could not be read is told', () => {
  expect(read('', { argv: ['bash', '/x/train.sh'] })).toEqual({
    servers: [],
    trainer: null,
    unread: ['`/x/train.sh` could not be read, so nothing is known of what it starts: look at the path in argv.'],
  });
});

test('the prelude of the recipe counts like lines of the script', () => {
  const { trainer } = read('python train.py --save-path $OUT', { prelude: 'export OUT=/o\ncd /p' });
  expect(trainer?.savePath).toBe('/o');
});

test.each([
  [['bash', 'train.sh'], ['train.sh']],
  [['bash', '-euo', 'pipefail', '/x/train.sh', 'a'], ['/x/train.sh']],
  [['env', '-u', 'X', 'A=b', 'nice', '-n', '5', '/bin/bash', 'x'], ['x']],
  [['./train.sh', '--fast'], ['./train.sh']],
  [['/w/run-it'], ['/w/run-it']],
  [['bash', '-c', 'train.sh'], []],
  [['/opt/venv/bin/torchrun', 'train.py'], []],
  [['python', 'x.sh'], []],
])('the shell scripts of %j are %j', (argv, expected) => {
  expect(scriptsOf(argv)).toEqual(expected);
});
