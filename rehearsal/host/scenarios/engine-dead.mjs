/**
 * Gets ready and answers; some seconds after it was last asked, users come, and a rank doesn't answer the engine core in time. The engine is
 * dead: their answers break off, /health says 503 for some seconds, then the API server shuts down in good order and ends with status 0.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { untilRested } from '../stand-in/after-ready.mjs';
import { logThroughput } from '../stand-in/throughput.mjs';
import { renderTraceback } from '../stand-in/traceback.mjs';
import { talkAtLength } from '../stand-in/users.mjs';
import { start } from '../startup/start.mjs';

const users = 3;
const talkMs = 1_000;
/** Real time: the server's watchdog looks every five seconds. */
const restMs = 3_000;

const timeout = 'TimeoutError: RPC call to sample_tokens timed out.';
const coreFrames = [
  ['vllm/v1/engine/core.py', 1119, 'run_engine_core', 'engine_core.run_busy_loop()'],
  ['vllm/v1/engine/core.py', 1203, '_process_engine_step', 'outputs, model_executed = self.step_fn()'],
  ['vllm/v1/engine/core.py', 432, 'step_with_batch_queue', 'model_output = future.result()'],
  ['vllm/v1/executor/multiproc_executor.py', 90, 'result', 'return super().result()'],
  [
    'vllm/v1/executor/multiproc_executor.py',
    410,
    'collective_rpc',
    'raise TimeoutError(f"RPC call to {method} timed out.") from e',
  ],
];

export async function run(server) {
  await start(server);
  // Runs beside the rest and ends with the process.
  void logThroughput(server);
  await untilRested(server);
  talkAtLength(server, users);
  await sleep(talkMs);
  const { core, args, version } = server;
  core.error(
    'dump_input.py:72',
    `Dumping input data for V1 LLM engine (v${version}) with config: model='${args.model}', tensor_parallel_size=${args.ranks}`,
  );
  core.error('core.py:1128', `EngineCore encountered a fatal error.\n${renderTraceback(coreFrames, timeout)}`);
  await server.dieOfEngine({ restMs });
}
