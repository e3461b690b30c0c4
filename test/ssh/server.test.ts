import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import type { ServerAddress } from '../../src/address.ts';
import { CommandFailed } from '../../src/errors.ts';
import { type HttpRequest, NotListening } from '../../src/http.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import type { Hosts } from '../../src/tools.ts';
import { makeFolder } from '../support/folder.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

const NEVER = new AbortController().signal;
const BODY = '{"prompt": "it\'s \\"é\\"\\n"}';
let open: Sshd;
let closed: Sshd;
let hosts: Hosts;
let server: Server;
let port: number;
let socketServer: Server;
const socket = join(makeFolder('uds'), 'server.sock');

beforeAll(async () => {
  open = await startSshd({ name: 'open' });
  closed = await startSshd({ name: 'closed', config: ['AllowTcpForwarding no', 'AllowStreamLocalForwarding no'] });
  hosts = openHosts({ instance: 'lab', hosts: { open: open.host, closed: closed.host }, clock: { now: Date.now } });
  port = await findFreePort();
  server = echo();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  socketServer = echo();
  await new Promise<void>((resolve) => socketServer.listen(socket, resolve));
});

afterAll(async () => {
  await hosts.close();
  server.close();
  socketServer.close();
  await Promise.all([open.stop(), closed.stop()]);
});

/** Answers with what it was asked; /silent never answers. */
function echo(): Server {
  return createServer((request, response) => {
    if (request.url === '/silent') return;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(418);
      response.end(
        JSON.stringify({ method: request.method, url: request.url, key: request.headers.authorization, body }),
      );
    });
  });
}

function ask(address: ServerAddress, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    address,
    method: 'POST',
    path: '/v1/x',
    headers: { authorization: 'Bearer "k"' },
    body: BODY,
    timeoutMs: 5_000,
    ...more,
  };
}

describe.each([
  ['open', 'forwarding'],
  ['closed', 'curl'],
] as const)('on a host reached by %s', (name, by) => {
  test('a request arrives as it was meant', async () => {
    const expected = { method: 'POST', url: '/v1/x', key: 'Bearer "k"', body: BODY };
    for (const address of addresses()) {
      const answer = await hosts.get(name).http(ask(address), NEVER);
      expect({ ...answer, body: JSON.parse(answer.body) }).toEqual({ status: 418, by, body: expected });
    }
  });

  test('a closed port is told from a server that is silent', async () => {
    const free = await findFreePort();
    const none: ServerAddress = { kind: 'tcp', host: '127.0.0.1', port: free };
    await expect(hosts.get(name).http(ask(none), NEVER)).rejects.toThrow(NotListening);
    const silent = ask({ kind: 'tcp', host: '127.0.0.1', port }, { path: '/silent', timeoutMs: 500 });
    await expect(hosts.get(name).http(silent, NEVER)).rejects.toThrow(CommandFailed);
  });
});

test('who listens is known', async () => {
  for (const address of addresses()) {
    const listener = await hosts.get('open').listener(address, NEVER);
    expect(listener).toMatchObject({ kind: 'known', pid: process.pid, user: 'root' });
    if (listener.kind !== 'known') throw new Error(listener.kind);
    expect(Math.abs((listener.since ?? 0) - (Date.now() - process.uptime() * 1000))).toBeLessThan(10_000);
  }
});

test('a port is closed when only another address has it', async () => {
  const elsewhere: ServerAddress = { kind: 'tcp', host: '127.0.0.2', port };
  expect(await hosts.get('open').listener(elsewhere, NEVER)).toEqual({ kind: 'closed' });
});

function addresses(): ServerAddress[] {
  return [
    { kind: 'tcp', host: '0.0.0.0', port },
    { kind: 'unix', path: socket },
  ];
}
