import { describe, expect, it } from 'vitest';
import { assume } from '../../src/explain/assume.ts';
import { readLog } from '../../src/explain/read-log.ts';
import type { LogKind } from '../../src/log/events.ts';
import { objectsOf, runExplain } from './run-explain.ts';

const START = 'INFO 05-20 14:15:53 [api_server.py:1834] vLLM API server version 0.20.1\n';
const READY = `${START}INFO:     Application startup complete.\n`;
const LOADING = 'Loading safetensors checkpoint shards:  80% Completed | 12/15 [00:09<00:02,  1.3s/it]\n';
const ANSWER = 'INFO:     127.0.0.1:51234 - "POST /v1/completions HTTP/1.1" 200 OK\n';

function raised(prefix: string, error: string): string {
  return ['Traceback (most recent call last):', '  File "/opt/x.py", line 3, in f', '    g()', error]
    .map((line) => `${prefix}${line}\n`)
    .join('');
}

function program(error: string): string {
  return raised('', error).replace('/opt/x.py', '/usr/lib/python3/dist-packages/sglang/launch_server.py');
}

const STEP = (step: number) => `Step ${step} | loss:1.${step} lr:2e-05 tokens_per_second_per_gpu:811.2\n`;

async function isAlive(text: string, kind: LogKind): Promise<boolean> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return assume(await readLog(chunks(), { kind, name: '-' })).alive;
}

describe('a process nobody spoke of has ended', () => {
  it.each<[string, LogKind, string]>([
    [
      'where a start ends in a failure',
      'serve',
      START + LOADING + raised('', 'RuntimeError: CUDA error: out of memory'),
    ],
    [
      'where a worker of a ready server failed',
      'serve',
      READY +
        ANSWER +
        raised(
          '(Worker_TP0 pid=7) ERROR 05-20 14:20:00 [core.py:9] ',
          'RuntimeError: CUDA error: unspecified launch failure',
        ),
    ],
    [
      'at an orderly shut-down',
      'serve',
      `${READY}INFO:     Shutting down\nINFO:     Waiting for application shutdown.\n`,
    ],
    [
      'where the arguments were refused',
      'serve',
      'usage: vllm serve [-h]\nvllm serve: error: unrecognized arguments: --foo\n',
    ],
    [
      'where a rank failed behind the last step',
      'train',
      STEP(1) + STEP(2) + raised('[rank1]: ', 'ValueError: bad batch'),
    ],
    [
      'where its own program raised, though other processes still print',
      'serve',
      START + program('RuntimeError: Rank 2 scheduler died during initialization (exit code: -9).') + LOADING,
    ],
    [
      'where the trainer saves after a signal',
      'train',
      STEP(1) +
        raised('(Worker_TP1 pid=9) ', 'RuntimeError: CUDA error: an illegal memory access was encountered') +
        '[01:08:52] WARNING  Received SIGTERM — interrupting training to save checkpoint.   graceful_shutdown.py:90\n' +
        '[01:09:03] INFO     Checkpoint saved to out/interrupted    trainer.py:612\n',
    ],
    ['at Ctrl-C', 'train', STEP(1) + STEP(2) + raised('', 'KeyboardInterrupt')],
  ])('%s', async (_name, kind, text) => {
    expect(await isAlive(text, kind)).toBe(false);
  });
});

describe('a process nobody spoke of lives', () => {
  it.each<[string, LogKind, string]>([
    ['where the log just stops', 'serve', START + LOADING],
    ['where nothing stands in the log', 'serve', ''],
    [
      'where clients of a ready server sent bad requests',
      'serve',
      READY + raised('(APIServer pid=7) ERROR 05-20 14:20:00 [serving.py:9] ', 'ValueError: too long'),
    ],
    [
      'where the start goes on behind an exception',
      'serve',
      START + raised('', 'ValueError: no tuned config') + LOADING,
    ],
    [
      'where a ready server answers behind an exception',
      'serve',
      READY + raised('(EngineCore pid=7) ERROR 05-20 14:20:00 [core.py:9] ', 'RuntimeError: cache miss') + ANSWER,
    ],
    [
      'where the steps go on behind an exception',
      'train',
      STEP(1) + raised('', 'ConnectionError: retry') + STEP(2) + STEP(3),
    ],
    ['though its loss is no number', 'train', `${STEP(1)}Step 2 | loss:nan lr:2e-05 tokens_per_second_per_gpu:811.2\n`],
  ])('%s', async (_name, kind, text) => {
    expect(await isAlive(text, kind)).toBe(true);
  });
});

it('a server that was told to end while it started has stopped on purpose, with a code that nobody knows', async () => {
  const stopped = START + LOADING + raised('(APIServer pid=7) ', 'KeyboardInterrupt: terminated');
  const said = await runExplain(['--json', '-'], { stdin: [Buffer.from(stopped)] });
  expect(objectsOf(said)).toMatchObject([{ verdict: 'stopped', cause: null, alive: false, exit_code: null }]);
});
