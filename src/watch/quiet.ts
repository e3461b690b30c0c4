/** A log whose first process is not seen: only its own words and its silence say whether it goes on. */

import { judge } from '../diagnosis/judge.ts';
import type { Reading } from '../log/reading.ts';
import type { Request } from '../run/request.ts';
import type { Run } from '../run/run.ts';

const HOUR_MS = 3_600_000;
/** After this long without a byte it counts as lost. A server that nobody asks for anything is silent for days. */
const GIVEN_UP = {
  train: { ms: 6 * HOUR_MS, words: '6 hours' },
  serve: { ms: 7 * 24 * HOUR_MS, words: '7 days' },
} as const;

/**
 * Over when the log shows an end and is silent since `settledMs`; lost when it only is silent, for hours. `now` is the host's time (ms),
 * `read` all that the log says.
 */
export function verdictOnSilence(
  { heard, request }: Pick<Run, 'heard' | 'request'>,
  { now, settledMs, read }: { now: number; settledMs: number; read: () => Reading },
): 'on' | 'over' | { readonly lost: string } {
  const silentMs = now - heard;
  if (silentMs >= settledMs && showsEnd(read(), request.kind)) return 'over';
  const { ms, words } = GIVEN_UP[request.kind];
  if (silentMs < ms) return 'on';
  return { lost: `Its first process is not seen, the log shows no end, and it has been silent for ${words}.` };
}

/** Of a training that is interrupted its ranks may still save; a server has nothing left to do then. */
export function showsEnd(reading: Reading, kind: Request['kind']): boolean {
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  if (verdict === 'stopped') return kind === 'serve';
  return verdict === 'finished' || (verdict === 'failed' && cause !== null);
}
