/** Room on the file systems that a ready server writes to: its log, its user's caches, temporary files, shared memory. */

import { wait } from '../flow/wait.ts';
import type { Room } from '../host/preflight.ts';
import { list } from '../list.ts';
import { isEnd } from '../run/run.ts';
import type { DiskLook } from '../vitals/disks.ts';
import { openAsker } from './asker.ts';
import type { Watch } from './watch.ts';

/** Between two looks whether it is ready by now (ms). */
const READY_MS = 1_000;

/** A host that is out of reach, and a file system that hangs, are asked again later: nothing else waits for them. */
export async function watchRooms(watch: Watch): Promise<void> {
  const { host, started, inbox, clock, hostTime, timings, contact, logger, signal } = watch;
  if (inbox.run().request.kind !== 'serve') return;
  const places = placesOf(started.log);
  const onFailure = (error: unknown) =>
    logger.warn({ err: error }, 'the room on the disks of a run could not be looked at');
  const ask = openAsker<ReadonlyMap<string, Room>>({ ms: timings.look, signal, onFailure });
  while (!signal.aborted && !contact.isOver && !isEnd(inbox.run().phase)) {
    const isReady = inbox.run().phase === 'ready';
    const rooms = isReady ? await ask(() => host.room([...places.keys()], signal)) : null;
    const at = hostTime.read().now;
    if (rooms !== null && !signal.aborted)
      inbox.put({ kind: 'disks', disks: disksOf(places, rooms), at, seen: clock.now() });
    await wait(isReady ? timings.room : Math.min(READY_MS, timings.room), signal);
  }
}

/** Paths, and what of the run is there in words for people. */
function placesOf(log: string): ReadonlyMap<string, string> {
  return new Map([
    [log, 'its log'],
    ['~/.cache', 'its caches'],
    ['/tmp', '/tmp'],
    ['/dev/shm', '/dev/shm'],
  ]);
}

/** One a file system, whatever is on there. */
function disksOf(places: ReadonlyMap<string, string>, rooms: ReadonlyMap<string, Room>): readonly DiskLook[] {
  const known = [...rooms].map(([path, room]) => ({ ...room, what: places.get(path) ?? path }));
  const mounts = [...new Set(known.map(({ mount }) => mount))];
  return mounts.flatMap((mount) => {
    const own = known.filter((one) => one.mount === mount);
    const [first] = own;
    return first === undefined
      ? []
      : [{ what: list(own.map(({ what }) => what)), mount, free: first.free, total: first.total }];
  });
}
