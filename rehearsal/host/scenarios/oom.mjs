/** The last GPU is partly taken by another process: its worker runs out of memory while it builds the model. */

import { renderShards } from '../stand-in/bars.mjs';
import { writeBare } from '../stand-in/log.mjs';
import { renderTraceback } from '../stand-in/traceback.mjs';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';
import { endFailedLoad, loadFrames } from '../startup/fail-load.mjs';
import { beginLoading, loadShards, targetGib, targetShards } from '../startup/load.mjs';

/** MiB that processes out of sight hold on each GPU, as nvidia-smi shows them. */
export const othersMib = [0, 21_164];

const failedAt = 3;
const frames = [
  ...loadFrames,
  ['vllm/model_executor/models/qwen3.py', 204, '__init__', 'self.mlp = Qwen3MLP('],
  ['vllm/model_executor/models/qwen2.py', 93, '__init__', 'self.gate_up_proj = MergedColumnParallelLinear('],
  ['vllm/model_executor/layers/linear.py', 478, '__init__', 'self.quant_method.create_weights('],
  ['vllm/model_executor/layers/linear.py', 201, 'create_weights', 'data=torch.empty('],
  ['torch/utils/_device.py', 109, '__torch_function__', 'return func(*args, **kwargs)'],
];

export async function run(server) {
  await configure(server);
  await connect(server);
  await beginLoading(server, { gib: targetGib });
  await loadShards(server, { from: 0, to: failedAt });
  const rank = server.workers.length - 1;
  await failWorker(server, rank);
  await endFailedLoad(server);
}

async function failWorker({ workers, core, pace }, rank) {
  const worker = workers[rank];
  const memory =
    `CUDA out of memory. Tried to allocate 170.00 MiB. GPU ${rank} has a total capacity of 47.41 GiB of which 121.31 MiB is free. ` +
    'Process 3381 has 20.67 GiB memory in use. Including non-PyTorch memory, this process has 26.61 GiB memory in use. ' +
    'Of the allocated memory 26.08 GiB is allocated by PyTorch, and 35.84 MiB is reserved by PyTorch but unallocated. ' +
    'If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation. ' +
    'See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)';
  worker.error(
    'gpu_model_runner.py:4877',
    'Failed to load model - not enough GPU memory. Try lowering --gpu-memory-utilization to free memory for weights, increasing --tensor-parallel-size, ' +
      `or using --quantization. See https://docs.vllm.ai/en/latest/configuration/conserving_memory/ for more tips. (original error: ${memory})`,
  );
  const traceback = renderTraceback(frames, `torch.OutOfMemoryError: ${memory}`);
  worker.error('multiproc_executor.py:874', `WorkerProc failed to start.\n${traceback}`);
  await pace.wait(1);
  for (const other of workers)
    if (other !== worker && other !== core) other.warning('multiproc_executor.py:884', 'WorkerProc was terminated');
  workers[0].plain('');
  workers[0].plain(renderShards({ done: failedAt, total: targetShards, seconds: 4.2 }));
  workers[0].plain('');
  writeBare(
    `[rank${rank}]:[W ProcessGroupNCCL.cpp:1575] Warning: WARNING: destroy_process_group() was not called before program exit, which can leak resources. (function operator())\n`,
  );
}
