import { setTimeout as sleep } from 'node:timers/promises';

/** Waits in unscaled seconds, divided by the host's speed. */
export function createPace(speed) {
  let isHalted = false;

  const wait = async (seconds) => {
    await sleep((seconds * 1000) / speed);
    // After a halt the process only says its last lines: whoever waited must not go on.
    if (isHalted) await new Promise(() => undefined);
  };

  /** Like `wait`, while fresh memory is touched as a loading process does: page faults move, the log is silent. */
  const work = async (seconds) => {
    const slices = Math.max(1, Math.ceil(seconds / speed));
    for (let slice = 0; slice < slices; slice += 1) {
      Buffer.alloc(512 * 1024, 1);
      await wait(seconds / slices);
    }
  };

  /** Keeps the process alive, and whoever waits: only a signal ends it. */
  const never = () => new Promise(() => void setInterval(() => undefined, 2 ** 30));

  return {
    speed,
    wait,
    work,
    never,
    halt: () => {
      isHalted = true;
    },
  };
}
