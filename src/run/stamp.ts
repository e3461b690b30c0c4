/** A host's clock: what turns `11-30 07:41:56` (local time, no year, no zone: vLLM's logger) into a moment. */
export interface HostClock {
  /** The host's clock now, ms since the epoch. */
  readonly now: number;
  /** Minutes east of UTC of the host's local time. */
  readonly zoneMinutes: number;
}

const STAMP = /^(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
const DAY = 86_400_000;

/**
 * The moment of a log stamp in ms since the epoch, in the year that puts it nearest to the host's now.
 * A stamp before `earliest` or after now (give or take a minute) can't be this run's own time, as in a replayed log or after a
 * clock change: null then, as for no stamp.
 */
export function momentOf(stamp: string | null, clock: HostClock, earliest: number): number | null {
  const parts = STAMP.exec(stamp ?? '');
  if (parts === null) return null;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  const year = new Date(clock.now + clock.zoneMinutes * 60_000).getUTCFullYear();
  const candidates = [year - 1, year, year + 1].map(
    (y) => Date.UTC(y, month - 1, day, hour, minute, second) - clock.zoneMinutes * 60_000,
  );
  const nearest = candidates.reduce((a, b) => (Math.abs(a - clock.now) <= Math.abs(b - clock.now) ? a : b));
  if (nearest < earliest - 60_000 || nearest > clock.now + 60_000 || nearest < clock.now - 180 * DAY) return null;
  return nearest;
}
