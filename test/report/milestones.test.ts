import { describe, expect, test } from 'vitest';
import { emptyReading } from '../../src/log/reading.ts';
import { milestone, startUpWords } from '../../src/report/milestones.ts';
import { renderReply } from '../../src/report/reply.ts';
import type { Phase, Run, RunEvent } from '../../src/run/run.ts';
import { event, sampleRun, T0, VIEW, visits } from './sample-run.ts';

const START = { queued: 0, checking: 1, launched: 2, configuring: 9, connecting: 12, loading: 15, compiling: 40 };
const WHOLE = visits({ ...START, kv_cache: 100, capturing: 101, verifying: 111, ready: 113 });
const READINESS = { proof: 'socket', model: 'm', by: 'curl', completion: 'It completed a prompt.' } as const;

/** What a phase that begins at that second is told as, of a run that has come as far as that. */
function told(phase: Phase, note: string | null, second: number, seen: Run['visits'] = WHOLE): string | null {
  const happened = event({ kind: 'phase', phase, note }, second);
  return happened.kind === 'phase' ? milestone(happened, sampleRun({ visits: seen })) : null;
}

function startUp(run: Run, second: number): string | null {
  const happened: RunEvent = event({ kind: 'ready', readiness: READINESS }, second);
  return happened.kind === 'ready' ? startUpWords(happened, run) : null;
}

test.each([
  ['configuring', null, 9, null],
  ['connecting', null, 12, null],
  ['loading', 'world size 2, NCCL 2.28.9', 15, 'NCCL up (world size 2, NCCL 2.28.9), loading weights.'],
  ['loading', null, 15, 'Loading weights.'],
  ['compiling', '24.1 s', 40, 'Weights loaded (24.1 s), compiling.'],
  ['kv_cache', '24.1 s', 100, null],
  ['capturing', 'room for 91,000 tokens', 101, null],
  ['verifying', null, 111, null],
] as const)('phase %s with the note %j at second %i is told as %j', (phase, note, second, expected) => {
  expect(told(phase, note, second)).toBe(expected);
});

test('whatever comes first after the weights tells that they are there', () => {
  const eager = visits({ loading: 15, kv_cache: 40, capturing: 41 });
  expect(told('kv_cache', '24.1 s', 40, eager)).toBe('Weights loaded (24.1 s), sizing the KV cache.');
  expect(told('capturing', 'room for 91,000 tokens', 41, eager)).toBeNull();
});

describe('a download', () => {
  const at = (second: number) => T0 + second * 1000;
  const seen = (second: number) => [
    { phase: 'connecting', at: at(1) } as const,
    { phase: 'downloading', at: at(5) } as const,
    { phase: 'loading', at: at(second) } as const,
  ];

  test('that was short is told with its begin alone', () => {
    expect(told('downloading', 'world size 2', 5, seen(30))).toBe('NCCL up (world size 2), downloading weights.');
    expect(told('loading', 'world size 2', 30, seen(30))).toBeNull();
  });

  test('that took long is told with its end, too', () => {
    expect(told('loading', 'world size 2', 845, seen(845))).toBe('Downloaded in 14 min, loading weights.');
  });
});

test('a second start of the same log is told like the first', () => {
  const again = WHOLE.slice(3, -2).map(({ phase, at }) => ({ phase, at: at + 200_000 }));
  const both = [...WHOLE.slice(0, -2), ...again];
  expect(told('loading', 'world size 2', 215, both)).toBe('NCCL up (world size 2), loading weights.');
  expect(told('compiling', '24.1 s', 240, both)).toBe('Weights loaded (24.1 s), compiling.');
  expect(told('kv_cache', '24.1 s', 300, both)).toBeNull();
});

test('a milestone says the same however far the run has come since', () => {
  for (const [phase, second] of [
    ['loading', 15],
    ['compiling', 40],
    ['capturing', 101],
  ] as const) {
    const then = WHOLE.slice(0, WHOLE.findIndex((visit) => visit.phase === phase) + 1);
    expect(told(phase, 'note', second)).toBe(told(phase, 'note', second, then));
  }
});

test('readiness says what the thread has not: how long the weights and all after them took, and the room in the KV cache', () => {
  const reading = { ...emptyReading('serve'), facts: { kv_cache_tokens: 203_152 } };
  expect(startUp(sampleRun({ phase: 'ready', visits: WHOLE, reading }), 113)).toBe(
    'Start-up: loading weights 25 s, compiling 1 min, sizing the KV cache 1 s, capturing CUDA graphs 10 s. KV cache: room for 203,152 tokens.',
  );
});

test('readiness of what was up when it was found says nothing of a start', () => {
  expect(startUp(sampleRun({ phase: 'ready', visits: visits({ queued: 0, ready: 1 }) }), 1)).toBeNull();
});

test('a normal launch comes to four replies with its readiness, a launch with warnings of its checks to five', () => {
  const run = sampleRun({ phase: 'ready', visits: WHOLE });
  const { started } = run;
  if (started === null) throw new Error('the sample run has started');
  const finding = { check: 'driver', label: 'Driver', found: 'It is old.', needed: null, advice: null, isFinal: false };
  const checks = { tookMs: 800, forcedBy: null, findings: [{ ...finding, verdict: 'warning' }] } as const;
  const phases = WHOLE.slice(3, -1).map(({ phase, at }) =>
    event({ kind: 'phase', phase, note: null }, (at - T0) / 1000),
  );
  const happened = [
    event({ kind: 'requested' }, 0),
    event({ kind: 'checking' }, 1),
    event({ kind: 'launched', started }, 2),
    ...phases,
    event({ kind: 'ready', readiness: READINESS }, 113),
  ];
  const replies = (events: readonly RunEvent[]) => events.filter((one) => renderReply(one, run, VIEW) !== null).length;
  expect(replies(happened)).toBe(4);
  expect(replies([event({ kind: 'checked', checks }, 2), ...happened])).toBe(5);
});
