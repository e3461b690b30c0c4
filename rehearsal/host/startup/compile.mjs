/** torch.compile with a warm cache or a cold one, target and drafter, then the memory that is left for the KV cache. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { keepSilence } from '../stand-in/silence.mjs';

const kvCacheMib = 13_400;
const kvTokens = 203_152;
const cache = join(process.env.VLLM_CACHE_ROOT ?? join(homedir(), '.cache', 'vllm'), 'torch_compile_cache');
/** A cold compile; `least` is real time, at any speed. */
const cold = { seconds: 340, least: 25, fileBytes: 96 * 1024, spin: 40_000 };

/** `isCold`: nothing is in the cache yet. */
export async function compile(server, { isCold = false } = {}) {
  const { pace, workers, args } = server;
  const [first] = workers;
  first.info(
    'gpu_model_runner.py:5820',
    'Encoder cache will be initialized with a budget of 16384 tokens, and profiled with 1 image items of the maximum feature size.',
  );
  await pace.work(3);
  for (const file of ['<frozen os>', '<frozen importlib._bootstrap>']) {
    for (const worker of workers) worker.warning('backends.py:1028', `Failed to read file ${file}`);
  }
  await pace.work(3);
  const backbone = { part: 'backbone', dynamo: 8.12, load: 3.116, total: 11.84 };
  await (isCold ? makeGraphs(server, backbone) : loadGraphs(server, backbone));
  await pace.work(16);
  first.info('monitor.py:81', 'Initial profiling/warmup run took 19.42 s');
  if (args.drafter !== null) {
    await loadGraphs(server, { part: 'eagle_head', dynamo: 0.41, load: 0.118, total: 0.55 });
    first.info('monitor.py:81', 'Initial profiling/warmup run took 0.02 s');
  }
  await measureMemory(server);
}

async function loadGraphs({ pace, workers, args }, { part, dynamo, load, total }) {
  const [first] = workers;
  first.info(
    'backends.py:1089',
    `Using cache directory: ${cache}/5d1089d653/rank_0_0/${part} for vLLM's torch.compile`,
  );
  await pace.work(total / 4);
  first.info('backends.py:1148', `Dynamo bytecode transform time: ${dynamo.toFixed(2)} s`);
  await pace.work(load);
  first.info(
    'backends.py:292',
    `Directly load the compiled graph(s) for compile range (1, ${args.batchedTokens}) from the cache, took ${load.toFixed(3)} s`,
  );
  for (const [rank, worker] of workers.entries()) {
    worker.info(
      'decorators.py:311',
      `Directly load AOT compilation from path ${cache}/torch_aot_compile/1aa85c94885d1a1d/rank_${rank}_0/model`,
    );
  }
  first.info('monitor.py:53', `torch.compile took ${total.toFixed(2)} s in total`);
}

/** Minutes without a line: the ranks compute and files come into the cache. */
async function makeGraphs(server, { part }) {
  const { workers, args } = server;
  const [first] = workers;
  const folder = join(cache, '5d1089d653', 'rank_0_0', part);
  mkdirSync(folder, { recursive: true });
  first.info('backends.py:1089', `Using cache directory: ${folder} for vLLM's torch.compile`);
  first.info('backends.py:1148', 'Dynamo bytecode transform time: 41.30 s');
  let made = 0;
  const act = () => {
    server.order(`spin ${cold.spin}`);
    writeFileSync(
      join(folder, `artifact_range_1_${args.batchedTokens}_subgraph_${made}`),
      Buffer.alloc(cold.fileBytes, 1),
    );
    made += 1;
  };
  await keepSilence(server, { seconds: cold.seconds, least: cold.least, act });
  const range = `(1, ${args.batchedTokens})`;
  first.info('backends.py:305', `Cache the graph of compile range ${range} for later use`);
  first.info('backends.py:322', `Compiling a graph for compile range ${range} takes ${cold.seconds.toFixed(2)} s`);
  first.info('monitor.py:53', `torch.compile took ${(cold.seconds + 41.3).toFixed(2)} s in total`);
}

async function measureMemory(server) {
  const { pace, workers, core, args } = server;
  for (const worker of [...workers].reverse()) {
    worker.info(
      'gpu_model_runner.py:6021',
      'Profiling CUDA graph memory: PIECEWISE=11 (largest=64), FULL=8 (largest=64)',
    );
  }
  await pace.work(2);
  for (const worker of workers) worker.info('gpu_model_runner.py:6100', 'Estimated CUDA graph memory: 0.31 GiB total');
  workers[0].info('gpu_worker.py:440', `Available KV cache memory: ${(kvCacheMib / 1024).toFixed(2)} GiB`);
  core.info('kv_cache_utils.py:1711', `GPU KV cache size: ${kvTokens.toLocaleString('en-US')} tokens`);
  const length = args.maxModelLen.toLocaleString('en-US');
  core.info(
    'kv_cache_utils.py:1716',
    `Maximum concurrency for ${length} tokens per request: ${(kvTokens / args.maxModelLen).toFixed(2)}x`,
  );
  server.useMemory(server.mib + kvCacheMib);
  await pace.work(1);
}
