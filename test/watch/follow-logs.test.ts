import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { HostRefused } from '../../src/errors.ts';
import type { FollowTarget, LogChunk } from '../../src/host/log.ts';
import type { Observation } from '../../src/run/observe.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { openHostTime } from '../../src/watch/clock.ts';
import { watchLog, watchTargetLog } from '../../src/watch/follow-logs.ts';
import { openWatchedLog } from '../../src/watch/log.ts';
import type { Watch } from '../../src/watch/watch.ts';

const PATIENT = { timeout: 10_000, interval: 5 };
const OPENED: LogChunk = {
  ...{ kind: 'opened', size: 0, offset: 0, skipped: 0 },
  generation: { device: '8', inode: '1', sum: 'a', summed: 0 },
};
const MISSING: LogChunk = { kind: 'missing' };

let letGo = new AbortController();
afterEach(() => {
  letGo.abort();
  letGo = new AbortController();
});

interface Told {
  readonly notices: string[];
  readonly targets: FollowTarget[];
}

/** A watch whose host gives these chunks and then goes on silently, or fails. */
function openWatch(
  follow: () => readonly LogChunk[],
  { realLog = null, isTraining = false }: { realLog?: string | null; isTraining?: boolean } = {},
): Watch & Told {
  const told: Told = { notices: [], targets: [] };
  const host: Partial<Host> = {
    name: 'kpro5',
    facts: async () => ({ now: 0, zoneMinutes: 0, bootId: 'b', init: 1, hasBash: true }),
    async *follow(target) {
      told.targets.push(target);
      yield* follow();
      await new Promise((resolve) => letGo.signal.addEventListener('abort', resolve));
    },
  };
  const clock = { now: () => 0 };
  const logOf = (source: 'main' | 'target') =>
    openWatchedLog({ kind: 'serve', source, secrets: [], saved: null, history: 0 });
  const put = (...seen: Observation[]) => {
    for (const one of seen) if (one.kind === 'notice') told.notices.push(one.text);
  };
  const watch = {
    ...{ host, clock, timings: { ...PRODUCTION, reconnect: 1 }, hostTime: openHostTime(clock), realLog },
    ...{ started: { log: '/x/run.log' }, folder: { path: '/runs/r', run: 'r' }, log: logOf('main') },
    inbox: { put, isFull: () => false, run: () => ({ training: isTraining ? {} : null }) },
    ...{ targetLog: { path: '/x/server.log', log: logOf('target') }, contact: { last: 0, why: '', isOver: false } },
    ...{ logger: pino({ level: 'silent' }), signal: letGo.signal },
  };
  return Object.assign(watch as unknown as Watch, told);
}

test('a log that stays missing is told, one that comes in time is not', async () => {
  const late = openWatch(() => [MISSING, MISSING, OPENED, MISSING, MISSING]);
  const gone = openWatch(() => [MISSING, MISSING, MISSING, MISSING]);
  void watchLog(late);
  void watchLog(gone);
  await expect.poll(() => gone.notices, PATIENT).toHaveLength(1);
  expect(gone.notices[0]).toContain("The log /x/run.log can't be read on kpro5");
  expect(gone.targets).toHaveLength(1);
  expect(late.notices).toEqual([]);
});

test('a target server’s log that is missing is told once the training has started', async () => {
  const before = openWatch(() => [MISSING, MISSING, MISSING, MISSING]);
  const after = openWatch(() => [MISSING], { isTraining: true });
  void watchTargetLog(before);
  void watchTargetLog(after);
  await expect.poll(() => after.notices, PATIENT).toHaveLength(1);
  expect(after.notices[0]).toContain("The target server's log /x/server.log is not there on kpro5");
  expect(before.notices).toEqual([]);
});

test('a log whose path leads elsewhere than allowed is told in the host’s words', async () => {
  const refuse = (): never => {
    throw new HostRefused('kpro5', 'It leads elsewhere.');
  };
  const typed = openWatch(refuse, { realLog: '/x/run.log' });
  void watchLog(typed);
  await expect.poll(() => typed.notices, PATIENT).toContain('It leads elsewhere.');
  expect(typed.targets[0]).toMatchObject({ log: '/x/run.log', real: '/x/run.log', role: 'main' });
});
