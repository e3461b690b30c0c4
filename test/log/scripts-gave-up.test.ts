import { describe, expect, it } from 'vitest';
import { readInPieces, readingOf } from '../support/log-reading.ts';

function told(...lines: readonly string[]) {
  const events = readInPieces(new TextEncoder().encode(`${lines.join('\n')}\n`), 'train');
  const { phases, facts, troubles, record } = readingOf(events, 'train');
  const starts = events.filter(({ kind }) => kind === 'start').length;
  return { phases, facts, troubles, starts, hasRecord: record !== null };
}

const AWAITED = 'target: pid 77';

describe("a run script's words of a target that never came up", () => {
  it.each([
    ['[wait]  22 s  pid 77 has ended with code 1 before it was ready, see vllm.log', 22],
    [
      '[2026-09-04 12:01:16] [ERROR] launcher: target: process 77 is gone (exit code 1) after 75 s, it never was ready',
      75,
    ],
    ['2026-04-09 21:20:00 [auk] wait: 1200 s are over, target was never ready, giving up', 1200],
    ['petrel: 300 seconds without an answer, target not ready, I give up', 300],
    ['waited 300 s, target not ready: exit', 300],
    ['pid 77 is gone before it answered, after 12 s', 12],
    ['no answer from http://localhost:8000/health for 600 s, aborting', 600],
    ['ERROR: timeout after 900s waiting for http://localhost:8000/health', 900],
    ['gave up after 30 s', 30],
    ['Zielserver nach 600 s nicht bereit, breche ab', 600],
    ['server on port 8000 is not ours, giving up after 30 s', 30],
    ['Zielserver antwortet nicht, Abbruch nach 300 s', 300],
  ])('are its end, with the time of the wait in vain: %s', (line, seconds) => {
    expect(told(AWAITED, line)).toMatchObject({
      phases: ['target_starting'],
      facts: { target_pid: 77, waited_seconds: seconds },
      troubles: [{ line: 2, source: 'wait' }],
    });
  });

  it.each([
    'pid 77 no longer exists, see vllm.log',
    'Zielserver abgestürzt, siehe ziel.log',
    'port 8000 is already in use by pid 33, target not started',
  ])('need no time: %s', (line) => {
    expect(told(AWAITED, line).troubles).toMatchObject([{ line: 2, source: 'wait' }]);
  });

  it.each([
    '# if the target is not ready after 600 s the script ends',
    'if the target is not ready after 600s this script gives up',
    'port 8000 in use, trying 8001',
    'checking whether port 8000 is already in use',
    'gave up the old layout of data',
    '+ echo "target not ready, giving up"',
  ])('are none: %s', (line) => {
    expect(told(AWAITED, line).troubles).toEqual([]);
  });

  it.each([
    'no response from the server for sample 3, stopping it',
    'server not ready after 30s, giving up on sample 5',
  ])('are of something else once a step was made: %s', (line) => {
    expect(told('step 10 loss 2.0', line).troubles).toEqual([]);
  });
});

describe("a run script's words of another server that answers, or of something else", () => {
  it.each([
    'http://localhost:8000/v1/models answers, but lists qwen3-0.6b-judge, not Qwen/Qwen3-8B: not ready',
    'port 8000 answers with another model (judge-0.6b), waiting for ours',
    'health answers 200 but the model is other-model',
    '200 from http://localhost:8000/v1/models, but served model is foo',
    'target answers, but with the wrong model',
    'target ready: false',
    'target (ready in about two minutes)',
    'tokenizer ready in 3 s',
  ])('are no readiness: %s', (line) => {
    expect(told(AWAITED, line).phases).toEqual(['target_starting']);
  });

  it('are none where the target is said to be elsewhere', () => {
    expect(told('target runs elsewhere: http://gull-16:8000/v1 ready since 05:58').phases).toEqual(['target_ready']);
  });
});

describe("a run script's words of the wait for a target", () => {
  it.each([
    ['[wait]  20 s  http://localhost:8000/v1/models lists another: not ready', 20],
    ['2026-05-27 18:42:02,400 INFO    drafter.pipeline - stage serve: not ready (120/900 s)', 120],
    ['[2026-09-04 12:00:46] [INFO] launcher: target: no 200 yet after 45 s', 45],
    ['2026-04-09 21:01:00 [auk] wait: 60 s, target process lives, nothing listens on 8000', 60],
    ['#   30 s: noch nicht bereit (curl: (7) Failed to connect to localhost port 8000)', 30],
    ['target health: 503 (20/900 s)', 20],
    ['wait: 60 s', 60],
    ['target: 20 s', 20],
    ['目标模型尚未就绪 (20秒)', 20],
  ])('count: %s', (line, seconds) => {
    expect(told(AWAITED, line)).toMatchObject({ phases: ['target_starting'], facts: { waited_seconds: seconds } });
  });

  it.each([
    [['stage serve: Qwen/Qwen3-32B on cuda:0-1, pid 77', 'stage serve: ready in 131 s'], 131],
    [['# Zielserver: vllm (GPU 0), PID 77, eigenes Log ziel.log', '# Zielserver bereit nach 47 s'], 47],
    [['Starte Zielserver (PID 77)', 'Zielserver nach 62 s bereit'], 62],
    [['serving Qwen/Qwen3-8B on GPU 0 in the background, pid 77', 'server answered after 66 seconds'], 66],
    [['INFO:launcher:target server started (pid 77)', 'INFO:launcher:target is healthy (took 33s)'], 33],
  ])('begin with its launch and end with its readiness: %s', (lines, seconds) => {
    expect(told(...lines)).toMatchObject({
      phases: ['target_starting', 'target_ready'],
      facts: { target_pid: 77, target_ready_seconds: seconds },
    });
  });

  it.each([
    ['first 200 from /health after 33 s', 33],
    ['came up in 33 s', 33],
    ['vLLM took 33 s to come up', 33],
    ['port 8000 open after 33 s', 33],
    ['the model list holds Qwen/Qwen3-8B: ready (33 s)', 33],
    ['polling... 200 (33 s)', 33],
    ['bereit nach 33s', 33],
  ])('may end without its name: %s', (line, seconds) => {
    expect(told(AWAITED, line).facts.target_ready_seconds).toBe(seconds);
    expect(told(line).facts).not.toHaveProperty('target_pid');
  });

  it.each(['serving metrics on port 9000, pid 12', 'server on port 8000 is not ours (pid 31)'])(
    'hold no pid of it: %s',
    (line) => {
      expect(told(line).facts).not.toHaveProperty('target_pid');
    },
  );
});

describe('a head of another start in the same file', () => {
  const STEP = 'step 10 loss 2.0';
  it.each([
    ['### run 2, Fri Jun 12 09:14:47 2026: now with flash attention'],
    ['### run 2 ###'],
    ['Run 2 of 3 (seed 43)'],
    ['second try'],
    ['Lauf 2, Start 09:14'],
  ])('begins it behind a training: %s', (line) => {
    const isTry = line.includes('try');
    expect(told(STEP, ...(isTry ? ['training failed (exit 1)'] : []), line)).toMatchObject({ starts: 1, phases: [] });
  });

  it('begins it behind an end that was told, however it is named', () => {
    expect(told(STEP, 'run 1 ended by hand (exit code 143)', 'attempt 2').starts).toBe(1);
  });

  it.each([
    'run 500: ok',
    'run 2: 12.1 it',
    'attempt 2/3 to fetch a shard failed, retrying',
    'start 2 workers',
    'new run at https://wandb.ai/x',
  ])('is none: %s', (line) => {
    expect(told(STEP, line)).toMatchObject({ starts: 0, hasRecord: true });
  });
});
