import { beforeEach, describe, expect, test } from 'vitest';
import { CommandFailed, HostUnreachable } from '../../../src/errors.ts';
import { reach } from '../../../src/flow/verify/reach.ts';
import { termsOf } from '../../../src/flow/verify/terms.ts';
import { type Order, type Verified, verify } from '../../../src/flow/verify/verify.ts';
import { NotListening } from '../../../src/http.ts';
import type { Records } from '../../../src/journal.ts';
import type { ServeRequest } from '../../../src/run/request.ts';
import type { Run } from '../../../src/run/run.ts';
import type { Clock } from '../../../src/tools.ts';
import { PROMPTS } from '../../../src/verify/prompts.ts';
import { sampleRun } from '../../report/sample-run.ts';
import { type FakeServer, fakeServer, gone, MAIN, MODEL, metrics } from '../../support/fake-server.ts';
import { sampleConfig } from '../../support/sample-config.ts';

const KEY = 'key-of-the-server';
const FOUND = { process: null, size: 0, trigger: 't', answered: true };
const NOW: Clock = { now: () => 0 };
const ORDER: Order = { by: null, accept: false, tryMs: 1000, trafficMs: 1 };

let server: FakeServer;
const records: Records = { read: async () => null };

beforeEach(() => {
  server = fakeServer();
});

function runOf(request: Partial<ServeRequest> = {}, changes: Partial<Run> = {}): Run {
  const run = sampleRun(changes, request);
  return run.started === null ? run : { ...run, started: { ...run.started, main: MAIN } };
}

async function verified(
  run = runOf(),
  { key = null as string | null, order = ORDER, clock = NOW } = {},
): Promise<Verified> {
  const signal = new AbortController().signal;
  const terms = { ...termsOf(sampleConfig(), run), apiKey: key };
  const subject = { host: server.host, run, folder: { path: '/tmp', run: 'r' }, terms };
  const reached = await reach(subject, signal);
  if (reached.kind !== 'ours') throw new Error(`it was reached as ${reached.kind}`);
  return verify(subject, reached, order, { records, clock });
}

/** How often each path was asked. */
function counts(): Record<string, number> {
  const paths = server.paths();
  return Object.fromEntries([...new Set(paths)].map((path) => [path, paths.filter((each) => each === path).length]));
}

test('all that fits it is asked once, then the fixed prompts between two looks at its counters', async () => {
  const { kind, readiness, verification } = await verified();
  expect(kind).toBe('completes');
  expect(readiness).toEqual({
    ...{ proof: 'socket', model: MODEL, by: 'forwarding' },
    completion: 'It completed a prompt with 16 tokens.',
  });
  expect(verification).toMatchObject({ by: null, version: '0.20.1', speed: { by: 'forwarding' } });
  expect(counts()).toEqual({
    ...{ '/health': 1, '/version': 1, '/v1/models': 1, '/v1/completions': 1, '/metrics': 2 },
    '/v1/chat/completions': 1 + PROMPTS.length,
  });
  const prompts = server.paths().flatMap((path, at) => (path === '/metrics' ? [at] : []));
  expect(prompts).toEqual([server.asked.length - PROMPTS.length - 2, server.asked.length - 1]);
});

test('its key goes to the paths that it guards, at the address of its request, and nowhere else', async () => {
  const asked = { host: '203.0.113.66', port: 6666, root_path: '/evil' };
  const run = runOf();
  await verified({ ...run, reading: { ...run.reading, asked } }, { key: KEY });
  const keys = server.asked.map(({ path, headers }) => [path, headers.authorization ?? null]);
  for (const [path, key] of keys)
    expect([path, key]).toEqual([path, path?.startsWith('/v1/') ? `Bearer ${KEY}` : null]);
  expect(keys.filter(([, key]) => key !== null).length).toBeGreaterThan(3);
  for (const { address } of server.asked) expect(address).toEqual(run.request.address);
});

test.each([
  [runOf(), null, "which the recipe's environment does not name as VLLM_API_KEY."],
  [runOf({ found: FOUND }), null, 'which Vigil does not know of a server that it did not launch.'],
])('a server that wants a key is told as such, and where the key would come from', async (run, key, next) => {
  server.answer('/v1/models', { status: 401, body: '{}' });
  const { kind, readiness } = await verified(run, { key });
  expect(kind).toBe('completes');
  expect(readiness.completion).toBe(
    `No completion was asked for: the server wants an API key (/v1/models answered 401), ${next}`,
  );
  expect(server.paths()).not.toContain('/v1/completions');
});

test('a key that it refuses is told without the key', async () => {
  server.answer('/v1/models', { status: 401, body: `{"error": "${KEY} is no key"}` });
  const found = await verified(runOf(), { key: KEY });
  expect(found.readiness.completion).toBe(
    "No completion was asked for: the server refused the key that the recipe's environment names as VLLM_API_KEY (/v1/models answered 401).",
  );
  expect(JSON.stringify(found)).not.toContain(KEY);
});

describe('a server that completes nothing', () => {
  test('is told as failing, gets no prompts and sets no record', async () => {
    server.answer('/v1/completions', { status: 500, body: 'no' });
    server.answer('/v1/chat/completions', { status: 500, body: 'no' });
    expect(await verified()).toMatchObject({ kind: 'fails', verification: { outcome: 'unusable' }, record: null });
    expect(counts()['/v1/chat/completions']).toBe(1);
  });

  test('is not asked for another thing when it does not answer the first in time', async () => {
    server.answer('/v1/completions', late());
    expect((await verified()).kind).toBe('fails');
    expect(server.paths()).not.toContain('/v1/chat/completions');
  });

  test('is one whose list of models fails, which may come a moment later', async () => {
    for (const answer of [late(), { status: 500, body: 'no' }]) {
      server.answer('/v1/models', answer);
      expect(await verified()).toMatchObject({ kind: 'fails', verification: { outcome: 'unusable' }, record: null });
    }
  });

  test('tells why no answer came', async () => {
    const reset = new CommandFailed({ host: 'kpro5', script: 'http', exitCode: null, stderr: 'socket hang up' });
    server.answer('/v1/completions', reset);
    expect(JSON.stringify((await verified()).verification.findings)).toContain('socket hang up');
  });

  test('may do what it was not asked for first', async () => {
    server.answer('/v1/chat/completions', { status: 400, body: 'no chat template' });
    expect((await verified()).kind).toBe('completes');
    expect(counts()['/v1/completions']).toBe(1 + PROMPTS.length);
  });
});

describe('a server that others use', () => {
  test('gets no prompts; what becomes of their drafts is looked at instead', async () => {
    const [first, second] = [
      { running: 2, drafts: 100, accepted: 80 },
      { running: 1, drafts: 300, accepted: 200 },
    ];
    server.answer('/metrics', { body: metrics(first) }, { body: metrics(second) });
    const { kind, verification, record } = await verified();
    expect([kind, verification.speed]).toEqual(['completes', null]);
    expect(verification.acceptance).toMatchObject({ of: 'traffic', drafts: 200, length: 1.6 });
    expect(counts()['/v1/chat/completions']).toBe(1);
    expect(record?.speed ?? null).toBeNull();
  });

  test('counts as idle when a moment later nobody does', async () => {
    server.answer('/metrics', { body: metrics({ running: 1 }) }, { body: metrics({}) });
    await verified();
    expect(counts()['/v1/chat/completions']).toBe(1 + PROMPTS.length);
    expect(counts()['/metrics']).toBe(3);
  });

  test('has its figures marked when they asked it meanwhile', async () => {
    const finished = PROMPTS.length + 3;
    server.answer('/metrics', { body: metrics({}) }, { body: metrics({ finished }) });
    const { verification, record } = await verified();
    expect(verification.speed?.disturbedBy).toContain('3');
    expect(record?.speed ?? null).toBeNull();
  });
});

describe('the prompts', () => {
  test('end with one that comes to nothing', async () => {
    server.answer('/v1/chat/completions', { status: 200 }, { status: 200 }, { status: 500, body: 'no' });
    await verified();
    expect(counts()['/v1/chat/completions']).toBe(3);
  });

  test.each([
    [25_000, [60_000, 60_000, 60_000, 45_000]],
    [35_000, [60_000, 60_000, 50_000]],
    [55_000, [60_000, 60_000]],
  ])('have 120 s together, and none is begun that can’t be over by then: %i ms each', async (each, expected) => {
    const clock = { at: 0, now: () => clock.at };
    const { http } = server.host;
    const host = new Proxy(server.host, {
      get: (of, key) =>
        key === 'http'
          ? async (...of: Parameters<typeof http>) => {
              if (of[0].body?.includes('"stream":true') === true) clock.at += each;
              return http(...of);
            }
          : Reflect.get(of, key),
    });
    server = { ...server, host };
    const { verification } = await verified(runOf(), { clock });
    expect(verification.outcome).toBe('ready');
    const limits = server.asked.flatMap(({ body, timeoutMs }) => (body?.includes('"stream":true') ? [timeoutMs] : []));
    expect(limits).toEqual(expected);
  });

  test('that are refused are told, and no warning', async () => {
    const body = JSON.stringify({ error: { message: 'ignore_eos is not allowed', code: 400 } });
    server.answer('/v1/chat/completions', { status: 200 }, { status: 400, body });
    const { verification } = await verified();
    expect(counts()['/v1/chat/completions']).toBe(2);
    expect(verification.findings).toContainEqual(
      expect.objectContaining({ id: 'speed', as: 'not_judged', found: expect.stringContaining('ignore_eos') }),
    );
    expect(verification.outcome).toBe('ready');
  });

  test('are not sent to a server that writes hidden states to a disk for each of them', async () => {
    const speculative = JSON.stringify({
      ...{ method: 'extract_hidden_states', num_speculative_tokens: 1 },
      draft_model_config: { hf_config: { eagle_aux_hidden_state_layer_ids: [2] } },
    });
    await verified(runOf({ argv: ['vllm', 'serve', 'm', '--speculative-config', speculative] }));
    expect(server.asked.filter(({ body }) => body?.includes('"stream":true'))).toEqual([]);
  });
});

test('a first record is kept for the recipe on its host, and none of what somebody else started', async () => {
  const drafted = () =>
    server.answer('/metrics', { body: metrics({}) }, { body: metrics({ drafts: 500, accepted: 400 }) });
  drafted();
  const { verification, record } = await verified();
  expect(verification.recorded).toBe('first');
  expect(record).toMatchObject({ speed: { run: 'kpro5-3' } });
  drafted();
  expect((await verified(runOf({ found: FOUND }))).record).toBeNull();
});

test('a model is asked for by its true name, though that looks like a secret', async () => {
  const name = '/data/hf_Checkpoints1/step_100';
  server.answer('/v1/models', { body: JSON.stringify({ data: [{ id: 'adapter' }, { id: name }] }) });
  const { verification, readiness } = await verified(runOf({ argv: ['vllm', 'serve', name] }));
  const asked = server.asked.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body).model]));
  expect(new Set(asked)).toEqual(new Set([name]));
  expect(verification.findings.find(({ id }) => id === 'model')?.as).toBe('passed');
  expect(readiness.model).toBe('/data/[masked]/step_100');
});

test('a server that goes away meanwhile, and a host out of reach, are told as such', async () => {
  server.answer('/v1/models', gone());
  await expect(verified()).rejects.toThrow(NotListening);
  server.answer('/v1/models', { body: `{"data":[{"id":"${MODEL}"}]}` });
  server.answer('/v1/completions', new HostUnreachable('kpro5', 'the connection broke'));
  await expect(verified()).rejects.toThrow(HostUnreachable);
});

function late(): CommandFailed {
  return new CommandFailed({ host: 'kpro5', script: 'http', exitCode: null, stderr: 'no answer within 1000 ms' });
}
