/** A start that fails while its workers build their models. */
import { logCoreStartFailed, logStartFailed, writeLeaks } from '../stand-in/endings.mjs';

/** Where a worker stands then: the outer frames of whatever fails. */
export const loadFrames = [
  ['vllm/v1/executor/multiproc_executor.py', 837, 'worker_main', 'worker = WorkerProc(*args, **kwargs)'],
  ['vllm/v1/executor/multiproc_executor.py', 619, '__init__', 'self.worker.load_model()'],
  [
    'vllm/v1/worker/gpu_worker.py',
    324,
    'load_model',
    'self.model_runner.load_model(load_dummy_weights=load_dummy_weights)',
  ],
  ['vllm/v1/worker/gpu_model_runner.py', 4793, 'load_model', 'self.model = model_loader.load_model('],
  ['vllm/model_executor/model_loader/base_loader.py', 55, 'load_model', 'model = initialize_model('],
];

/** What follows when the workers have said why. */
export async function endFailedLoad(server) {
  await server.pace.wait(2);
  await server.endEngine();
  logCoreStartFailed(server.core);
  logStartFailed(server.api);
  writeLeaks();
  await server.exit(1);
}
