/** The host's clock as last seen: every sample sets it again. */
import type { HostClock } from '../run/stamp.ts';
import type { Clock } from '../tools.ts';

export interface HostTime {
  set(hostNow: number): void;
  setZone(minutes: number): void;
  read(): HostClock;
}

export function openHostTime(clock: Clock): HostTime {
  let skew = 0;
  let zoneMinutes = 0;
  return {
    set(hostNow) {
      skew = hostNow - clock.now();
    },
    setZone(minutes) {
      zoneMinutes = minutes;
    },
    read: () => ({ now: clock.now() + skew, zoneMinutes }),
  };
}
