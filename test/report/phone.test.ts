import { expect, test } from 'vitest';
import type { Cause } from '../../src/diagnosis/cause.ts';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import type { Run } from '../../src/run/run.ts';
import { plainMessage } from '../support/plain.ts';
import { DEATH, HANG, HEALTHY, LIVELY, OOM, sampleRun, T0, UNUSABLE, VIEW, visits } from './sample-run.ts';

/** What a phone shows at once: lines, and characters in one. */
const SCREEN = 29;
const WIDTH = 40;

const START = { queued: 0, checking: 0.4, launched: 2, configuring: 9, connecting: 12, loading: 15 };
const UP = visits({ ...START, compiling: 30, kv_cache: 80, capturing: 90, verifying: 100, ready: 102 });
const READINESS = {
  ...({ proof: 'socket', by: 'forwarding' } as const),
  model: '/root/models/Qwen3.6-27B',
  completion: 'It completed a prompt with 16 tokens.',
};
const READY = { phase: 'ready', visits: UP, readiness: READINESS, verification: HEALTHY, vitals: LIVELY } as const;
/** As long as causes and remedies are as a rule. */
const LONG: Cause = {
  ...OOM,
  title: 'The GPU ran out of memory, and another process holds much of it',
  remedy: `See on the host what process 3381 is (\`ps -fp 3381\`): it holds 20.67 GiB of GPU 1. ${'End it if it is left over. '.repeat(5)}`,
  message: `CUDA out of memory. ${'Process 3381 has 20.67 GiB memory in use. '.repeat(20)}`,
};
const EXIT = { code: 1, signal: null, at: T0 + 40_000 };
const ENDED = { kind: 'ended', exit: EXIT, during: 'loading', tail: [] } as const;
const FAILED = { phase: 'failed', visits: visits({ ...START, failed: 40 }) } as const;
const STILL = Array.from({ length: 30 }, (_, index) => `INFO ${index} ${'x'.repeat(300)}`);

/** How many lines a phone makes of the card's words. */
function linesOf(changes: Partial<Run>): number {
  const text = plainMessage(renderCard(sampleRun(changes), VIEW));
  return text.split('\n').reduce((sum, line) => sum + wrapped(line), 0);
}

function wrapped(line: string): number {
  let [lines, used] = [1, 0];
  for (const word of line.split(' ')) {
    if (used > 0 && used + word.length > WIDTH) [lines, used] = [lines + 1, 0];
    used += word.length + 1;
  }
  return lines;
}

test.each<[string, Partial<Run>]>([
  ['loads', { visits: visits(START), progress: { phase: 'loading', done: 12, total: 15 } }],
  ['is ready', READY],
  ['is of no use', { ...READY, verification: UNUSABLE }],
  ['hangs', { ...READY, vitals: { ...LIVELY, hang: HANG } }],
  ['is dead', { ...READY, vitals: { ...LIVELY, death: { ...DEATH, cause: LONG } } }],
  ['failed', { ...FAILED, failure: { ...ENDED, cause: LONG } }],
  ['failed without a word of why', { ...FAILED, failure: { ...ENDED, cause: null, tail: STILL } }],
  ['was stopped', { phase: 'stopped', visits: UP, stop: { proven: true, evidence: ['All is gone.', 'Exit code 0.'] } }],
])('the card of one that %s fits a screen', (_, changes) => {
  expect(linesOf(changes)).toBeLessThanOrEqual(SCREEN);
});

test('what a card leaves out is told to who asks for details', () => {
  const failed = plainMessage(renderDetails(sampleRun({ ...FAILED, failure: { ...ENDED, cause: OOM } }), VIEW));
  expect(failed).toContain('File "vllm/model_executor/layers/linear.py", line 201');
  expect(failed).toContain('nobody asked for a stop.\nTo try again once that is changed: /vllm launch kpro5 dflash');
  const ready = plainMessage(renderDetails(sampleRun(READY), VIEW));
  expect(ready).toContain('The listening socket belongs to this run. It completed a prompt with 16 tokens.');
  expect(ready).toContain('70 % at position 1, 45 % at 2');
  expect(ready).toContain('✅ Passed: access, model name');
});

test('of what passed a card speaks where something did not', () => {
  const passed = (changes: Partial<Run>): boolean =>
    plainMessage(renderCard(sampleRun(changes), VIEW)).includes('Passed: ');
  expect(passed(READY)).toBe(false);
  expect(passed({ ...READY, verification: UNUSABLE })).toBe(true);
});
