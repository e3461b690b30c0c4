import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Misuse, parseOptions } from '../../rehearsal/demo/options.ts';
import { shownEnd } from '../../rehearsal/demo/replay.ts';

const LOG = 'test/corpus/serve/01-cuda-oom-worker-tp1/log.txt';

describe('the words of the demo', () => {
  test.each([
    [[], { headless: null, scenario: 'good', speed: 1, replay: null }],
    [['--headless', '/vllm help'], { headless: '/vllm help', speed: 20 }],
    [['--scenario', 'oom', '--speed', '0.5'], { scenario: 'oom', speed: 0.5 }],
    [['--replay', LOG], { replay: { log: LOG, exit: undefined } }],
    [['--replay', LOG, '--exit', '-9'], { replay: { log: LOG, exit: -9 } }],
    [['--replay', LOG, '--exit=0'], { replay: { log: LOG, exit: 0 } }],
  ])('%j are understood', (words, options) => {
    expect(parseOptions(words)).toMatchObject(options);
  });

  test.each([
    [['--headless', 'hello'], 'expected a slash command'],
    [['--scenario', 'fine'], 'expected one of crash-after-ready, good, oom'],
    [['--speed', 'fast'], 'expected a number above 0'],
    [['--replay', '/no/such.log'], 'expected a log'],
    [['--exit', '1'], 'only goes with --replay'],
    [['--replay', LOG, '--exit', '-99'], 'expected 0 to 255, or a signal'],
    [['--nonsense'], "Unknown option '--nonsense'"],
  ])('%j are misuse', (words, message) => {
    expect(() => parseOptions(words)).toThrow(Misuse);
    expect(() => parseOptions(words)).toThrow(message);
  });
});

test.each([
  ['01-cuda-oom-worker-tp1', 1],
  ['16-engine-dead-after-ready', 0],
  ['22-tp2-dflash-ready', null],
  ['23-nccl-then-silence', null],
  ['29-ready-then-graceful-shutdown', 0],
])('without --exit the log %s ends as it shows itself', async (name, exit) => {
  expect((await shownEnd(`test/corpus/serve/${name}/log.txt`)).exit).toBe(exit);
});

describe('the demo as a command', () => {
  const run = (...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'rehearsal/demo.ts', ...words]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );

  test('exits with 0 when the run is ready, and has told it', async () => {
    const { code, stdout } = await run('--headless', '/vllm launch kpro5 dflash', '--speed', '50');
    expect(stdout).toContain('kpro5-1 (dflash) is ready.');
    expect(code).toBe(0);
  });

  test('exits with 1 when a replayed log fails, and has told the cause', async () => {
    const { code, stdout } = await run('--headless', '/vllm launch kpro5 dflash', '--replay', LOG, '--speed', '50');
    expect(stdout).toContain('torch.OutOfMemoryError');
    expect(code).toBe(1);
  });

  test('exits with 2 on misuse, and says what is allowed', async () => {
    const { code, stderr } = await run('--scenario', 'fine');
    expect(stderr).toContain('expected one of');
    expect(code).toBe(2);
  });
});
