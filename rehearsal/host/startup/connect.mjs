/** Workers start, find each other and stand in their groups. */

/** `onRanks` is called when the ranks are about to meet: who never returns from it leaves them there. */
export async function connect(server, { onRanks = async () => undefined } = {}) {
  const { args, core, pace } = server;
  const { ranks } = args;
  if (ranks > 1) {
    core.warning(
      'multiproc_executor.py:1003',
      'Reducing Torch parallelism from 32 threads to 1 to avoid unnecessary CPU contention. Set OMP_NUM_THREADS in the external environment to tune this value as needed.',
    );
    core.info(
      'multiproc_executor.py:134',
      `DP group leader: node_rank=0, node_rank_within_dp=0, master_addr=127.0.0.1, mq_connect_ip=127.0.0.1 (local), world_size=${ranks}, local_world_size=${ranks}`,
    );
  }
  await pace.wait(2);
  await server.startWorkers();
  await pace.work(10);
  server.useMemory(506);
  for (const rank of [...server.workers.keys()].reverse()) {
    server.workers[rank].info(
      'parallel_state.py:1402',
      `world_size=${ranks} rank=${rank} local_rank=${rank} distributed_init_method=tcp://127.0.0.1:41265 backend=nccl`,
    );
  }
  await pace.wait(1);
  if (ranks > 1) await connectRanks(server, onRanks);
  server.workers[0].info(
    'parallel_state.py:1716',
    `rank 0 in world size ${ranks} is assigned as DP rank 0, PP rank 0, PCP rank 0, TP rank 0, EP rank N/A, EPLB rank N/A`,
  );
  await pace.wait(1);
  server.nameWorkers();
  if (args.connector !== null) logConnector(server.workers, args.connector);
}

/** Where a training's target puts its hidden states. */
function logConnector(workers, { kv_connector: name, kv_connector_extra_config: extra }) {
  for (const worker of workers) {
    worker.info('factory.py:64', `Creating v1 connector with name: ${name} and engine_id: 3f0c6448-aaaa-bbbb`);
    worker.info('example_hidden_states_connector.py:176', `Shared storage path is ${extra?.shared_storage_path}`);
  }
}

async function connectRanks(server, onRanks) {
  const { workers, pace } = server;
  for (const worker of workers) worker.info('pynccl.py:111', 'vLLM is using nccl==2.28.9');
  await onRanks(server);
  await pace.work(3);
  for (const worker of [...workers].reverse()) {
    worker.warning(
      'custom_all_reduce.py:165',
      'Custom allreduce is disabled because your platform lacks GPU P2P capability or P2P test failed. To silence this warning, specify disable_custom_all_reduce=True explicitly.',
    );
  }
  await pace.wait(1);
}
