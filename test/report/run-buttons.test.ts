import { describe, expect, test } from 'vitest';
import { runButtons } from '../../src/report/run-buttons.ts';
import type { Run } from '../../src/run/run.ts';
import { DEATH, HANG, HEALTHY, LIVELY, OOM, sampleRun, sampleTraining, T0, UNUSABLE, WARNED } from './sample-run.ts';

const WAITING = { ahead: [], count: null, holders: [], why: null, after: [] };
const READY = { phase: 'ready', verification: HEALTHY, vitals: LIVELY } as const;
const EXIT = { code: 1, signal: null, at: T0 };
const ENDED = { kind: 'ended', exit: EXIT, during: 'loading', cause: OOM, tail: [] } as const;
const FOUND = { found: { process: null, size: 0, trigger: null, answered: false } };

/** The buttons' words, those that ask first with a question mark. */
function buttons(...of: Parameters<typeof sampleRun>): string {
  return words(sampleRun(...of));
}

function words(run: Run): string {
  const block = runButtons(run);
  if (block?.type !== 'actions') return '';
  return block.elements
    .flatMap((one) => (one.type === 'button' ? [`${one.text.text}${one.confirm === undefined ? '' : '?'}`] : []))
    .join(' ');
}

describe('a run that is well', () => {
  test.each([
    ['waits', { waiting: WAITING, started: null, phase: 'queued' }, 'Stop?'],
    ['is being checked', { started: null, phase: 'checking' }, 'Stop? Restart?'],
    ['starts', {}, 'Stop? Restart? Log'],
    ['is ready', READY, 'Stop? Restart? Log'],
    ['is being stopped', { stopBy: 'U0BOB' }, 'Log'],
    ['was stopped', { phase: 'stopped', stopBy: 'U0BOB' }, 'Restart? Log'],
    ['was replaced', { phase: 'stopped', restartedAs: { run: 'r', name: 'kpro5-4' } }, 'Log'],
  ] as const)('and %s', (_, changes, expected) => {
    expect(buttons(changes)).toBe(expected);
  });
});

describe('a run with which something is wrong can be explained', () => {
  test.each([
    ['failed', { phase: 'failed', failure: ENDED }, 'Restart? Log Explain'],
    ['lost', { phase: 'lost', lost: 'The host is gone.' }, 'Restart? Log Explain'],
    ['stuck', { pulse: 'stuck' }, 'Stop? Restart? Log Explain'],
    ['ready with warnings', { ...READY, verification: WARNED }, 'Stop? Restart? Log Explain'],
    ['not usable', { ...READY, verification: UNUSABLE }, 'Stop? Restart? Log Explain'],
    ['hanging', { ...READY, vitals: { ...LIVELY, hang: HANG } }, 'Stop? Restart? Log Explain'],
    ['dead within', { ...READY, vitals: { ...LIVELY, death: DEATH } }, 'Stop? Restart? Log Explain'],
    ['stopped because of its warnings', { phase: 'stopped', verification: WARNED }, 'Restart? Log Explain'],
  ] as const)('where it is %s', (_, changes, expected) => {
    expect(buttons(changes)).toBe(expected);
  });

  test('also a training that learns nothing, or whose target server is down', () => {
    expect(words(sampleTraining({ worthless: ['nan_loss'] }))).toBe('Stop? Restart? Log Explain');
  });
});

test('what was refused has nothing to show but to start it again', () => {
  const failure = { kind: 'refused', reason: 'Port 8000 is taken.' } as const;
  expect(buttons({ phase: 'failed', started: null, failure })).toBe('Restart?');
});

test('what somebody started by hand can be read and explained, and neither stopped nor restarted by a click', () => {
  expect(buttons({}, FOUND)).toBe('Log');
  expect(buttons({ phase: 'failed', failure: ENDED }, FOUND)).toBe('Log Explain');
});

test('every button has the run’s id alone for its value, and says to a screen reader what it is of', () => {
  const block = runButtons(sampleRun({ pulse: 'stuck' }));
  if (block?.type !== 'actions') throw new Error('there are buttons');
  expect(block.elements).toMatchObject(
    ['stop', 'restart', 'log', 'explain'].map((action) => ({ action_id: action, value: 'vigil-kpro5-1a2b' })),
  );
  expect(block.elements.map((one) => ('accessibility_label' in one ? one.accessibility_label : ''))).toEqual([
    'Stop kpro5-3',
    'Restart kpro5-3',
    'Log kpro5-3',
    'Explain kpro5-3',
  ]);
});
