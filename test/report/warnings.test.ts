import { describe, expect, test } from 'vitest';
import { NO_WORK } from '../../src/pulse/work.ts';
import { renderCard } from '../../src/report/card.ts';
import type { Run } from '../../src/run/run.ts';
import { still } from '../pulse/samples.ts';
import { plainMessage } from '../support/plain.ts';
import { sampleRun, sampleTraining, T0, VIEW, visits } from './sample-run.ts';

const FINDING = { check: 'x', found: 'It is so.', needed: null, advice: null, isFinal: false } as const;
const START = visits({ queued: 0, checking: 1, launched: 2, loading: 15 });

function lines(run: Run): string[] {
  return plainMessage(renderCard(run, VIEW)).split('\n');
}

function checked(
  forcedBy: string | null,
  ...of: [string, 'refused' | 'warning' | 'unknown' | 'passed'][]
): Partial<Run> {
  const findings = of.map(([label, verdict]) => ({ ...FINDING, label, verdict }));
  return { visits: START, checks: { tookMs: 800, forcedBy, findings } };
}

describe('a card warns', () => {
  test('of what its checks warned of and could not tell, before its phases', () => {
    const shown = lines(sampleRun(checked(null, ['Driver', 'warning'], ['Disk', 'unknown'], ['Port', 'passed'])));
    const at = shown.indexOf("⚠️ Checks warn of Driver, can't tell of Disk.");
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(shown.findIndex((line) => line.includes('Checking the host')));
  });

  test('that it was started although its checks refuse it', () => {
    expect(lines(sampleRun(checked('U0BOB', ['GPU memory', 'refused'])))).toContain(
      '⚠️ Started although its checks refuse it: GPU memory.',
    );
  });

  test('of nothing where all is well', () => {
    expect(lines(sampleRun(checked(null, ['Port', 'passed']))).join('\n')).not.toContain('⚠️');
  });

  test('that its log shows several starts, and that a part of it may be missing', () => {
    const shown = lines(sampleRun({ visits: START, restarts: 2, gapAt: T0 }));
    expect(shown).toContain('⚠️ Its log shows 3 starts.');
    expect(shown).toContain('⚠️ Part of its log may be missing, before 2026-11-30 07:00 UTC.');
  });

  test('of what the launch found, while it lives', () => {
    const run = sampleRun({ visits: START });
    const started = run.started === null ? null : { ...run.started, warnings: ['It ends with its session'] };
    expect(lines({ ...run, started })).toContain('⚠️ It ends with its session.');
    expect(lines({ ...run, started, phase: 'stopped' }).join('\n')).not.toContain('its session');
  });

  test('right below its state, of what is out of contact and since when', () => {
    expect(lines(sampleRun({ visits: START, pulse: 'out_of_contact' })).slice(0, 2)).toEqual([
      '📡 Out of contact, last seen loading weights: dflash on kpro5 (kpro5-3)',
      'No contact since 2026-11-30 07:01 UTC. Vigil keeps trying; the process may well go on.',
    ]);
  });

  test('right below its state, of a training whose results are worthless', () => {
    expect(lines(sampleTraining({ worthless: ['nan_loss'] })).slice(0, 2)).toEqual([
      '⚠️ Training: drafter on trainer (trainer-1)',
      '⚠️ What it learns is worth nothing (nan loss): the thread says why.',
    ]);
  });

  test('right below its state, of what stands in the way of one that stands still', () => {
    const work = { ...NO_WORK, motion: still(9, { troubles: ['Rank 3 does not answer.'] }) };
    expect(lines(sampleRun({ visits: START, pulse: 'stuck', work }))[1]).toBe('• Rank 3 does not answer.');
    expect(lines(sampleRun({ visits: START, pulse: 'moving', work })).join('\n')).not.toContain('Rank 3');
  });
});

describe('the last sign of life', () => {
  const shown = (changes: Partial<Run>) => lines(sampleRun({ visits: START, ...changes })).join('\n');

  test('is when log and host were heard', () => {
    expect(shown({ heard: T0 + 55_000 })).toContain('Last heard 2026-11-30 07:01:00 UTC');
  });

  test('tells a silent log from its host', () => {
    expect(shown({ heard: T0 + 20_000 })).toContain(
      'Last log line 2026-11-30 07:00:20 UTC, last look 2026-11-30 07:01:00 UTC',
    );
  });

  test('is not told of what has not started, and of what has ended', () => {
    expect(shown({ phase: 'checking', started: null })).not.toContain('Last heard');
    expect(shown({ phase: 'failed' })).not.toContain('Last heard');
  });
});

test('a run that is being stopped says who asked, on its card and in its sentence, and mentions nobody', () => {
  const card = renderCard(sampleRun({ visits: START, stopBy: 'U0BOB' }), VIEW);
  expect(card.text).toBe('Stopping, asked by Bob: dflash on kpro5 (kpro5-3).');
  expect(plainMessage(card)).toMatch(/^⏳ Stopping, asked by Bob: dflash on kpro5/);
  expect(JSON.stringify(card)).not.toContain('<@');
});
