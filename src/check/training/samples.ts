/** Made-up trainings that rows' samples are written with: a target on GPUs 0 and 1, a trainer on 2 and 3. */

import type { TrainRecipe } from '../../config/config.ts';
import type { Checkpoint, Room, SaveLook } from '../../host/preflight.ts';
import { folder, GIB, gpuUse, TARGET } from '../samples.ts';
import type { Subject } from '../subject.ts';
import { readTraining } from './read-training.ts';

interface Changes {
  readonly recipe?: Partial<TrainRecipe>;
  readonly devices?: readonly string[] | null;
}

/** What such a script starts. `target` and `trainer`: words behind those that are always there. */
export interface Script {
  readonly target?: string;
  readonly trainer?: string;
  readonly targetGpus?: string;
  readonly trainerGpus?: string;
  /** Instead of launch_vllm.py with `target`. */
  readonly server?: string;
  /** Instead of /models/target. */
  readonly verifier?: string;
  readonly save?: string;
  /** Instead of the whole trainer. */
  readonly command?: string;
  /** What stands between the two. */
  readonly between?: string;
}

const IDS = '2 17 32 47 62';

export function training(script: Script = {}, changes: Changes = {}): Subject {
  const { target = `--target-layer-ids ${IDS} -- -tp 2 --port 8000`, trainer = `--target-layer-ids ${IDS}` } = script;
  const { targetGpus = '0,1', trainerGpus = '2,3', verifier = '/models/target', save = '/w/out' } = script;
  const lines = [
    `${visible(targetGpus)}${script.server ?? `python launch_vllm.py /models/target ${target}`} &`,
    script.between ?? '',
    `${visible(trainerGpus)}${script.command ?? `torchrun --nproc_per_node 2 train.py --verifier-name-or-path ${verifier} --save-path ${save} ${trainer}`}`,
  ];
  const argv = ['bash', '-c', lines.join('\n')];
  const recipe: TrainRecipe = {
    kind: 'train',
    name: 'drafter',
    argv,
    environment: {},
    secrets: [],
    prelude: null,
    directory: '/w',
    log: '/w/run.log',
    gpus: ['0', '1', '2', '3'],
    stopGrace: 120,
    expect: [],
    versions: {},
    python: null,
    budgets: {},
    address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
    targetLog: null,
    resume: false,
    ...changes.recipe,
  };
  return {
    host: 'trainer',
    recipe,
    address: recipe.address,
    devices: changes.devices === undefined ? ['0', '1', '2', '3'] : changes.devices,
    ...readTraining({ argv, environment: {}, directory: '/w', scripts: new Map() }),
  };
}

function visible(gpus: string): string {
  return gpus === '' ? '' : `CUDA_VISIBLE_DEVICES=${gpus} `;
}

export const FOUR = [0, 1, 2, 3].map((index) => gpuUse(index));

/** The target as the host shows it, and another folder of a drafter with these ids. */
export function shown(layerIds: readonly number[] = [2, 17, 32, 47, 62]) {
  const drafter = { speculators_model_type: 'dflash', aux_hidden_state_layer_ids: layerIds };
  const models = new Map([
    ['/models/target', folder(TARGET)],
    ['/models/first', folder(drafter, { path: '/models/first' })],
  ]);
  return { models, hub: new Map() };
}

const WHOLE = ['config.json', 'model.safetensors', 'optimizer_state_dict.pt', 'training_state.json'];

export function checkpoint(name: string, changes: Partial<Checkpoint> = {}): Checkpoint {
  return { name, names: WHOLE, bytes: 12 * GIB, age: 3 * 3600, ...changes };
}

/** /w/out with these checkpoints. */
export function saved(...checkpoints: readonly Checkpoint[]): ReadonlyMap<string, SaveLook> {
  return new Map([['/w/out', { kind: 'folder', checkpoints, isWritable: true }]]);
}

export function room(free: Readonly<Record<string, number>>): ReadonlyMap<string, Room> {
  return new Map(
    Object.entries(free).map(([path, bytes]) => [
      path,
      { path, mount: '/', free: bytes, total: 1000 * GIB, isWritable: true },
    ]),
  );
}
