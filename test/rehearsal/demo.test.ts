import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CannotStart } from '../../rehearsal/cannot-start.ts';
import { Misuse, parseOptions, USAGE } from '../../rehearsal/demo/options.ts';
import { shownEnd } from '../../rehearsal/demo/replay.ts';
import { openStage, startApp } from '../../rehearsal/demo/stage.ts';
import { codeWithoutRun } from '../../rehearsal/demo/understood.ts';
import { makeFolder } from '../support/folder.ts';

const LOG = 'test/corpus/serve/01-cuda-oom-worker-tp1/log.txt';
const TRAIN_LOG = 'test/corpus/train/01-healthy-finished/log.txt';

describe('the words of the demo', () => {
  test.each([
    [[], { headless: null, scenario: 'good', speed: 1, replay: null }],
    [['--headless', '/vllm help'], { headless: '/vllm help', speed: 20 }],
    [['--scenario', 'oom', '--speed', '0.5'], { scenario: 'oom', speed: 0.5 }],
    [['--replay', LOG], { replay: { log: LOG, exit: undefined } }],
    [['--replay', LOG, '--exit', '-9'], { replay: { log: LOG, exit: -9 } }],
    [['--replay', LOG, '--exit=0'], { replay: { log: LOG, exit: 0 } }],
    [['--replay', TRAIN_LOG, '--aux', LOG], { headless: null, replay: { log: TRAIN_LOG, exit: undefined, aux: LOG } }],
    [
      ['--headless', '/dflash train trainer drafter', '--replay', TRAIN_LOG, '--aux', LOG],
      { headless: '/dflash train trainer drafter', replay: { log: TRAIN_LOG, aux: LOG } },
    ],
    [['--headless', '--scenario', 'train-by-hand'], { headless: '', scenario: 'train-by-hand', speed: 5 }],
    [['--scenario', 'train-by-hand', '--headless'], { headless: '', scenario: 'train-by-hand' }],
    [['--scenario', 'train-by-hand'], { headless: null, scenario: 'train-by-hand' }],
  ])('%j are understood', (words, options) => {
    expect(parseOptions(words)).toMatchObject(options);
  });

  test.each([
    [['--headless', 'hello'], 'expected a slash command'],
    [
      ['--scenario', 'fine'],
      'expected one of big-model-slow, burst-400, crash-after-ready, download-stall, drafter-config, engine-dead, flash-attn, good',
    ],
    [['--speed', 'fast'], 'expected a number above 0'],
    [['--replay', '/no/such.log'], 'expected a log'],
    [['--exit', '1'], 'only goes with --replay'],
    [['--headless'], 'only --scenario train-by-hand needs none'],
    [['--headless', '--scenario', 'train-good'], 'expected a slash command'],
    [['--aux', LOG], 'only goes with --replay'],
    [['--replay', LOG, '--aux', '/no/such.log'], '--aux: found no file at "/no/such.log", expected a log'],
    [['--headless', '/vllm launch kpro5 dflash', '--replay', LOG, '--aux', LOG], 'expected /dflash train'],
    [['--replay', LOG, '--exit', '-99'], 'expected 0 to 255, or a signal'],
    [['--nonsense'], "Unknown option '--nonsense'"],
    [['/vllm launch kpro5 dflash'], 'npm run demo -- --headless "/vllm launch kpro5 dflash"'],
    [['--replay', 'test/corpus'], '"test/corpus" is a folder, expected a log'],
    [['--replay', LOG, '--scenario', 'oom'], 'expected one of the two'],
  ])('%j are misuse', (words, message) => {
    expect(() => parseOptions(words)).toThrow(Misuse);
    expect(() => parseOptions(words)).toThrow(message);
  });
});

test.each([
  ['/vllm help', 0],
  ['/vllm', 0],
  ['/vllm Status', 0],
  ['/vllm logs kpro5', 0],
  ['/vllm stop last', 0],
  ['/vllm LAUNCH Kpro5 dflash', 1],
  ['/vllm “launch” kpro5 dflash', 1],
  ['/vllm launch kpro5 dflash --queue', 1],
  ['/vllm launch kpro5 dflash --qeue', 2],
  ['/vllm launch --help', 0],
  ['/vllm logs kpro5 --file', 0],
  ['/vllm lauch kpro5 dflash', 2],
  ['/vllm launch kpro5 dflsh', 2],
  ['/vllm launch kpro6 dflash', 2],
  ['/vllm launch kpro5', 2],
  ['/vllm launch', 0],
  ['/vllm stop', 2],
  ['/vllm status a b', 2],
  ['/vllm status --all', 2],
  ['/vllm launch "kpro5 dflash', 2],
  ['/vlm launch kpro5 dflash', 2],
] as const)('%s that made no run ends the demo with %i', (command, code) => {
  expect(codeWithoutRun(command, { hosts: { kpro5: {} }, recipes: { dflash: {} } })).toBe(code);
});

test.each([
  ['/dflash help', 0],
  ['/dflash status', 0],
  ['/dflash train trainer drafter', 1],
  ['/dflash Train Trainer', 1],
  ['/dflash train drafter', 2],
  ['/dflash train', 0],
  ['/dflash train trainer dflash', 2],
  ['/dflash train trainer drafter again', 2],
  ['/dflash launch kpro5 dflash', 2],
  ['/vllm launch trainer drafter', 2],
  ['/vllm train trainer drafter', 2],
] as const)('with two kinds of recipe, %s that made no run ends the demo with %i', (command, code) => {
  const recipes = { dflash: { kind: 'serve' }, drafter: { kind: 'train' } } as const;
  expect(codeWithoutRun(command, { hosts: { kpro5: {}, trainer: {} }, recipes })).toBe(code);
});

test.each([
  ['01-cuda-oom-worker-tp1', 1],
  ['16-engine-dead-after-ready', 0],
  ['22-tp2-dflash-ready', null],
  ['23-nccl-then-silence', null],
  ['29-ready-then-graceful-shutdown', 0],
])('without --exit the log %s ends as it shows itself', async (name, exit) => {
  expect((await shownEnd(`test/corpus/serve/${name}/log.txt`, 'serve')).exit).toBe(exit);
});

test.each([
  ['01-healthy-finished', 0],
  ['02-still-training-resumed-wide', null],
  ['03-target-never-ready', 1],
  ['04-cuda-oom-one-rank', 1],
  ['05-step2-in-comment-download-stalled', null],
  ['06-offline-harmless-errors-training', null],
  ['07-nan-loss-still-running', null],
  ['08-hf-trainer-finished', 0],
  ['09-real-hf-ddp-finished', 0],
  ['10-real-hung-rank-watchdog', 1],
  ['11-real-oom-one-rank', 1],
])('without --exit the training of log %s ends as it shows itself', async (name, exit) => {
  expect((await shownEnd(`test/corpus/train/${name}/log.txt`, 'train')).exit).toBe(exit);
});

describe('the demo as a command', () => {
  const run = (...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'rehearsal/demo.ts', ...words]).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );

  test('exits with 0 when the run is ready, and has told it', async () => {
    const { code, stdout } = await run('--headless', '/vllm launch kpro5 dflash', '--speed', '50');
    expect(stdout).toContain('@you kpro5-1 (dflash) is ready.');
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

  test('shows the modal that a slash command alone opens', async () => {
    const { code, stdout } = await run('--headless', '/vllm');
    expect(stdout).toContain('a modal, only you\n  == Launch a server ==');
    expect(code).toBe(0);
  });

  test('exits with 2 on a command that the app does not know', async () => {
    const { code, stdout } = await run('--headless', '/vllm lauch kpro5 dflash');
    expect(stdout).toContain('lauch');
    expect(code).toBe(2);
  });

  test('says so when no line of a replayed log is vLLM’s', async () => {
    const log = join(makeFolder('replay'), 'other.log');
    writeFileSync(log, 'hello\n'.repeat(100));
    const { code, stdout } = await run('--headless', '/vllm launch kpro5 dflash', '--replay', log, '--speed', '50');
    expect(stdout).toMatch(/No line of this log looks like vLLM's\.\n$/);
    expect(code).toBe(1);
  });

  test('tells its usage when asked', async () => {
    expect(await run('--help')).toEqual({ code: 0, stdout: `${USAGE}\n`, stderr: '' });
  });

  test('runs beside another one', async () => {
    const two = [0, 1].map(() => run('--headless', '/vllm launch kpro5 dflash', '--speed', '50'));
    expect((await Promise.all(two)).map(({ code }) => code)).toEqual([0, 0]);
  });
});

test('an app that ends before it is connected is told in its own words', async () => {
  const stage = await openStage({ scenario: 'good', speed: 50, replay: null, page: false });
  try {
    const starting = startApp(stage, { entry: 'src/no-such-entry.ts' });
    await expect(starting).rejects.toThrow(CannotStart);
    await expect(starting).rejects.toThrow(
      /^The app ended before it was connected\. Its last words:\n[\s\S]*no-such-entry/,
    );
  } finally {
    await stage.stop();
  }
});
