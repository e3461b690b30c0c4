import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { CommandFailed, HostUnreachable } from '../../src/errors.ts';
import { type HttpAnswer, type HttpRequest, NotListening } from '../../src/http.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Readiness, Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { NO_VITALS } from '../../src/vitals/vitals.ts';
import { openHostTime } from '../../src/watch/clock.ts';
import { watchHeartbeat } from '../../src/watch/heartbeat.ts';
import type { Watch } from '../../src/watch/watch.ts';
import { readyRun } from '../vitals/scene.ts';

const PATIENT = { timeout: 10_000, interval: 2 };
const METRICS = [
  'vllm:num_requests_running{engine="0",model_name="m"} 2.0',
  'vllm:num_requests_waiting{engine="0",model_name="m"} 1.0',
  'vllm:prompt_tokens_total{engine="0",model_name="m"} 10.0',
  'vllm:generation_tokens_total{engine="0",model_name="m"} 20.0',
  '',
].join('\n');
const COMPLETION = JSON.stringify({ choices: [{ text: ' Paris' }], usage: { completion_tokens: 2 } });
const READINESS: Readiness = { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' };
const LATE = new CommandFailed({ host: 'kpro5', script: 'http', exitCode: null, stderr: 'no answer within 5000 ms' });
const NO_CURL = new CommandFailed({ host: 'kpro5', script: 'curl', exitCode: 127, stderr: 'no curl' });

let letGo = new AbortController();
afterEach(() => {
  letGo.abort();
  letGo = new AbortController();
});

interface Scene {
  readonly seen: Observation[];
  readonly requests: HttpRequest[];
  /** How many questions were open at once at most. */
  most: number;
  gpuLooks: number;
  run: Run;
}

function answer(status: number, body = ''): HttpAnswer {
  return { status, body, by: 'forwarding', firstMs: null, totalMs: 1 };
}

/** A watch over a ready server that answers so. */
function open(
  answers: (request: HttpRequest, number: number) => HttpAnswer | Error | Promise<HttpAnswer>,
  changes: Partial<Run> = {},
): Scene {
  const scene: Scene = { seen: [], requests: [], most: 0, gpuLooks: 0, run: readyRun(changes) };
  let isOpen = 0;
  let now = 0;
  const host: Partial<Host> = {
    name: 'kpro5',
    async http(request) {
      isOpen += 1;
      scene.most = Math.max(scene.most, isOpen);
      scene.requests.push(request);
      const given = await answers(request, scene.requests.length);
      isOpen -= 1;
      if (given instanceof Error) throw given;
      return given;
    },
    gpus: async () => {
      scene.gpuLooks += 1;
      return null;
    },
    listener: async () => ({ kind: 'known', pid: 100, user: 'root', command: 'vllm', run: null, since: null }),
    tree: async () => [{ pid: 100, start: 1 }],
  };
  const put = (...observations: Observation[]): void => {
    scene.seen.push(...observations);
    scene.run = stepAll(scene.run, observations).run;
  };
  const clock = { now: () => (now += 1000) };
  const watch = {
    ...{
      host,
      clock,
      hostTime: openHostTime(clock),
      inbox: { run: () => scene.run, put },
      trees: { cores: () => 1.5, newcomerAt: () => null },
    },
    ...{ timings: { ...PRODUCTION, beat: 1, reconnect: 1 }, contact: { last: 0, why: '', isOver: false } },
    terms: {
      environment: {},
      apiKey: 'sk-secret',
      floor: { acceptanceLength: 2, tokensPerSecond: null },
      mask: String,
    },
    ...{ logger: pino({ level: 'silent' }), signal: letGo.signal },
  };
  void watchHeartbeat(watch as unknown as Watch);
  return scene;
}

function beatsOf({ seen }: Scene) {
  return seen.flatMap((one) => (one.kind === 'beat' ? [one.beat] : []));
}

describe('the heartbeat of a ready server', () => {
  test('asks /health, then /metrics, one at a time and without the server’s key', async () => {
    const scene = open(({ path }) => answer(200, path === '/metrics' ? METRICS : ''));
    await expect.poll(() => beatsOf(scene).length, PATIENT).toBeGreaterThan(2);
    expect(beatsOf(scene)[0]).toMatchObject({
      health: 'ok',
      counters: { running: 2, waiting: 1 },
      cores: 1.5,
      gpuUse: null,
    });
    expect(scene.requests.slice(0, 4).map(({ path }) => path)).toEqual(['/health', '/metrics', '/health', '/metrics']);
    expect(JSON.stringify(scene.requests)).not.toContain('sk-secret');
    expect(scene.most).toBe(1);
    expect(scene.seen[0]).toMatchObject({ loadMs: PRODUCTION.load, acceptanceFloor: 2 });
  });

  test('of a watch that took over knows what the one before saw of a compiler', async () => {
    const seen = { at: 0, health: 'ok', counters: null, cores: null, gpuUse: null, newcomerAt: 4711 } as const;
    const scene = open(() => answer(200), { vitals: { ...NO_VITALS, beat: seen } });
    await expect.poll(() => beatsOf(scene).length, PATIENT).toBeGreaterThan(1);
    expect(beatsOf(scene).map(({ newcomerAt }) => newcomerAt)).not.toContain(null);
    expect(beatsOf(scene)[0]?.newcomerAt).toBe(4711);
  });

  test.each([
    ['503', () => answer(503), 'dead'],
    ['a refused connection', () => new NotListening('x'), 'refused'],
    ['no answer in time', () => LATE, 'silent'],
  ] as const)('takes %s for %3$s', async (_, given, health) => {
    const scene = open(({ path }) => (path === '/health' ? given() : answer(404)));
    await expect.poll(() => beatsOf(scene).length, PATIENT).toBeGreaterThan(0);
    expect(beatsOf(scene)[0]).toMatchObject({ health, counters: null });
  });

  test('takes no 503 with words in it for a dead engine: one that is given more engines answers so to all', async () => {
    const scene = open(({ path }) =>
      answer(path === '/health' ? 503 : 404, '{"error":"The model is currently scaling."}'),
    );
    await expect.poll(() => beatsOf(scene).length, PATIENT).toBeGreaterThan(0);
    expect(beatsOf(scene)[0]?.health).toBe('ok');
  });

  test('sends one small request, with the key, where nothing moves: who completes it does not hang', async () => {
    const posts = ({ requests }: Scene) => requests.filter(({ method }) => method === 'POST');
    const still = open(({ path }) => answer(200, path === '/metrics' ? METRICS : COMPLETION), { readiness: READINESS });
    await expect.poll(() => beatsOf(still).some(({ answered }) => answered), PATIENT).toBe(true);
    expect(posts(still)[0]).toMatchObject({ path: '/v1/completions', headers: { authorization: 'Bearer sk-secret' } });
    const hung = open(
      ({ path, method }) => (method === 'POST' ? LATE : answer(200, path === '/metrics' ? METRICS : '')),
      {
        readiness: READINESS,
      },
    );
    await expect.poll(() => hung.run.vitals?.hang, PATIENT).toMatchObject({ what: 'engine', ownUnanswered: true });
    const sent = posts(hung).length;
    const looked = beatsOf(hung).length;
    await expect.poll(() => beatsOf(hung).length, PATIENT).toBeGreaterThan(looked + 20);
    expect([sent > 0, posts(hung).length]).toEqual([true, sent]);
    expect(beatsOf(hung).some(({ answered }) => answered)).toBe(false);
    const moving = open(({ path }, number) =>
      answer(200, path === '/metrics' ? METRICS.replace('20.0', `${number}`) : ''),
    );
    await expect.poll(() => beatsOf(moving).length, PATIENT).toBeGreaterThan(20);
    expect(posts(moving)).toEqual([]);
  });

  test('knows no counters where /metrics tell nothing', async () => {
    const scene = open(({ path }) => (path === '/metrics' ? LATE : answer(200)));
    await expect.poll(() => beatsOf(scene).length, PATIENT).toBeGreaterThan(0);
    expect(beatsOf(scene)[0]).toMatchObject({ health: 'ok', counters: null });
  });

  test('waits out a host that can’t be reached, and one through which nothing can be asked: neither says anything of the server', async () => {
    const away = open((_, number) => (number === 1 ? new HostUnreachable('kpro5', 'gone') : answer(200)));
    const deaf = open(() => NO_CURL);
    await expect.poll(() => beatsOf(away).length, PATIENT).toBeGreaterThan(0);
    expect(beatsOf(away)[0]?.health).toBe('ok');
    await expect.poll(() => deaf.requests.length, PATIENT).toBeGreaterThan(3);
    expect(deaf.seen).toEqual([]);
  });

  test('looks at the GPUs only while nothing moves', async () => {
    const moving = open(({ path }, number) =>
      answer(200, path === '/metrics' ? METRICS.replace('20.0', `${number}`) : ''),
    );
    const still = open(({ path }) => answer(200, path === '/metrics' ? METRICS : ''));
    await expect.poll(() => beatsOf(moving).length, PATIENT).toBeGreaterThan(5);
    await expect.poll(() => still.gpuLooks, PATIENT).toBeGreaterThan(0);
    expect(moving.gpuLooks).toBe(0);
  });

  test('is silent before the server is ready, and where it takes only who has a certificate', async () => {
    const loading = open(() => answer(200), { phase: 'loading' });
    const request = {
      ...readyRun().request,
      argv: ['vllm', 'serve', '/m', '--ssl-certfile', 'c', '--ssl-keyfile', 'k', '--ssl-cert-reqs', '2'],
    };
    const closed = open(() => answer(200), { request });
    const other = open(() => answer(200));
    await expect.poll(() => beatsOf(other).length, PATIENT).toBeGreaterThan(4);
    expect([loading.requests, closed.requests]).toEqual([[], []]);
  });

  test('asks over TLS where the server does', async () => {
    const request = {
      ...readyRun().request,
      argv: ['vllm', 'serve', '/m', '--ssl-certfile', 'c', '--ssl-keyfile', 'k'],
    };
    const scene = open(() => answer(200), { request });
    await expect.poll(() => scene.requests.length, PATIENT).toBeGreaterThan(1);
    expect(scene.requests.every(({ tls }) => tls === true)).toBe(true);
  });
});
