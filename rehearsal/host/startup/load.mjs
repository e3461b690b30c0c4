/** Weights: the target's shards, then the drafter's own bar. */
import { layerIdsOf } from '../disk/drafter.mjs';
import { renderShards } from '../stand-in/bars.mjs';

export const targetShards = 15;
export const targetGib = 51.74;
/** How long a shard takes from the page cache. */
const usualShardSeconds = 0.55;
const drafterGib = 3.22;
const firstMib = 506;
const weightsMib = 26_700;
const drafterMib = 1_780;

/** `onShard` is called as each shard begins. */
export async function load(server, { seconds = usualShardSeconds, onShard = () => undefined } = {}) {
  await beginLoading(server, { gib: targetGib });
  await loadShards(server, { from: 0, to: targetShards, seconds, onShard });
  await finishLoading(server, { seconds });
}

/** From the last shard on: the drafter, and what each rank has loaded. */
export async function finishLoading(server, { seconds: perShard }) {
  await finishBar(server, targetShards * perShard);
  await server.pace.wait(1);
  if (server.args.drafter !== null) await loadDrafter(server);
  const seconds = targetShards * perShard + (server.args.drafter === null ? 1.665 : 4.5197);
  server.workers.forEach((worker, rank) => {
    const took = (seconds + rank * 0.0255).toFixed(6);
    worker.info(
      'gpu_model_runner.py:4879',
      `Model loading took ${(server.mib / 1024 - 0.5).toFixed(2)} GiB memory and ${took} seconds`,
    );
  });
}

/** Up to the moment before the first shard; `gib` null: nobody knows yet, as the weights are not there. */
export async function beginLoading(server, { gib }) {
  const [first] = server.workers;
  first.info('gpu_model_runner.py:4756', `Starting to load model ${server.args.model}...`);
  first.info(
    'cuda.py:334',
    "Using FLASH_ATTN attention backend out of potential backends: ['FLASH_ATTN', 'FLASHINFER', 'TRITON_ATTN', 'FLEX_ATTENTION'].",
  );
  first.info('flash_attn.py:596', 'Using FlashAttention version 2');
  if (gib !== null) {
    first.info(
      'weight_utils.py:869',
      `Filesystem type for checkpoints: EXT4. Checkpoint size: ${gib.toFixed(2)} GiB. Available RAM: 212.06 GiB.`,
    );
  }
  await server.pace.work(1);
}

/** Draws the bar from one count to another; memory grows with it. */
export async function loadShards(server, { from, to, seconds = usualShardSeconds, onShard = () => undefined }) {
  const [first] = server.workers;
  for (let done = from; done <= to; done += 1) {
    server.useMemory(loadedMib(done / targetShards));
    first.plain(renderShards({ done, total: targetShards, seconds: done * seconds }));
    if (done === to) return;
    onShard();
    await server.pace.work(seconds);
  }
}

/** The bar of shards that are all there already. */
export function logShards({ workers: [first] }, { from, to, seconds }) {
  for (let done = from; done <= to; done += 1) {
    first.plain(renderShards({ done, total: targetShards, seconds: done * seconds }));
  }
}

/** GPU memory of each rank when this share of the target's weights is there. */
export function loadedMib(share) {
  return firstMib + Math.round(weightsMib * share);
}

/** Closing the bar draws it once more and leaves a line with nothing but the prefix. */
async function finishBar({ workers: [first] }, seconds) {
  first.plain(renderShards({ done: targetShards, total: targetShards, seconds }));
  first.plain('');
  first.info('default_loader.py:391', `Loading weights took ${(seconds + 0.12).toFixed(2)} seconds`);
}

async function loadDrafter(server) {
  const { args, pace, workers } = server;
  const [first] = workers;
  for (const worker of workers) worker.info('gpu_model_runner.py:4839', 'Loading drafter model...');
  first.info(
    'weight_utils.py:869',
    `Filesystem type for checkpoints: EXT4. Checkpoint size: ${drafterGib.toFixed(2)} GiB. Available RAM: 211.80 GiB.`,
  );
  first.plain(renderShards({ done: 0, total: 1, seconds: 0 }));
  await pace.work(0.8);
  server.useMemory(loadedMib(1) + drafterMib);
  for (let drawn = 0; drawn < 2; drawn += 1) first.plain(renderShards({ done: 1, total: 1, seconds: 0.8 }));
  first.plain('');
  first.info('default_loader.py:391', 'Loading weights took 0.94 seconds');
  for (const part of ['embed_tokens', 'lm_head']) {
    first.info(
      'llm_base_proposer.py:1372',
      `Detected EAGLE model without its own ${part} in the checkpoint. Sharing target model ${part} weights with the draft model.`,
    );
  }
  const layers = layerIdsOf(args.drafter.model ?? '')?.map((layer) => layer + server.serving.layerOffset);
  if (layers !== undefined) {
    first.info('gpu_model_runner.py:4862', `Using auxiliary layers from speculative config: (${layers.join(', ')})`);
  }
  await pace.wait(0.5);
}
