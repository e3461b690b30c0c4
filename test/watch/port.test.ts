import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Started } from '../../src/host/launch.ts';
import type { Peek } from '../../src/host/log.ts';
import type { Pid } from '../../src/host/process.ts';
import type { Run } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { watchPort } from '../../src/watch/port.ts';
import type { Watch } from '../../src/watch/watch.ts';
import { askForRun } from '../support/asked-run.ts';

const MAIN: Pid = { pid: 100, start: 1 };
let run: Run;

beforeEach(async () => {
  const { store, id } = await askForRun();
  const entry = await store.journal.load(id);
  await store.close();
  if (entry === null) throw new Error('the run is not in the journal');
  run = { ...entry.run, started: { main: MAIN, log: '/root/dflash.log' } as Started };
});

let letGo: AbortController;
afterEach(() => letGo.abort());

describe('the watch over a server’s port', () => {
  test('tells readiness only after the log was read as far as it stood when the server answered', async () => {
    const offsets = [0, 40, 99, 100];
    expect(await seenOf({ stands: 100, offsets })).toEqual(['verified']);
    expect(offsets).toEqual([]);
  });

  test('tells readiness of a server whose log is gone', async () => {
    expect(await seenOf({ stands: null, offsets: [] })).toEqual(['verified']);
  });

  test('waits for a log that can’t be read no longer than for a host', async () => {
    const slow = { now: 0, step: PRODUCTION.contact };
    expect(await seenOf({ stands: 100, offsets: [0, 0, 0], clock: slow })).toEqual(['verified']);
  });
});

/** What is put into the inbox for a server that is ready at once, while its log is read up to these offsets, one a look. */
async function seenOf({
  stands,
  offsets,
  clock = { now: 0, step: 0 },
}: {
  stands: number | null;
  offsets: number[];
  clock?: { now: number; step: number };
}): Promise<string[]> {
  const seen: string[] = [];
  letGo = new AbortController();
  const now = () => {
    clock.now += clock.step;
    return clock.now;
  };
  const watch = {
    host: readyHost(stands),
    started: run.started,
    folder: { path: '/tmp', run: run.request.id },
    inbox: {
      run: () => run,
      put: (...observations: { kind: string }[]) => {
        seen.push(...observations.map(({ kind }) => kind));
        letGo.abort();
      },
    },
    log: { position: () => ({ generation: null, offset: offsets.shift() ?? 0 }) },
    hostTime: { read: () => ({ now: 0, zoneMinutes: 0 }) },
    clock: { now },
    timings: PRODUCTION,
    apiKey: null,
    signal: letGo.signal,
  };
  await watchPort(watch as unknown as Watch);
  return seen;
}

/** A server that answers everything, owned by the run; its log has so many bytes. */
function readyHost(stands: number | null): Host {
  const bodies: Record<string, unknown> = {
    '/health': '',
    '/v1/models': { data: [{ id: 'm' }] },
    '/v1/completions': { choices: [{ text: 'Paris' }] },
  };
  const host: Partial<Host> = {
    http: async ({ path }) => ({ status: 200, body: JSON.stringify(bodies[path]), by: 'forwarding' }),
    listener: async () => ({ kind: 'known', pid: MAIN.pid, command: 'vllm', run: null, user: null, since: 0 }),
    tree: async () => [MAIN],
    peek: async () => (stands === null ? null : ({ size: stands } as Peek)),
  };
  return host as Host;
}
