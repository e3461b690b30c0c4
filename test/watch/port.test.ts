import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { CommandFailed } from '../../src/errors.ts';
import { termsOf } from '../../src/flow/verify/terms.ts';
import type { Peek } from '../../src/host/log.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { ServeRequest } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { watchPort } from '../../src/watch/port.ts';
import type { Watch } from '../../src/watch/watch.ts';
import { sampleRun } from '../report/sample-run.ts';
import { type FakeServer, fakeServer, gone, MAIN, MODEL, OURS, THEIRS } from '../support/fake-server.ts';
import { sampleConfig } from '../support/sample-config.ts';

const TIMINGS = { ...PRODUCTION, probe: 1, traffic: 1, reconnect: 1 };
/** So often a loop looks at its run before it is taken for one that does nothing more. */
const MANY_LOOKS = 50;

interface Scene {
  readonly server: FakeServer;
  readonly seen: Observation[];
  /** What was told to people, by kind. */
  readonly happened: string[];
  /** What the server had been asked at each look at the log's position. */
  readonly askedAt: (readonly string[])[];
  run(): Run;
}

interface Given {
  /** How many bytes the log has; null: it is gone. */
  readonly stands?: number | null;
  /** How far it is read, look by look. */
  readonly offsets?: number[];
  /** By how much the clock goes on at each look (ms). */
  readonly step?: number;
  readonly does?: Partial<Host>;
  readonly changes?: Partial<Run>;
  readonly request?: Partial<ServeRequest>;
  readonly prepare?: (server: FakeServer) => void;
}

/** A watch over a server that answers, until it is verified or nothing more comes of it. */
async function watched(given: Given = {}): Promise<Scene> {
  const { stands = null, offsets = [], step = 0, does = {}, changes = {}, request = {}, prepare } = given;
  const server = fakeServer({
    peek: async () => (stands === null ? null : ({ size: stands } as Peek)),
    ...does,
  });
  prepare?.(server);
  const letGo = new AbortController();
  const sample = sampleRun({ phase: 'loading', ...changes }, request);
  let run: Run = sample.started === null ? sample : { ...sample, started: { ...sample.started, main: MAIN } };
  let now = 0;
  let looks = 0;
  const scene: Scene = { server, seen: [], happened: [], askedAt: [], run: () => run };
  const watch = {
    host: server.host,
    started: run.started,
    folder: { path: '/tmp', run: run.request.id },
    inbox: {
      run: () => {
        looks += 1;
        if (looks > MANY_LOOKS) letGo.abort();
        return run;
      },
      put: (...observations: Observation[]) => {
        looks = 0;
        scene.seen.push(...observations);
        const next = stepAll(run, observations);
        run = next.run;
        scene.happened.push(...next.happened.map(({ kind }) => kind));
      },
    },
    log: {
      position: () => {
        scene.askedAt.push(server.paths());
        return { generation: null, offset: offsets.shift() ?? 0 };
      },
    },
    hostTime: { read: () => ({ now: 0, zoneMinutes: 0 }) },
    clock: {
      now: () => {
        now += step;
        return now;
      },
    },
    logger: pino({ level: 'silent' }),
    contact: { last: 0, why: '', isOver: false },
    records: { read: async () => null },
    terms: termsOf(sampleConfig(), run),
    timings: TIMINGS,
    signal: letGo.signal,
  };
  await watchPort(watch as unknown as Watch);
  return scene;
}

function kinds({ seen }: Scene): string[] {
  return seen.map(({ kind }) => kind);
}

function notices({ seen }: Scene): string[] {
  return seen.flatMap((one) => (one.kind === 'notice' ? [one.text] : []));
}

describe('the watch over a server’s port', () => {
  test('tells readiness only after the log was read as far as it stood when the server answered', async () => {
    const offsets = [0, 40, 99, 100];
    const scene = await watched({ stands: 100, offsets });
    expect(kinds(scene)).toEqual(['answering', 'verified']);
    expect(offsets).toEqual([]);
    expect(scene.run().phase).toBe('ready');
  });

  test('asks it for nothing but its health before its log was read, since that says what it can do', async () => {
    const { askedAt } = await watched({ stands: 100, offsets: [0, 100] });
    expect(askedAt).toEqual([['/health'], ['/health']]);
  });

  test('tells readiness of a server whose log is gone', async () => {
    expect(kinds(await watched({ stands: null }))).toEqual(['answering', 'verified']);
  });

  test('waits for a log that can’t be read no longer than for a host', async () => {
    const scene = await watched({ stands: 100, step: TIMINGS.contact });
    expect(scene.run().phase).toBe('ready');
  });

  test('tells a stranger at its address once, and goes on looking', async () => {
    const listeners = [THEIRS, THEIRS, OURS];
    const scene = await watched({ does: { listener: async () => listeners.shift() ?? OURS } });
    expect(notices(scene)).toEqual([
      "Another process answers at this run's address: pid 99 of bob (python -m http.server). The run is not counted as ready.",
    ]);
    expect(scene.run().phase).toBe('ready');
  });

  test('tells a server that completes nothing once, after the third time in a row, and verifies it when it does', async () => {
    const fails = { status: 500, body: 'no' };
    const scene = await watched({
      prepare: (server) => {
        for (const path of ['/v1/completions', '/v1/chat/completions'])
          server.answer(path, fails, fails, fails, fails, { status: 200 });
      },
    });
    expect(kinds(scene).filter((kind) => kind !== 'answering')).toEqual(['unusable', 'unusable', 'verified']);
    expect(scene.happened).toEqual(['unusable', 'ready']);
  });

  test('counts only failures in a row', async () => {
    const fails = { status: 500, body: 'no' };
    const scene = await watched({
      prepare: (server) => {
        server.answer('/health', { status: 200 }, { status: 200 }, { status: 503 }, { status: 200 });
        for (const path of ['/v1/completions', '/v1/chat/completions'])
          server.answer(path, fails, fails, fails, fails, { status: 200 });
      },
    });
    expect(scene.happened).toEqual(['ready']);
  });

  test('begins anew when it goes away while it is asked', async () => {
    const scene = await watched({
      prepare: ({ answer }) => answer('/v1/models', gone(), { status: 200, body: `{"data":[{"id":"${MODEL}"}]}` }),
    });
    expect(kinds(scene)).toEqual(['answering', 'answering', 'verified']);
  });

  test('verifies anew what another watch had begun to verify', async () => {
    const scene = await watched({ changes: { phase: 'verifying' } });
    expect(scene.happened).toEqual(['ready']);
  });

  test('tells once what keeps a host from asking it', async () => {
    const stderr = 'the host allows no TCP forwarding and has no curl: allow one of the two';
    const closed = new CommandFailed({ host: 'kpro5', script: 'curl', exitCode: 127, stderr });
    const scene = await watched({ prepare: ({ answer }) => answer('/health', closed, closed, { status: 200 }) });
    expect(notices(scene)).toEqual([`Its server can't be verified: ${stderr}.`]);
    expect(scene.run().phase).toBe('ready');
  });

  test('asks nothing of a server that is being stopped', async () => {
    expect((await watched({ changes: { stopBy: 'U0ALICE' } })).server.asked).toEqual([]);
  });

  test.each([
    ['serves no HTTP', ['--headless']],
    ['takes nobody without a certificate', ['--ssl-certfile', 'c', '--ssl-keyfile', 'k', '--ssl-cert-reqs', '2']],
  ])('asks nothing of a server that %s', async (_, words) => {
    const scene = await watched({ request: { argv: ['vllm', 'serve', 'm', ...words] } });
    expect([scene.server.asked, scene.seen]).toEqual([[], []]);
  });

  test('tells once that a server has started which nobody can ask, when its log says that it is up', async () => {
    const argv = ['vllm', 'serve', 'm', '--headless'];
    const scene = await watched({ changes: { phase: 'verifying' }, request: { argv } });
    expect(scene.seen).toMatchObject([{ kind: 'unverified', why: 'headless' }]);
    expect([scene.happened, scene.server.asked]).toEqual([['unverified'], []]);
  });

  test('sends the key of the recipe to no address that a log names', async () => {
    const { reading } = sampleRun({});
    const asked = { host: '203.0.113.66', port: 6666 };
    const { server } = await watched({ changes: { reading: { ...reading, asked } } });
    const { address } = sampleRun({}).request;
    for (const request of server.asked) expect(request.address).toEqual(address);
  });
});
