import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../src/log/events.ts';
import { isWatched } from '../../src/pulse/watched.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { ServeRequest } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { isRunningUnasked, isUnasked, whyUnasked } from '../../src/run/unasked.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';

const HEADLESS = ['vllm', 'serve', 'm', '--headless'];

function server(request: Partial<ServeRequest>, phase: Run['phase'] = 'loading'): Run {
  return sampleRun({ phase }, request);
}

/** The run after its log has shown these. */
function shows(run: Run, ...events: LogEvent[]): Run {
  const times = { at: run.heard + 1000, seen: run.heard + 1000 };
  const clock = { now: times.at, zoneMinutes: 0 };
  const seen: Observation = { kind: 'log', source: 'main', events, clock, isOld: false, ...times };
  return stepAll(run, [seen]).run;
}

const at = { line: 1, stamp: null };

test('a server that can be asked, and a training, are none of these', () => {
  expect([whyUnasked(server({})), isUnasked(server({}))]).toEqual([null, false]);
  expect(whyUnasked(sampleTraining({}))).toBeNull();
});

test.each([
  ['no_address', { address: null }],
  ['headless', { argv: HEADLESS }],
  [
    'certificate',
    { argv: ['vllm', 'serve', 'm', '--ssl-certfile', 'c', '--ssl-keyfile', 'k', '--ssl-cert-reqs', '2'] },
  ],
] as const)('why it can’t be asked is told: %s', (why, request) => {
  expect([whyUnasked(server(request)), isUnasked(server(request))]).toEqual([why, true]);
  expect(isUnasked(server(request, 'failed'))).toBe(false);
});

test('what was found says by its log that it is headless', () => {
  const run = server({ argv: [], found: { process: null, size: 0, trigger: 't', answered: false } });
  expect(whyUnasked({ ...run, reading: { ...run.reading, asked: { headless: true } } })).toBe('headless');
});

describe('a headless server', () => {
  const loading = server({ argv: HEADLESS });

  test('is watched while it loads, and as far as it can be known once its log shows that it has', () => {
    expect([isRunningUnasked(loading), isWatched(loading)]).toEqual([false, true]);
    const loaded = shows(loading, { kind: 'phase', phase: 'kv_cache', ...at });
    expect([isRunningUnasked(loaded), isWatched(loaded)]).toEqual([true, false]);
  });

  test('is watched again while a bar shows that it captures graphs', () => {
    const bar = (done: number): LogEvent => ({
      kind: 'progress',
      progress: { phase: 'capturing', done, total: 8 },
      ...at,
    });
    const capturing = shows(loading, { kind: 'phase', phase: 'kv_cache', ...at }, bar(3));
    expect(isRunningUnasked(capturing)).toBe(false);
    expect(isRunningUnasked(shows(capturing, bar(8)))).toBe(true);
  });

  test('is watched anew when its log shows another start', () => {
    const loaded = shows(loading, { kind: 'phase', phase: 'capturing', ...at });
    expect(isRunningUnasked(shows(loaded, { kind: 'start', ...at }, { kind: 'phase', phase: 'loading', ...at }))).toBe(
      false,
    );
  });
});
