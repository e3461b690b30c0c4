import { lastFlag } from '../../config/flags.ts';
import type { GpuUse } from '../../host/gpu.ts';
import type { Check, Judged, Known, Sample } from '../check.ts';
import { devicesOf, draftTensorSize, sizeOf } from '../gpus.ts';
import type { JsonObject } from '../json.ts';
import { passed, refused, warning } from '../judged.ts';
import { lookOf, targetConfig, textConfig } from '../looks.ts';
import { drafting, folder, GIB, gpuUse, pair, serving, TARGET, weight } from '../samples.ts';
import { shareOf, usableMib } from '../share.ts';
import type { ModelRef, Server, Subject } from '../subject.ts';
import { isUnread } from '../unread.ts';
import { weightBytes } from '../weights.ts';
import { size } from '../words.ts';

const MIB = 1024 ** 2;
/** Bytes a GPU, roughly: activations of the largest batch, CUDA graphs, NCCL. */
const BESIDES = 2 * 1024 ** 3;

/** A first estimate: weights / (tensor × pipeline) + drafter + what runs beside them, against the share of the smallest GPU. */
export const WEIGHTS_FIT: Check = {
  id: 'weights-fit',
  label: 'Weights in GPU memory',
  needs: ['models', 'hub'],
  uses: ['gpus'],
  concerns: ({ servers }) => servers.some(({ model }) => model !== null),
  judge: (facts, subject) => subject.servers.flatMap((server) => judgeServer(server, { facts, subject })),
  get samples(): readonly Sample[] {
    const gpus = [gpuUse(0), gpuUse(1)];
    const facts = { gpus, ...pair() };
    const two = ['/models/target', '-tp', '2'];
    const slow = folder(TARGET, {
      weights: [weight('model-1.safetensors', 41 * GIB), weight('model-2.safetensors', 41 * GIB)],
    });
    return [
      { subject: serving([...two, ...drafting()]), facts, verdicts: ['passed'] },
      { subject: serving(['/models/target', ...drafting()]), facts, verdicts: ['refused'] },
      { subject: serving(['/models/target', '--quantization', 'fp8']), facts, verdicts: ['warning'] },
      {
        subject: serving(two),
        facts: { ...facts, models: new Map([['/models/target', slow]]) },
        verdicts: ['warning'],
      },
      { subject: serving(two), facts: { ...facts, models: new Map() }, verdicts: [] },
      { subject: serving(two), facts: { ...facts, gpus: null }, verdicts: [] },
    ];
  },
};

interface Looking {
  readonly facts: Pick<Known, 'gpus' | 'models' | 'hub'>;
  readonly subject: Subject;
}

function judgeServer(server: Server, { facts, subject }: Looking): readonly Judged[] {
  const devices = facts.gpus === null ? null : devicesOf(server, subject, facts.gpus);
  const bytes = bytesOf(server.model, facts);
  // Of a MIG device nobody tells the memory.
  if (
    devices === null ||
    devices.length === 0 ||
    devices.some(({ mig }) => mig !== null) ||
    bytes === null ||
    isElsewhere(server)
  )
    return [];
  const shards = sizeOf(server, '--tensor-parallel-size') * sizeOf(server, '--pipeline-parallel-size');
  const drafter = (bytesOf(server.drafter, facts) ?? 0) / draftTensorSize(server);
  const weights = bytes / shards + drafter;
  const { value: share } = shareOf(server);
  const limit = share * smallest(devices.map(({ gpu }) => gpu));
  if (!Number.isFinite(limit)) return [];
  const withDrafter = drafter === 0 ? '' : `, the drafter's ${size(drafter)} included`;
  const found = `about ${size(weights)} of weights a GPU${withDrafter}`;
  const needed = `less than ${size(limit)} (${share} of the GPU), with about ${size(BESIDES)} for the rest of the engine`;
  if (weights + BESIDES < limit) return [passed(found, `less than ${size(limit - BESIDES)}`)];
  const isSure =
    weights * SURELY_LOADED > limit && !mayShrink(server, facts) && !isUnread(server, '--gpu-memory-utilization');
  return [(isSure ? refused : warning)(found, { needed, advice: ADVICE })];
}

const ADVICE =
  'Raise `--tensor-parallel-size` or `--gpu-memory-utilization`, or take a quantized model: what is left is the KV cache.';

/** With any of these less than the files' bytes comes to a GPU. */
const SHRINKS = [
  '--quantization',
  '-q',
  '--cpu-offload-gb',
  '--offload-backend',
  '--offload-group-size',
  '--enable-expert-parallel',
  '-ep',
  '--language-model-only',
  '--limit-mm-per-prompt',
  '--hf-overrides',
  '--kv-cache-memory-bytes',
  '--dtype',
] as const;

/** Layers that only draft ahead (MTP) stand in the files, and are left out. */
const SURELY_LOADED = 0.9;

/** Also for experts, which data parallel ranks share among them, and for weights of 32 bits, which are loaded as 16. */
function mayShrink(server: Server, facts: Looking['facts']): boolean {
  if (SHRINKS.some((flag) => lastFlag(server.argv, flag) !== null)) return true;
  const config = targetConfig(server, facts);
  const hasRanks = server.sizes.some(({ flag }) => /^--data-parallel/.test(flag));
  const look = server.model === null ? null : lookOf(server.model, facts);
  const hasWide =
    look?.kind === 'model' && look.weights.some(({ header }) => /"dtype":\s{0,4}"F(?:32|64)"/.test(header));
  return (hasRanks && (config === null || hasExperts(textConfig(config)))) || hasWide;
}

function hasExperts(config: JsonObject): boolean {
  return Object.keys(config).some((key) => /experts|moe/.test(key));
}

/** The engine doesn't take it all from files. */
function isElsewhere({ argv }: Server): boolean {
  return lastFlag(argv, '--load-format')?.value === 'dummy';
}

function bytesOf(ref: ModelRef | null, facts: Looking['facts']): number | null {
  const look = ref === null ? null : lookOf(ref, facts);
  return look?.kind === 'model' ? weightBytes(look) : null;
}

/** Bytes; infinite where none is told. */
function smallest(gpus: readonly GpuUse[]): number {
  return Math.min(...gpus.map((gpu) => (usableMib(gpu) ?? Number.POSITIVE_INFINITY) * MIB));
}
