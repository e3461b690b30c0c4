import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import type { ServerAddress } from '../../src/address.ts';
import { CommandFailed, HostUnreachable } from '../../src/errors.ts';
import { type HttpRequest, NotListening } from '../../src/http.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import type { Hosts } from '../../src/tools.ts';
import { makeCertificate } from '../support/certificate.ts';
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
let tlsPort: number;
let tlsServers: Server[];
const folder = makeFolder('uds');
const socket = join(folder, 'server.sock');
const tlsSocket = join(folder, 'tls.sock');

beforeAll(async () => {
  open = await startSshd({ name: 'open' });
  closed = await startSshd({ name: 'closed', config: ['AllowTcpForwarding no', 'AllowStreamLocalForwarding no'] });
  hosts = openHosts({ instance: 'lab', hosts: { open: open.host, closed: closed.host }, clock: { now: Date.now } });
  port = await findFreePort();
  server = createServer(echo);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  socketServer = createServer(echo);
  await new Promise<void>((resolve) => socketServer.listen(socket, resolve));
  const identity = makeCertificate('gpu.example');
  tlsServers = [createTlsServer(identity, echo), createTlsServer(identity, echo)];
  tlsPort = await findFreePort();
  await new Promise<void>((resolve) => tlsServers[0]?.listen(tlsPort, '::1', resolve));
  await new Promise<void>((resolve) => tlsServers[1]?.listen(tlsSocket, resolve));
});

afterAll(async () => {
  await hosts.close();
  server.close();
  socketServer.close();
  for (const one of tlsServers) one.close();
  await Promise.all([open.stop(), closed.stop()]);
});

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n';

/**
 * Answers with what it was asked; /silent never answers, /begun begins and says no more, /hangs-up ends the connection, /switch answers in another language,
 * /away names another place, /endless never ends.
 */
const echo: RequestListener = (request, response) => {
  if (request.url === '/silent') return;
  if (request.url === '/begun') return void response.write('x');
  if (request.url === '/hangs-up') return void request.socket.destroy();
  if (request.url === '/switch') return void response.socket?.write(SWITCH);
  if (request.url === '/away') return void response.writeHead(307, { location: '/v1/x' }).end('elsewhere');
  if (request.url === '/endless') return writeOn(response);
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    response.writeHead(418);
    response.end(
      JSON.stringify({ method: request.method, url: request.url, key: request.headers.authorization, body }),
    );
  });
};

/** More than anybody reads. */
function writeOn(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
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
      const { totalMs, firstMs, ...told } = answer;
      expect({ ...told, body: JSON.parse(answer.body) }).toEqual({ status: 418, by, body: expected });
      expect(totalMs).toBeGreaterThan(0);
      // curl only tells when all of it has come.
      if (by === 'curl') expect(firstMs).toBeNull();
      else expect(firstMs).toBeLessThanOrEqual(totalMs);
    }
  });

  test('a server with a certificate of its own making is asked as well, at an IPv6 address and at a socket file', async () => {
    const expected = { method: 'POST', url: '/v1/x', key: 'Bearer "k"', body: BODY };
    for (const address of [
      { kind: 'tcp', host: '::', port: tlsPort },
      { kind: 'unix', path: tlsSocket },
    ] as const) {
      const { status, body, firstMs } = await hosts.get(name).http(ask(address, { tls: true }), NEVER);
      expect([status, JSON.parse(body)]).toEqual([418, expected]);
      expect(firstMs === null).toBe(by === 'curl');
    }
  });

  test('what speaks no TLS where it should, and TLS where it should not, is a failure that is told', async () => {
    const plain = ask({ kind: 'tcp', host: '127.0.0.1', port }, { tls: true });
    await expect(hosts.get(name).http(plain, NEVER)).rejects.toThrow(CommandFailed);
    const encrypted = ask({ kind: 'tcp', host: '::1', port: tlsPort });
    await expect(hosts.get(name).http(encrypted, NEVER)).rejects.toThrow(CommandFailed);
  });

  test('nobody is followed to another place', async () => {
    const away = ask({ kind: 'tcp', host: '127.0.0.1', port }, { path: '/away' });
    expect(await hosts.get(name).http(away, NEVER)).toMatchObject({ status: 307, body: 'elsewhere' });
  });

  test('an answer without an end is cut off', async () => {
    const endless = ask({ kind: 'tcp', host: '127.0.0.1', port }, { path: '/endless', timeoutMs: 20_000 });
    await expect(hosts.get(name).http(endless, NEVER)).rejects.toThrow(/more than|longer than/);
  });

  test('a closed port is told from a server that is silent', async () => {
    const free = await findFreePort();
    const none: ServerAddress = { kind: 'tcp', host: '127.0.0.1', port: free };
    await expect(hosts.get(name).http(ask(none), NEVER)).rejects.toThrow(NotListening);
    const silent = ask({ kind: 'tcp', host: '127.0.0.1', port }, { path: '/silent', timeoutMs: 500 });
    await expect(hosts.get(name).http(silent, NEVER)).rejects.toThrow(CommandFailed);
  });
});

test('what answers in another language has failed at once, however much time there is', async () => {
  const other = ask({ kind: 'tcp', host: '127.0.0.1', port }, { path: '/switch', timeoutMs: 600_000 });
  await expect(hosts.get('open').http(other, NEVER)).rejects.toThrow(/no HTTP any more/);
});

test('a way that nobody opens is given up when the request’s time is over, and that is told of the host', async () => {
  const slow = await startSshd({ name: 'slow' });
  const own = openHosts({ instance: 'lab', hosts: { slow: slow.host }, clock: { now: Date.now } });
  try {
    const request = ask({ kind: 'tcp', host: '127.0.0.1', port }, { timeoutMs: 500 });
    expect(await own.get('slow').http(request, NEVER)).toMatchObject({ status: 418 });
    await slow.freeze('connections');
    await expect(own.get('slow').http(request, NEVER)).rejects.toThrow(HostUnreachable);
    const letGo = new AbortController();
    const asking = own.get('slow').http({ ...request, timeoutMs: 60_000 }, letGo.signal);
    letGo.abort(new Error('not wanted any more'));
    await expect(asking).rejects.toThrow('not wanted any more');
  } finally {
    slow.thaw();
    await own.close();
    await slow.stop();
  }
});

test('a connection that is lost while a server works on a request is told of the host, not of the server', async () => {
  const cut = await startSshd({ name: 'cut' });
  const own = openHosts({ instance: 'lab', hosts: { cut: cut.host }, clock: { now: Date.now } });
  try {
    for (const path of ['/silent', '/begun']) {
      const arrived = new Promise((resolve) => server.once('request', resolve));
      const answer = own.get('cut').http(ask({ kind: 'tcp', host: '127.0.0.1', port }, { path }), NEVER);
      const told = expect(answer).rejects.toThrow(HostUnreachable);
      await arrived;
      await cut.cutConnections();
      await told;
    }
    const hangsUp = ask({ kind: 'tcp', host: '127.0.0.1', port }, { path: '/hangs-up' });
    await expect(own.get('cut').http(hangsUp, NEVER)).rejects.toThrow(CommandFailed);
  } finally {
    await own.close();
    await cut.stop();
  }
});

test('a host out of reach is told as such, however little time the request has', async () => {
  const none = await findFreePort();
  const host = { ...open.host, name: 'none', connect: { ...open.host.connect, port: none } } as typeof open.host;
  const own = openHosts({ instance: 'lab', hosts: { none: host }, clock: { now: Date.now } });
  const request = ask({ kind: 'tcp', host: '127.0.0.1', port }, { timeoutMs: 1 });
  await expect(own.get('none').http(request, NEVER)).rejects.toThrow(HostUnreachable);
  await own.close();
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
