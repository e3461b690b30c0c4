/** The time after readiness, in which a scenario's trouble begins: never before whoever watches has seen that all was well. */
import { setTimeout as sleep } from 'node:timers/promises';

const mostSeconds = 120;
/** Real time: whoever watches must be able to see that the server was ready, at any speed. */
const leastRestMs = 2_000;
const leastMostMs = 15_000;

/** Resolves when it has completed something and then has not been asked for `seconds`; after two minutes though nobody asked. */
export async function untilRested({ metrics, pace }, { seconds = 8 } = {}) {
  const readyAt = Date.now();
  const rest = Math.max(leastRestMs, (seconds * 1000) / pace.speed);
  const most = Math.max(leastMostMs, (mostSeconds * 1000) / pace.speed);
  for (;;) {
    await sleep(100);
    const { lastFinished, running } = metrics.read();
    if (running > 0) continue;
    if (lastFinished !== null ? Date.now() - lastFinished > rest : Date.now() - readyAt > most) return;
  }
}
