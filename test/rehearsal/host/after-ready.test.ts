/** What may happen to a server that is ready, and how it serves by its scenario. */
import { expect, test, vi } from 'vitest';
import { findFreePort } from '../../../rehearsal/free-port.ts';
import type { RehearsalHost } from '../../../rehearsal/host/server.ts';
import { hasteOf } from '../../../rehearsal/host/stand-in/generation.mjs';
import { connect, launch, readHome, startTestHost } from './connection.ts';
import { expectOrder, patience, untilSaid } from './training.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000 });

const READY = 'Application startup complete.';
const BODY = { model: '/models/target', prompt: 'x', max_tokens: 128 };

interface Ready {
  readonly host: RehearsalHost;
  ask(path: string, body?: object): Promise<Response>;
  /** A counter's value, summed over its series. */
  count(name: string): Promise<number>;
  log(): Promise<string>;
}

/** A server that is ready and was asked once. */
async function begin(scenario: string, flags = ''): Promise<Ready> {
  const host = await startTestHost({ scenario });
  const port = await findFreePort();
  await launch(await connect(host), { port, flags });
  const log = () => readHome(host, 'vllm.log');
  await untilSaid(log, READY);
  const ask = (path: string, body?: object) =>
    fetch(
      `http://127.0.0.1:${port}${path}`,
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
  const count = async (name: string) => {
    const lines = (await (await ask('/metrics')).text()).split('\n').filter((line) => line.startsWith(`${name}{`));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  await vi.waitFor(async () => expect((await ask('/v1/completions', BODY)).status).toBe(200), patience);
  return { host, ask, count, log };
}

test('hang-after-ready: users’ answers stop, every counter stands, /health is 200, and the log says once a minute that it waits', async () => {
  const { ask, count, log } = await begin('hang-after-ready');
  await vi.waitFor(async () => expect(await count('vllm:num_requests_running')).toBe(4), patience);
  await untilSaid(log, 'No available shared memory broadcast block found in 60 seconds.');
  const look = () =>
    Promise.all(['iteration_tokens_total_count', 'generation_tokens_total'].map((name) => count(`vllm:${name}`)));
  const before = await look();
  expect(before[0]).toBeGreaterThan(100);
  await untilSaid(log, /No available shared memory[\s\S]*No available shared memory/);
  expect(await look()).toEqual(before);
  expect(await count('vllm:num_requests_running')).toBe(4);
  expect((await ask('/health')).status).toBe(200);
});

test('engine-dead: a traceback, 503 for some seconds, then a tidy shutdown with status 0', async () => {
  const { host, ask, log } = await begin('engine-dead');
  await vi.waitFor(async () => expect((await ask('/health')).status).toBe(503), patience);
  expect((await ask('/v1/completions', BODY)).status).toBe(500);
  expect(await log()).not.toContain('Shutting down');
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('0\n'), patience);
  expectOrder(await log(), [
    /EngineCore encountered a fatal error\./,
    /\(EngineCore pid=\d+\) ERROR .* TimeoutError: RPC call to sample_tokens timed out\.\n/,
    /\(APIServer pid=\d+\) ERROR .* AsyncLLM output_handler failed\./,
    /EngineDeadError: EngineCore encountered an issue/,
    /Shutting down\n/,
    /Finished server process \[\d+\]\n$/,
  ]);
});

test('burst-400: hundreds of refusals and some tracebacks in the log, and a server that is well', async () => {
  const { ask, count, log } = await begin('burst-400');
  await vi.waitFor(async () => expect((await log()).split(' 400 Bad Request').length).toBeGreaterThan(300), patience);
  expect(await log()).toMatch(/ERROR .* ValueError: This model's maximum context length is 32768 tokens/);
  expect((await ask('/v1/completions', BODY)).status).toBe(200);
  await vi.waitFor(async () => expect(await count('http_requests_total')).toBeGreaterThanOrEqual(402), patience);
});

test.each([
  ['good', 2.7, 0.63],
  ['sliding-window-lost', 1.65, 0.57],
])('%s: of a draft %d tokens come, and the first position is accepted at %d', async (scenario, length, first) => {
  const { ask, count } = await begin(scenario);
  await ask('/v1/completions', { ...BODY, max_tokens: 500 });
  const drafts = await count('vllm:spec_decode_num_drafts_total');
  expect(1 + (await count('vllm:spec_decode_num_accepted_tokens_total')) / drafts).toBeCloseTo(length, 1);
  const metrics = await (await ask('/metrics')).text();
  const [, at0] = /per_pos_total\{.*position="0"\} (.*)\n/.exec(metrics) ?? [];
  expect(Number(at0) / drafts).toBeCloseTo(first, 1);
});

test('slow: a third of the usual pace', async () => {
  const { ask } = await begin('slow');
  const began = performance.now();
  await ask('/v1/completions', BODY);
  // 24.5 tokens a second, on a host that is sped up.
  expect(performance.now() - began).toBeGreaterThan((1000 * 127) / 24.5 / hasteOf(100));
});

test('a headless node gets through its start and listens nowhere', async () => {
  const host = await startTestHost({});
  const port = await findFreePort();
  await launch(await connect(host), { port, flags: '--headless' });
  await untilSaid(() => readHome(host, 'vllm.log'), 'Graph capturing finished');
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  expect(await readHome(host, 'vllm.log')).not.toContain('Supported tasks');
});
