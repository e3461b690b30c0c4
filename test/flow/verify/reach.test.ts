import { describe, expect, test } from 'vitest';
import { HostUnreachable } from '../../../src/errors.ts';
import { reach } from '../../../src/flow/verify/reach.ts';
import type { Terms } from '../../../src/flow/verify/terms.ts';
import type { ServeRequest } from '../../../src/run/request.ts';
import type { Run } from '../../../src/run/run.ts';
import { sampleRun } from '../../report/sample-run.ts';
import { fakeServer, gone, MAIN, OURS, THEIRS } from '../../support/fake-server.ts';

const NEVER = new AbortController().signal;
const FOLDER = { path: '/tmp', run: 'r' };
const KEY = 'key-of-the-server';
const TERMS: Terms = {
  environment: { VLLM_API_KEY: KEY },
  apiKey: KEY,
  floor: { acceptanceLength: null, tokensPerSecond: null },
  mask: (text) => text,
};

function serving(request: Partial<ServeRequest> = {}, changes: Partial<Run> = {}): Run {
  const run = sampleRun(changes, request);
  return run.started === null ? run : { ...run, started: { ...run.started, main: MAIN } };
}

function reaching(server: ReturnType<typeof fakeServer>, run = serving()) {
  return reach({ host: server.host, run, folder: FOLDER, terms: TERMS }, NEVER);
}

describe('before the listener is known to be the run’s', () => {
  test('it is asked for nothing but its health, and without the key', async () => {
    const order: string[] = [];
    const server = fakeServer({
      listener: async () => {
        order.push(`listener after ${server.asked.length}`);
        return OURS;
      },
    });
    expect(await reaching(server)).toMatchObject({ kind: 'ours', proof: 'socket', by: 'forwarding' });
    expect(order).toEqual(['listener after 1']);
    expect(server.asked.map(({ path, headers }) => [path, headers])).toEqual([['/health', {}]]);
  });

  test.each([
    ['somebody else’s', { listener: async () => THEIRS }, 'foreign'],
    ['nobody’s any more', { listener: async () => ({ kind: 'closed' }) as const }, 'answering'],
    [
      'hidden, and its log does not say that it is up',
      { listener: async () => ({ kind: 'unknown' }) as const },
      'answering',
    ],
  ])('a listener that is %s gets no key', async (_, does, kind) => {
    const server = fakeServer(does);
    const reached = await reaching(server);
    expect(reached.kind).toBe(kind);
    expect(reached).not.toHaveProperty('server');
    expect(JSON.stringify(server.asked)).not.toContain(KEY);
  });

  test('a stranger is told with who it is', async () => {
    const reached = await reaching(fakeServer({ listener: async () => THEIRS }));
    expect(reached).toEqual({
      kind: 'foreign',
      text: "Another process answers at this run's address: pid 99 of bob (python -m http.server).",
    });
  });
});

test('a hidden listener counts as the run’s when the process lives and its log says that it is up', async () => {
  const run = serving();
  const up = { ...run, reading: { ...run.reading, readyServers: 1 } };
  const server = fakeServer({ listener: async () => ({ kind: 'unknown' }) });
  expect(await reaching(server, up)).toMatchObject({ kind: 'ours', proof: 'inferred' });
});

test('what is not well, what nobody listens for and what has not started is no more than that', async () => {
  const server = fakeServer();
  server.answer('/health', { status: 503 }, gone());
  expect(await reaching(server)).toEqual({ kind: 'answering', status: 503 });
  expect(await reaching(server)).toEqual({ kind: 'silent' });
  expect(await reaching(server, { ...serving(), started: null })).toEqual({ kind: 'silent' });
});

test('a host out of reach is told as such', async () => {
  const server = fakeServer();
  server.answer('/health', new HostUnreachable('kpro5', 'the connection broke'));
  await expect(reaching(server)).rejects.toThrow(HostUnreachable);
});

test('the address is the request’s, the scheme its command’s, whatever its log names', async () => {
  const argv = ['vllm', 'serve', 'm', '--ssl-certfile', 'c.pem', '--ssl-keyfile', 'k.pem'];
  const run = serving({ argv, address: { kind: 'unix', path: '/run/vllm.sock' } });
  const asked = { host: '203.0.113.66', port: 6666, uds: '/tmp/evil.sock' };
  const server = fakeServer();
  await reaching(server, { ...run, reading: { ...run.reading, asked } });
  expect(server.asked).toMatchObject([{ address: { kind: 'unix', path: '/run/vllm.sock' }, tls: true }]);
});

test('a server that was found is asked as its process said, though its log says nothing of it', async () => {
  const found = { process: null, size: 0, trigger: 't', answered: true, isTls: true } as const;
  const server = fakeServer();
  await reaching(server, serving({ argv: [], found }));
  expect(server.asked).toMatchObject([{ path: '/health', tls: true }]);
});

test('with --root-path it is asked behind it where it answers nothing before it', async () => {
  const server = fakeServer();
  server.answer('/health', { status: 404 });
  server.answer('/llm/health', { status: 200, body: '' });
  const reached = await reaching(server, serving({ argv: ['vllm', 'serve', 'm', '--root-path', '/llm'] }));
  expect(reached.kind).toBe('ours');
  expect(server.paths()).toEqual(['/health', '/llm/health']);
});
