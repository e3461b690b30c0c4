/** How a `vllm serve` ends, in its own words. The order is the real one: worker, engine core (twice), API server. */
import { writeBare } from './log.mjs';
import { renderTraceback } from './traceback.mjs';

const apiFrames = [
  ['/root/vllm-env/bin/vllm', 10, '<module>', 'sys.exit(main())'],
  ['vllm/entrypoints/cli/main.py', 92, 'main', 'args.dispatch_function(args)'],
  ['vllm/entrypoints/cli/serve.py', 122, 'cmd', 'uvloop.run(run_server(args))'],
  ['uvloop/__init__.py', 96, 'run', 'return __asyncio.run('],
  ['/usr/lib/python3.12/asyncio/runners.py', 195, 'run', 'return runner.run(main)'],
  ['/usr/lib/python3.12/asyncio/runners.py', 118, 'run', 'return self._loop.run_until_complete(task)'],
  ['uvloop/loop.pyx', 1518, 'uvloop.loop.Loop.run_until_complete'],
  ['uvloop/__init__.py', 48, 'wrapper', 'return await main'],
];
const engineClientFrames = [
  [
    'vllm/entrypoints/openai/api_server.py',
    687,
    'run_server',
    'await run_server_worker(listen_address, sock, args, **uvicorn_kwargs)',
  ],
  ['vllm/entrypoints/openai/api_server.py', 701, 'run_server_worker', 'async with build_async_engine_client('],
  ['vllm/v1/engine/async_llm.py', 217, 'from_vllm_config', 'return cls('],
  ['vllm/v1/engine/core_client.py', 535, '__init__', 'with launch_core_engines('],
  ['vllm/v1/engine/utils.py', 1217, 'wait_for_engine_startup', 'raise RuntimeError('],
];
const coreFrames = [
  [
    'vllm/v1/engine/core.py',
    1110,
    'run_engine_core',
    'engine_core = EngineCoreProc(*args, engine_index=dp_rank, **kwargs)',
  ],
  ['vllm/v1/engine/core.py', 876, '__init__', 'super().__init__('],
  ['vllm/v1/engine/core.py', 118, '__init__', 'self.model_executor = executor_class(vllm_config)'],
  [
    'vllm/v1/executor/multiproc_executor.py',
    200,
    '_init_executor',
    'self.workers = WorkerProc.wait_for_ready(unready_workers)',
  ],
  ['vllm/v1/executor/multiproc_executor.py', 747, 'wait_for_ready', 'raise e from None'],
];
const processFrames = [
  ['/usr/lib/python3.12/multiprocessing/process.py', 314, '_bootstrap', 'self.run()'],
  ['/usr/lib/python3.12/multiprocessing/process.py', 108, 'run', 'self._target(*self._args, **self._kwargs)'],
  ['vllm/v1/engine/core.py', 1140, 'run_engine_core', 'raise e'],
];
const pointer =
  'Exception: WorkerProc initialization failed due to an exception in a background process. See stack trace for root cause.';

export function logPortInUse(api) {
  const frames = [
    ...apiFrames,
    ['vllm/entrypoints/openai/api_server.py', 685, 'run_server', 'listen_address, sock = setup_server(args)'],
    ['vllm/entrypoints/openai/api_server.py', 519, 'create_server_socket', 'sock.bind(addr)'],
  ];
  api.plain(renderTraceback(frames, 'OSError: [Errno 98] Address already in use'));
}

/** The engine core's two tracebacks after a worker failed to start: pointers, not the cause. */
export function logCoreStartFailed(core, name = 'EngineCore') {
  core.error('core.py:1136', `EngineCore failed to start.\n${renderTraceback(coreFrames, pointer)}`);
  core.plain(`Process ${name}:\n${renderTraceback([...processFrames, ...coreFrames], pointer)}`);
}

/** Python's own last word on shared memory that nobody cleaned up. */
export function writeLeaks() {
  writeBare(
    '/usr/lib/python3.12/multiprocessing/resource_tracker.py:279: UserWarning: resource_tracker: There appear to be 2 leaked shared_memory objects to clean up at shutdown\n' +
      "  warnings.warn('resource_tracker: There appear to be %d '\n",
  );
}

/** `dead`: cores whose exit code was known already, as Python writes a dictionary. */
export function logStartFailed(api, dead = '{}') {
  const last = `RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): ${dead}`;
  api.plain(renderTraceback([...apiFrames, ...engineClientFrames], last));
}

export function logInterrupted(api) {
  const frames = [
    ...apiFrames,
    ['vllm/entrypoints/openai/api_server.py', 580, 'signal_handler', 'raise KeyboardInterrupt("terminated")'],
  ];
  api.plain(renderTraceback(frames, 'KeyboardInterrupt: terminated'));
}

export function logWorkerVanished(core, rank) {
  core.error('multiproc_executor.py:267', `Worker proc VllmWorker-${rank} died unexpectedly, shutting down executor.`);
}

/** The API server's part of an engine's death. */
export function logEngineDeath({ api }) {
  const frames = [
    ['vllm/v1/engine/async_llm.py', 661, 'output_handler', 'outputs = await engine_core.get_output_async()'],
    ['vllm/v1/engine/core_client.py', 1014, 'get_output_async', 'raise self._format_exception(outputs) from None'],
  ];
  const dead =
    'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.';
  api.error('async_llm.py:709', `AsyncLLM output_handler failed.\n${renderTraceback(frames, dead)}`);
}

export function logShutdown({ api, workers, core }) {
  api.info('launcher.py:110', 'Shutting down FastAPI HTTP server.');
  for (const worker of workers)
    if (worker !== core) worker.warning('multiproc_executor.py:884', 'WorkerProc was terminated');
  logHttpShutdown({ api });
}

/** The tidy end of uvicorn's: the same after a stop and after the engine's death. */
export function logHttpShutdown({ api }) {
  for (const message of ['Shutting down', 'Waiting for application shutdown.', 'Application shutdown complete.'])
    api.uvicorn(message);
  api.uvicorn(`Finished server process [${api.pid}]`);
}
