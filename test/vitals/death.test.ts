import { describe, expect, test } from 'vitest';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { beat, log, readyRun, SECOND, sample, toldOf, trouble } from './scene.ts';

const READY = [{ kind: 'ready', line: 1, stamp: null }] as const;
const ROOT = trouble(10, {
  type: 'torch.AcceleratorError',
  process: 'Worker_TP0',
  message: 'CUDA error: an illegal memory access was encountered',
});
const CORE = trouble(20, { type: 'RuntimeError', message: "Worker failed with error 'CUDA error'" });
const POINTER = trouble(30, {
  type: 'vllm.v1.engine.exceptions.EngineDeadError',
  process: 'APIServer',
  message: 'EngineCore encountered an issue. See stack trace (above) for the root cause.',
});
const BAD_REQUEST = trouble(12, { type: 'ValueError', process: 'APIServer', message: 'max_tokens must be at least 1' });

/** Ready by its log as well. */
function up(changes: Partial<Run> = {}): Run {
  return stepAll(readyRun(changes), [log(0, ...READY)]).run;
}

function dead(at: number): Observation {
  return beat(at, { health: 'dead' });
}

describe('a ready server whose engine dies', () => {
  test('is told in the moment in which its log proves it, with the first real failure', () => {
    const { run, happened } = stepAll(up(), [log(5000, ROOT, CORE, POINTER), sample(5500), sample(7000)]);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['engine_dead', 5000]]);
    expect(run.vitals?.death).toMatchObject({ at: 5000, how: 'log', cause: { type: 'torch.AcceleratorError' } });
    expect(run.phase).toBe('ready');
  });

  test('is told by /health, with the reason that its log gives a moment later', () => {
    const { run, happened } = stepAll(up(), [dead(5000), log(5600, ROOT, CORE, POINTER), sample(6500)]);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['engine_dead', 5600]]);
    expect(run.vitals?.death).toMatchObject({ at: 5000, how: 'health', cause: { process: 'Worker_TP0' } });
  });

  test('is told a second later where its log gives no reason', () => {
    const { run, happened } = stepAll(up(), [dead(5000), sample(5400), sample(6400), sample(7400), dead(15_000)]);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['engine_dead', 6400]]);
    expect(run.vitals?.death?.cause).toBeNull();
  });

  test('waits no longer than that for more than a line that points elsewhere', () => {
    const { run, happened } = stepAll(up(), [log(5000, POINTER), sample(5300), sample(6300)]);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['engine_dead', 6300]]);
    expect(run.vitals?.death?.cause?.category).toBe('engine_dead');
  });

  test('stays told while it answers 503 for ever, and nothing else is told of it', () => {
    const looks = Array.from({ length: 60 }, (_, index) => dead(index * 10 * SECOND));
    const { run, happened } = stepAll(up(), looks);
    expect(happened.map(({ kind }) => kind)).toEqual(['engine_dead']);
    expect(run.vitals?.death).not.toBeNull();
  });

  test('is not told beside its end: a process that is gone says it all', () => {
    const gone: Observation = {
      kind: 'sample',
      at: 6400,
      seen: 6400,
      sample: { at: 6400, bootId: 'b', init: 1, alive: false, exit: null, logSize: 0, tree: null },
    };
    expect(toldOf(up(), [dead(5000), gone])).toEqual([]);
  });

  test('fails with the same reason when its process ends', () => {
    const exit = { code: 0, signal: null, at: 9000 };
    const { happened } = stepAll(up(), [
      log(5000, ROOT, CORE, POINTER),
      { kind: 'exited', exit, tail: [], at: 9000, seen: 9000 },
    ]);
    const [died, failed] = happened;
    expect([died?.kind, failed?.kind]).toEqual(['engine_dead', 'failed']);
    expect(failed).toMatchObject({ failure: { during: 'ready', cause: { type: 'torch.AcceleratorError' } } });
  });
});

describe('no death of an engine', () => {
  test('is a stop that somebody asked for', () => {
    expect(toldOf(up({ stopBy: 'U0BOB' }), [log(5000, POINTER), dead(6000), sample(8000)])).toEqual([]);
  });

  test('is an orderly shut-down from outside, on which it answers 503, too', () => {
    expect(toldOf(up(), [log(5000, { kind: 'shutdown', line: 9, stamp: null }), dead(5500), sample(8000)])).toEqual([]);
  });

  test('is a client’s bad request, nor an exception that the engine lives through', () => {
    const lived = trouble(13, { type: 'ValueError', message: 'KV transfer failed' });
    expect(toldOf(up(), [log(5000, BAD_REQUEST, lived), sample(8000), beat(10_000)])).toEqual([]);
  });

  test('is what stood in the log before the run was found', () => {
    const old = { ...log(5000, POINTER), isOld: true } as Observation;
    expect(toldOf(up(), [old, sample(8000)])).toEqual([]);
  });

  test('is one that answers 200 again: that is told, and the card is true again', () => {
    const looks = [dead(0), sample(2000), ...[10, 20, 30].map((at) => beat(at * SECOND))];
    const { run, happened } = stepAll(up(), looks);
    expect(happened.map(({ kind }) => kind)).toEqual(['engine_dead', 'notice']);
    expect(run.vitals?.death).toBeNull();
  });
});
