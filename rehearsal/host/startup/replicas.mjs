/** A start with more data-parallel replicas than there are GPUs for: only the workers find it out. */
import { logCoreStartFailed, logStartFailed } from '../stand-in/endings.mjs';
import { createSpeaker } from '../stand-in/log.mjs';
import { readScenario } from '../stand-in/state.mjs';
import { renderTraceback } from '../stand-in/traceback.mjs';
import { configure } from './configure.mjs';

const frames = [
  ['vllm/v1/executor/multiproc_executor.py', 837, 'worker_main', 'worker = WorkerProc(*args, **kwargs)'],
  ['vllm/v1/executor/multiproc_executor.py', 611, '__init__', 'self.worker.init_device()'],
  ['vllm/v1/worker/worker_base.py', 317, 'init_device', 'self.worker.init_device()  # type: ignore'],
  ['vllm/v1/worker/gpu_worker.py', 243, 'init_device', 'assert self.local_rank < torch.accelerator.device_count(), ('],
];

/** Whether all replicas' ranks have a GPU of their own. */
export function hasRoom({ args, folder }) {
  const { gpus } = readScenario(folder);
  const visible = process.env.CUDA_VISIBLE_DEVICES;
  // CUDA stops at the first that isn't there.
  const count = visible === undefined ? gpus : visible.split(',').filter((word) => Number(word) < gpus).length;
  return args.ranks * args.replicas <= count;
}

export async function failOutOfBounds(server) {
  const { args, pace, api } = server;
  await configure(server);
  const cores = [server.core];
  for (let replica = 1; replica < args.replicas; replica += 1) {
    const name = `EngineCore_DP${replica}`;
    cores.push(createSpeaker(name, await server.startOther(`VLLM::${name}`)));
  }
  for (const core of cores) {
    core.info(
      'multiproc_executor.py:139',
      `DP group leader: node_rank=0, node_rank_within_dp=0, master_addr=127.0.0.1, mq_connect_ip=127.0.0.1 (local), world_size=${args.ranks}, local_world_size=${args.ranks}`,
    );
  }
  await pace.wait(2);
  const world = args.ranks * args.replicas;
  const workers = [];
  for (let rank = 0; rank < world; rank += 1) {
    workers.push(createSpeaker('Worker', await server.startOther('VLLM::Worker')));
  }
  await pace.work(10);
  for (const [rank, worker] of workers.slice(0, args.ranks).entries()) {
    worker.info(
      'parallel_state.py:1402',
      `world_size=${world} rank=${rank} local_rank=${rank} distributed_init_method=tcp://127.0.0.1:41265 backend=nccl`,
    );
  }
  for (let rank = world - 1; rank >= args.ranks; rank -= 1) {
    const exception = `AssertionError: DP adjusted local rank ${rank} is out of bounds. `;
    workers[rank].error(
      'multiproc_executor.py:874',
      `WorkerProc failed to start.\n${renderTraceback(frames, exception)}`,
    );
  }
  await pace.wait(1);
  const [lost] = cores.slice(-1);
  const name = `EngineCore_DP${args.replicas - 1}`;
  logCoreStartFailed(lost, name);
  await server.endEngine();
  for (const worker of workers.slice(0, args.ranks)) {
    worker.warning('multiproc_executor.py:884', 'WorkerProc was terminated');
  }
  logStartFailed(api, `{'${name}': 1}`);
  await server.exit(1);
}
