import type { HistoryEntry } from '../../src/history/entry.ts';
import { entryOf } from '../../src/history/entry-of.ts';
import { OOM, sampleRun, T0, visits } from '../report/sample-run.ts';

const exit = { code: 1, signal: null, at: T0 + 60_000 };
const run = sampleRun(
  {
    phase: 'failed',
    failure: { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] },
    visits: visits({ queued: 0, loading: 9, failed: 60 }),
  },
  { id: 'vigil-kpro5-old', name: 'kpro5-1' },
);

/** A run of which only the history is left: it failed for want of GPU memory. */
export const PAST: HistoryEntry = { ...entryOf(run, T0 + 60_000), thread: { channel: 'C0OPS', ts: '9.000001' } };
