import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeCertificate } from '../../../support/certificate.ts';
import { makeFolder } from '../../../support/folder.ts';
import { serveHere, type Told } from './serve-here.ts';

const short = ({ status, body }: Told) => [status, body];

test('a path that no route has, a method that a route does not take, and a body of another type', async () => {
  const { ask, lines } = await serveHere();
  expect(short(await ask('/v1/nothing'))).toEqual([404, '{"detail":"Not Found"}']);
  expect(short(await ask('/v1/completions?x=1'))).toEqual([405, '{"detail":"Method Not Allowed"}']);
  const headers = { 'content-type': 'text/plain' };
  expect(await ask('/v1/completions', { body: '{"prompt":"x"}', headers })).toMatchObject({ status: 400 });
  expect(lines[1]).toMatch(/^127\.0\.0\.1:\d+ - "GET \/v1\/completions\?x=1 HTTP\/1\.1" 405 Method Not Allowed$/);
});

test('a key guards /v1 and nothing else, also below a root path', async () => {
  const { ask } = await serveHere({ flags: ['--api-key', 'one', 'two', '--root-path', '/gpu'] });
  for (const path of ['/v1/models', '/gpu/v1/models']) {
    expect(short(await ask(path))).toEqual([401, '{"error":"Unauthorized"}']);
    expect(await ask(path, { headers: { authorization: 'Bearer two' } })).toMatchObject({ status: 200 });
  }
  for (const path of ['/health', '/gpu/health', '/metrics', '/gpu/version']) {
    expect(await ask(path)).toMatchObject({ status: 200 });
  }
  expect(await ask('/gpux/health')).toMatchObject({ status: 404 });
});

test('it answers to each of its names, and lists them', async () => {
  const { ask } = await serveHere({ flags: ['--served-model-name', 'one', 'two'] });
  const { data } = JSON.parse((await ask('/v1/models')).body);
  expect(data.map(({ id, root }: { id: string; root: string }) => [id, root])).toEqual([
    ['one', 'target'],
    ['two', 'target'],
  ]);
  const statuses = ['one', 'two', 'target'].map(
    async (model) => (await ask('/v1/completions', { body: { model, prompt: 'x' } })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
});

test('it listens on a socket file', async () => {
  const { ask, lines } = await serveHere({ flags: ['--uds', join(makeFolder('uds'), 'vllm.sock')] });
  expect(short(await ask('/health'))).toEqual([200, '']);
  expect(lines).toEqual([' - "GET /health HTTP/1.1" 200 OK']);
});

test('it serves HTTPS, and asks for a certificate where it must', async () => {
  const { key, certificate } = writeCertificate();
  const flags = ['--ssl-keyfile', key, '--ssl-certfile', certificate];
  expect(await (await serveHere({ flags })).ask('/version')).toMatchObject({ body: '{"version":"0.25.1"}' });
  const strict = await serveHere({ flags: [...flags, '--ssl-ca-certs', certificate, '--ssl-cert-reqs', '2'] });
  await expect(strict.ask('/health')).rejects.toThrow();
});

test.each([
  [['--task', 'embed'], '/v1/embeddings', { model: 'target', input: ['a', 'b'] }],
  [['--runner', 'pooling'], '/v1/embeddings', { model: 'target', input: 'a' }],
  [['--task', 'score'], '/v1/score', { model: 'target', queries: 'a', documents: ['b', 'c'] }],
  [['--task', 'score'], '/rerank', { model: 'target', query: 'a', documents: ['b', 'c'] }],
])('with %j it does that, and completes nothing', async (flags, path, body) => {
  const { ask } = await serveHere({ flags });
  expect(await ask(path, { body })).toMatchObject({ status: 200 });
  expect(await ask('/v1/completions', { body: { model: 'target', prompt: 'x' } })).toMatchObject({ status: 404 });
});
