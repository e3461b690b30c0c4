/** Gets ready and answers; some seconds after it was last asked for a completion, a worker dies of an illegal memory access. */
import { untilRested } from '../stand-in/after-ready.mjs';
import { logThroughput } from '../stand-in/throughput.mjs';
import { renderTraceback } from '../stand-in/traceback.mjs';
import { start } from '../startup/start.mjs';

/** Real time: the server's watchdog looks every five seconds. */
const restMs = 1_500;

const memoryError = `torch.AcceleratorError: CUDA error: an illegal memory access was encountered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with \`TORCH_USE_CUDA_DSA\` to enable device-side assertions.
`;
const workerFrames = [
  ['vllm/v1/executor/multiproc_executor.py', 942, 'worker_busy_loop', 'output = func(*args, **kwargs)'],
  ['torch/utils/_contextlib.py', 124, 'decorate_context', 'return func(*args, **kwargs)'],
  ['vllm/v1/worker/gpu_worker.py', 797, 'execute_model', 'output = self.model_runner.execute_model(scheduler_output,'],
  [
    'vllm/v1/worker/gpu_model_runner.py',
    3961,
    'execute_model',
    ') = self._bookkeeping_sync(scheduler_output, sampler_output,',
  ],
  ['vllm/v1/worker/gpu_model_runner.py', 6842, '_to_list', 'self.transfer_event.synchronize()'],
  ['torch/cuda/streams.py', 231, 'synchronize', 'super().synchronize()'],
];
const coreFrames = [
  ['vllm/v1/engine/core.py', 1119, 'run_engine_core', 'engine_core.run_busy_loop()'],
  ['vllm/v1/engine/core.py', 1203, '_process_engine_step', 'outputs, model_executed = self.step_fn()'],
  ['vllm/v1/executor/multiproc_executor.py', 396, 'get_response', 'raise RuntimeError('],
];

export async function run(server) {
  await start(server);
  // Runs beside the wait for the crash and ends with the process.
  void logThroughput(server);
  await untilRested(server);
  failWorker(server);
  await server.dieOfEngine({ restMs });
}

function failWorker({ workers, core, args, version }) {
  workers[0].error(
    'multiproc_executor.py:949',
    `WorkerProc hit an exception.\n${renderTraceback(workerFrames, memoryError)}`,
  );
  core.error(
    'dump_input.py:72',
    `Dumping input data for V1 LLM engine (v${version}) with config: model='${args.model}', tensor_parallel_size=${args.ranks}`,
  );
  const [kind, ...rest] = memoryError.trimEnd().split('\n');
  const message = [kind.replace('torch.AcceleratorError: ', ''), ...rest].join('\n');
  const exception = `RuntimeError: Worker failed with error '${message}\n', please check the stack trace above for the root cause`;
  core.error('core.py:1128', `EngineCore encountered a fatal error.\n${renderTraceback(coreFrames, exception)}`);
}
