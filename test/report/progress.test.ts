import { expect, test } from 'vitest';
import { emptyReading } from '../../src/log/reading.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import { bar } from '../../src/report/bar.ts';
import { renderCard } from '../../src/report/card.ts';
import { shareOf } from '../../src/report/progress.ts';
import { sampleRun, sampleTraining, T0, VIEW } from './sample-run.ts';

test.each([
  [0, '▱▱▱▱▱▱▱▱▱▱ 0 %'],
  [0.2, '▰▰▱▱▱▱▱▱▱▱ 20 %'],
  [0.29, '▰▰▱▱▱▱▱▱▱▱ 29 %'],
  [0.999, '▰▰▰▰▰▰▰▰▰▱ 99 %'],
  [1, '▰▰▰▰▰▰▰▰▰▰ 100 %'],
  [1.5, '▰▰▰▰▰▰▰▰▰▰ 100 %'],
])('%d of a whole is drawn as %s, full only once all is there', (share, drawn) => {
  expect(bar(share)).toBe(drawn);
});

test('progress of a phase that is over says nothing of the one that it is in', () => {
  const progress = { phase: 'loading', done: 15, total: 15 } as const;
  expect(shareOf(sampleRun({ phase: 'loading', progress }))).toBe(1);
  expect(shareOf(sampleRun({ phase: 'compiling', progress }))).toBeNull();
});

test('a download is as far as its bytes, where it is known how many there will be', () => {
  const at = (total: number | null) =>
    sampleRun({ phase: 'downloading', work: { ...NO_WORK, arrived: { bytes: 25, total } } });
  expect(shareOf(at(100))).toBe(0.25);
  expect(shareOf(at(null))).toBeNull();
  expect(shareOf(at(20))).toBeNull();
});

test('a training is as far as its steps, else as its epochs', () => {
  const mark = { record: { step: 119, epoch: 1, loss: 4, accuracy: null, tokensPerSecond: null }, number: 120, at: T0 };
  const training = { since: T0, first: mark, last: mark };
  const progress = { phase: 'training', done: 1, total: 5, unit: 'epoch' } as const;
  const facts = { epochs: 5, steps_per_epoch: 80 };
  expect(shareOf(sampleTraining({ training, progress, reading: { ...emptyReading('train'), facts } }))).toBe(0.3);
  expect(shareOf(sampleTraining({ training, progress }))).toBe(0.2);
  expect(shareOf(sampleTraining({ training, progress, phase: 'checkpointing' }))).toBe(0.2);
});

test('whoever has the card read out hears how far it is and how long it takes', () => {
  const habits = [{ phase: 'loading', starts: 3, ms: 100_000, laterMs: 60_000, silentMs: 1000 } as const];
  const visits = [{ phase: 'loading', at: T0 + 20_000 } as const];
  const progress = { phase: 'loading', done: 3, total: 15 } as const;
  expect(renderCard(sampleRun({ visits, progress, work: { ...NO_WORK, habits } }), VIEW).text).toBe(
    'Loading weights 3/15: dflash on kpro5 (kpro5-3). 20 % done, about 2 min left.',
  );
});

test('of what is out of contact nobody says how far it is', () => {
  const progress = { phase: 'loading', done: 3, total: 15 } as const;
  expect(renderCard(sampleRun({ progress, pulse: 'out_of_contact' }), VIEW).text).toBe(
    'Out of contact, last seen loading weights 3/15: dflash on kpro5 (kpro5-3).',
  );
});
