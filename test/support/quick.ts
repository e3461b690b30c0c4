import { PRODUCTION, type Timings } from '../../src/timings.ts';

/** Production's waits, compressed; the order between them stays (an intent outlives a post, a lock two looks). */
export const QUICK: Timings = {
  ...PRODUCTION,
  lock: 1_500,
  stalled: 500,
  keep: 2_000,
  intent: 2_500,
  post: 2_000,
  cardYoung: 300,
  cardOld: 300,
  minute: 1_000,
  away: 1_000,
  file: 10_000,
  fileLook: 100,
  fileShare: 3_000,
  probe: 300,
  traffic: 300,
  beat: 300,
  room: 1_000,
  load: 2_000,
  target: 400,
  settled: 3_000,
  pulse: 500,
  contact: 5_000,
  flush: 300,
  home: 3_000,
  reconnect: 300,
  stopLook: 100,
  stopTerm: 3_000,
  stopKill: 2_000,
};

/**
 * The same for a worker that nobody kills. It shares the test's process, which stands still for seconds on a busy machine: a short lock would be
 * lost, and its jobs given out again and again.
 */
export const SHARED: Timings = { ...QUICK, lock: PRODUCTION.lock, stalled: PRODUCTION.stalled };
