/**
 * What a vLLM server says of itself: its start and configuration, its processes, where it listens, its end. Facts from vllm-project/vllm at
 * 0.5 to 0.28; texts are matched, never `file.py:line`, which move with each commit. To add a row: put the message as printed into `sample`
 * and what it starts with into `starts`.
 */

import { readAsked, readEngine } from '../engine/lines.ts';
import { type Finding, fact, phase, type Rule, row } from './rule.ts';

const configuring = () => [phase('configuring')];
const connecting = () => [phase('connecting')];
const ready = () => [{ kind: 'ready' } as const];
const shutdown = () => [{ kind: 'shutdown' } as const];

export const VLLM_RULES: readonly Rule[] = [
  row('Automatically detected platform cuda.', configuring, {
    starts: [
      'Automatically detected platform',
      'No platform detected',
      'Platform plugin ',
      'Available plugins for group',
    ],
  }),
  row('vLLM API server version 0.11.0', versioned, {
    starts: [
      'vLLM API server version',
      'vLLM server version',
      'vLLM gRPC server version',
      'vLLM batch processing API version',
    ],
    pattern: /version ([^\s,]+)/,
    engine: 'vllm',
    isStart: true,
  }),
  row(' ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.20.1', versioned, {
    starts: [' ', '▄', '█', '▀'],
    pattern: /^[ ▄█▀]{1,200}version (\d\S{0,60})\s{0,20}$/,
    engine: 'vllm',
    isStart: true,
  }),
  // A node without an API server: it says no version, or only here.
  row('Launching vLLM (v0.14.0) headless multiproc executor, with head node address 10.0.0.1:29501 for', versioned, {
    starts: ['Launching vLLM (v'],
    pattern: /^Launching vLLM \(v([^)]{1,60})\) headless/,
    engine: 'vllm',
    isStart: true,
  }),
  row(
    'Launching 4 data parallel engine(s) in headless mode, with head node address tcp://10.0.0.1:13345.',
    configuring,
    {
      starts: ['Launching '],
      pattern: /^Launching \d+ data parallel engine\(s\) in headless mode/,
      engine: 'vllm',
      isStart: true,
    },
  ),
  row("non-default args: {'model': '/m', 'api_server_count': 2}", arguments_, { starts: ['non-default args: {'] }),
  row("args: Namespace(host='0.0.0.0', port=8000)", arguments_, {
    starts: ['args: Namespace(', 'vLLM gRPC server args: Namespace('],
  }),
  row('Resolved architecture: Qwen3ForCausalLM', configuring, { starts: ['Resolved architecture'] }),
  row("This model supports multiple tasks: {'generate'}.", configuring, {
    starts: ['This model supports multiple tasks'],
  }),
  row("Supported tasks: ('generate', 'embed')", tasks, {
    starts: ['Supported tasks: ', 'Supported_tasks: '],
    pattern: /^Supported[ _]tasks: [[({](.{1,400})[\])}]\s*$/,
  }),
  row('Using max model len 32768', configuring, { starts: ['Using max model len'] }),
  row('Chunked prefill is enabled with max_num_batched_tokens=2048.', configuring, { starts: ['Chunked prefill is'] }),
  row('Asynchronous scheduling is enabled.', configuring, { starts: ['Asynchronous scheduling is '] }),
  row('Defaulting to use mp for distributed inference', configuring, { starts: ['Defaulting to use '] }),
  row('Waiting for init message from front-end.', configuring),
  row("Initializing a V1 LLM engine (v0.20.1) with config: model='/m'", configured, {
    starts: ['Initializing a V1 LLM engine', 'Initializing a V0 LLM engine', 'Initializing an LLM engine'],
  }),
  row('Started 4 API server processes', ([, count]) => servers(Number(count)), {
    starts: ['Started '],
    pattern: /^Started (\d+) API server processes/,
  }),
  row('DP group leader: node_rank=0, world_size=2', connecting, { starts: ['DP group leader:'] }),
  row('world_size=2 rank=1 local_rank=1 distributed_init_method=tcp://127.0.0.1:4 backend=nccl', worldSize, {
    starts: ['world_size='],
    pattern: /^world_size=(\d+) rank=\d+/,
  }),
  row('Adjusting world_size=4 rank=1 distributed_init_method=tcp://127.0.0.1:5 for DP', worldSize, {
    starts: ['Adjusting world_size='],
    pattern: /^Adjusting world_size=(\d+) rank=\d+/,
  }),
  row('rank 0 in world size 2 is assigned as DP rank 0, PP rank 0', worldSize, {
    starts: ['rank '],
    pattern: /^rank \d+ in world size (\d+)/,
  }),
  row('[Gloo] Rank 0 is connected to 1 peer ranks.', connecting, { starts: ['[Gloo] '] }),
  row('Found nccl from library libnccl.so.2', connecting, { starts: ['Found nccl from '] }),
  row('vLLM is using nccl==2.28.9+cuda12.9', ([, version = '']) => [phase('connecting'), fact('nccl', version)], {
    starts: ['vLLM is using nccl=='],
    pattern: /nccl==([\d.]{1,20})/,
  }),
  row('reading GPU P2P access cache from /c/gpu_p2p_access_cache_for_0,1.json', connecting, {
    starts: [
      'reading GPU P2P access cache',
      'generating GPU P2P access cache',
      'vLLM message queue communication handle',
    ],
  }),
  row('Starting vLLM API server 0 on http://0.0.0.0:8040', url, {
    starts: ['Starting vLLM '],
    pattern: /^Starting vLLM (?:API )?server(?: \d+)? on (\S+)/,
  }),
  row('vLLM gRPC server started on 0.0.0.0:50051', url, {
    starts: ['vLLM gRPC server started on '],
    pattern: /on (\S+)/,
  }),
  row('Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)', url, {
    starts: ['Uvicorn running on'],
    pattern: /^Uvicorn running on (?:unix socket )?((?:https?:\/\/|unix:|\/)\S+)/,
  }),
  row('Application startup complete.', ready, {
    pattern: /^Application startup complete\.?\s*$/,
    engine: 'vllm',
  }),
  // The gRPC server and the Rust front end have no uvicorn that could say it.
  row('Server is ready to accept requests', ready, {
    pattern: /^Server is ready to accept requests\s*$/,
    engine: 'vllm',
  }),
  row('OpenAI server is ready to accept requests bind_address="0.0.0.0:8000" scheme="http" model="m"', frontEnd, {
    starts: ['OpenAI server is ready to accept requests'],
    engine: 'vllm',
  }),
  // Harmless while kernels are compiled; while requests run it is the sign of a hang.
  row('No available shared memory broadcast block found in 60 seconds.', () => [{ kind: 'waits' }], {
    starts: ['No available shared memory broadcast block found'],
  }),
  row('Shutting down', shutdown, { pattern: /^Shutting down(?: FastAPI HTTP server\.?)?\s*$/ }),
  row('Waiting for application shutdown.', shutdown),
  row('[shutdown] API server: shutdown triggered', shutdown, {
    starts: ['[shutdown] API server: s', '[shutdown] EngineCore: trigger', 'Shutdown initiated (timeout='],
  }),
  row('Received KeyboardInterrupt, shutting down API servers...', shutdown, {
    starts: [
      'Received KeyboardInterrupt, shutting down',
      'Gracefully stopping http server',
      'Shutting down vLLM gRPC server',
    ],
  }),
  // Headless nodes say nothing else when they are stopped.
  row('Waiting up to 0 seconds for processes to exit', shutdown, {
    starts: ['Waiting up to '],
    pattern: /^Waiting up to \d+ seconds for processes to exit/,
  }),
  row('DPSupervisor received SIGTERM, shutting down.', shutdown, { starts: ['DPSupervisor received '] }),
];

function versioned([, version = '']: RegExpMatchArray): readonly Finding[] {
  return [phase('configuring'), fact('version', version)];
}

/** Named so since `arguments` is a word of the language. */
function arguments_({ input = '' }: RegExpMatchArray): readonly Finding[] {
  const args = readAsked(input);
  if (args === null) return configuring();
  const count = args.api_server_count;
  return [phase('configuring'), { kind: 'asked', args }, ...(typeof count === 'number' ? servers(count) : [])];
}

function configured({ input = '' }: RegExpMatchArray): readonly Finding[] {
  const engine = readEngine(input);
  if (engine === null) return configuring();
  const said: Finding = { kind: 'engine', ...engine };
  return engine.version === null
    ? [phase('configuring'), said]
    : [phase('configuring'), fact('version', engine.version), said];
}

/** What it can do, as words that a server's verification chooses its questions by: `generate,embed`. */
function tasks([, inside = '']: RegExpMatchArray): readonly Finding[] {
  const names = [...inside.matchAll(/'([a-z_&]{1,40})'/g)].flatMap(([, name]) => name ?? []);
  return names.length === 0 ? [] : [fact('tasks', names.join(','))];
}

/** 0 is a node that has none. */
function servers(count: number): readonly Finding[] {
  return count < 1 ? configuring() : [phase('configuring'), fact('api_servers', Math.min(count, 1024))];
}

function worldSize([, size = '']: RegExpMatchArray): readonly Finding[] {
  return [phase('connecting'), fact('world_size', Number(size))];
}

function url([, address = '']: RegExpMatchArray): readonly Finding[] {
  return [fact('url', address)];
}

function frontEnd({ input = '' }: RegExpMatchArray): readonly Finding[] {
  const listens = /bind_address="?([^"\s]{1,200})"? scheme="?(https?)/.exec(input);
  return listens === null ? ready() : [fact('url', `${listens[2]}://${listens[1]}`), ...ready()];
}
