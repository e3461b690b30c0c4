/** What torch itself writes to standard error: torchrun's lines and its blocks, and a rank's uncaught exception. */
import { hostname } from 'node:os';
import { renderTraceback } from '../stand-in/traceback.mjs';

const banner =
  'Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. ';
const runFrames = [
  ['/root/spec-env/bin/torchrun', 10, '<module>', 'sys.exit(main())'],
  ['torch/distributed/elastic/multiprocessing/errors/__init__.py', 357, 'wrapper', 'return f(*args, **kwargs)'],
  ['torch/distributed/run.py', 936, 'main', 'run(args)'],
  ['torch/distributed/run.py', 927, 'run', 'elastic_launch('],
  [
    'torch/distributed/launcher/api.py',
    151,
    '__call__',
    'return launch_agent(self._config, self._entrypoint, list(args))',
  ],
];

export function logBanner() {
  const stars = '*'.repeat(41);
  for (const text of ['', stars, banner, stars]) say('W', 'torch/distributed/run.py:852', text);
}

export function logClosing(pid) {
  say('W', 'torch/distributed/elastic/multiprocessing/api.py:908', `Sending process ${pid} closing signal SIGTERM`);
}

export function logForced(pid) {
  const text = `Unable to shutdown process ${pid} via Signals.SIGTERM, forcefully exiting via Signals.SIGKILL`;
  say('W', 'torch/distributed/elastic/multiprocessing/api.py:927', text);
}

export function logDeathSignal() {
  const place = 'torch/distributed/elastic/agent/server/api.py:739';
  say('W', place, 'Received Signals.SIGTERM death signal, shutting down workers');
}

/** torchrun's own end by a signal. */
export function logSignalException() {
  const frames = [
    ...runFrames,
    ['torch/distributed/launcher/api.py', 279, 'launch_agent', 'result = agent.run()'],
    ['torch/distributed/elastic/agent/server/api.py', 898, '_invoke_run', 'time.sleep(monitor_interval)'],
    [
      'torch/distributed/elastic/multiprocessing/api.py',
      85,
      '_terminate_process_handler',
      'raise SignalException(f"Process {os.getpid()} got signal: {sigval}", sigval=sigval)',
    ],
  ];
  const exception = `torch.distributed.elastic.multiprocessing.api.SignalException: Process ${process.pid} got signal: 15`;
  process.stderr.write(`${renderTraceback(frames, exception)}\n`);
}

/** The failed ranks' block; the first in the list is the root cause. */
export function logFailure({ script, failures }) {
  const [root, ...others] = failures;
  const text = `failed (exitcode: ${root.code}) local_rank: ${root.rank} (pid: ${root.pid}) of binary: /root/spec-env/bin/python`;
  say('E', 'torch/distributed/elastic/multiprocessing/api.py:882', text);
  const frames = [...runFrames, ['torch/distributed/launcher/api.py', 288, 'launch_agent', 'raise ChildFailedError(']];
  const exception = 'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ';
  const [thick, thin] = ['='.repeat(60), '-'.repeat(60)];
  const listed = others.length === 0 ? ['  <NO_OTHER_FAILURES>'] : others.flatMap((each, at) => describe(each, at + 1));
  const block = [thick, `${script} FAILED`, thin, 'Failures:', ...listed, thin];
  block.push('Root Cause (first observed failure):', ...describe(root, 0), thick);
  process.stderr.write(`${renderTraceback(frames, exception)}\n${block.join('\n')}\n`);
}

/** A rank's exception, each line with its prefix, as torch's own hook prints it. */
export function logRankException(rank, { frames, exception }) {
  const lines = renderTraceback(frames, exception).split('\n');
  const warning =
    'WARNING: destroy_process_group() was not called before program exit, which can leak resources. ' +
    'For more info, please see https://pytorch.org/docs/stable/distributed.html#shutdown (function operator())';
  process.stderr.write(lines.map((line) => `[rank${rank}]: ${line}\n`).join(''));
  process.stderr.write(`[rank${rank}]:[W${day()} ${time()} ProcessGroupNCCL.cpp:1524] Warning: ${warning}\n`);
}

function describe({ rank, pid, code, at }, index) {
  const iso = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  const signal = code < 0 ? `Signal ${-code} (${code === -9 ? 'SIGKILL' : 'SIGTERM'}) received by PID ${pid}` : null;
  return [
    `[${index}]:`,
    `  time      : ${iso.slice(0, 10)}_${iso.slice(11, 19)}`,
    `  host      : ${hostname()}`,
    `  rank      : ${rank} (local_rank: ${rank})`,
    `  exitcode  : ${code} (pid: ${pid})`,
    '  error_file: <N/A>',
    `  traceback : ${signal ?? 'To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html'}`,
  ];
}

function say(level, place, text) {
  process.stderr.write(`${level}${day()} ${time()} ${process.pid} ${place}] ${text}\n`);
}

function day() {
  const now = new Date();
  return `${two(now.getMonth() + 1)}${two(now.getDate())}`;
}

function time() {
  const now = new Date();
  const micros = String(now.getMilliseconds() * 1000).padStart(6, '0');
  return `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}.${micros}`;
}

function two(number) {
  return String(number).padStart(2, '0');
}
