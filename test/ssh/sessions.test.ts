import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { HostRefused, HostUnreachable } from '../../src/errors.ts';
import { stream } from '../../src/ssh/exec.ts';
import { LIMITS } from '../../src/ssh/limits.ts';
import { Network } from '../../src/ssh/network.ts';
import type { Sessions } from '../../src/ssh/sessions.ts';
import { TurnedAway } from '../../src/ssh/turned-away.ts';
import { enter, entrance, openNetwork, visit } from '../support/entering.ts';
import { type Sshd, type SshdOptions, startSshd } from '../support/sshd.ts';

const PATIENCE = { timeout: 30_000 };
const releases: (() => unknown)[] = [];

afterEach(async () => {
  for (const release of releases.splice(0).toReversed()) await release();
});

async function start(options: SshdOptions = {}): Promise<Sshd> {
  const sshd = await startSshd(options);
  releases.push(sshd.stop);
  return sshd;
}

function open(...words: Parameters<typeof openNetwork>): Network {
  const network = openNetwork(...words);
  releases.push(() => network.close());
  return network;
}

/** A server that isn't sshd. */
async function serve(greet: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => greet(socket.on('error', () => undefined)));
  releases.push(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const logins = (sshd: Sshd) => sshd.log().split('Accepted publickey').length - 1;
const forever = { name: 'forever', text: 'while sleep 0.1; do echo; done', input: '' };

/** A session that stays open until `end`; `ended` is what it ended with. */
function occupy(sessions: Sessions): { end: () => void; ended: Promise<unknown> } {
  const control = new AbortController();
  const read = async () => {
    for await (const _ of stream({ sessions, script: forever, signal: control.signal }));
  };
  return { end: () => control.abort(), ended: read().catch((error: unknown) => error) };
}

test('all who want a host at once get one connection', async () => {
  const sshd = await start();
  const sessions = open([sshd.host]).host('kpro5');
  expect(await Promise.all(Array.from({ length: 8 }, () => visit(sessions)))).toEqual(Array(8).fill(null));
  expect(logins(sshd)).toBe(1);
});

/** How sshd says that a client has gone; on a busy machine it may still be writing to it then. */
const GONE = /Disconnected from user|Connection (?:closed|reset) by (?:user|\d)|Broken pipe/g;

test('more sessions than sshd allows on a connection get another one, which goes when they end', async () => {
  const sshd = await start({ config: ['MaxSessions 2', 'LogLevel VERBOSE'] });
  const sessions = open([sshd.host]).host('kpro5');
  const sessionsThat = (what: string) => sshd.log().split(what).length - 1;
  const held = Array.from({ length: 5 }, () => occupy(sessions));
  await vi.waitFor(async () => expect(await visit(sessions)).toBeNull(), PATIENCE);
  await vi.waitFor(() => expect(logins(sshd)).toBe(3), PATIENCE);
  for (const { end } of held) end();
  await Promise.all(held.map(({ ended }) => ended));
  await vi.waitFor(() => expect(sshd.log().match(GONE)).toHaveLength(2), PATIENCE);
  // The first connection's own may end last: before, it is full.
  await vi.waitFor(() => expect(sessionsThat('Close session')).toBe(sessionsThat('Starting session')), PATIENCE);
  expect(await visit(sessions)).toBeNull();
  expect(logins(sshd)).toBe(3);
});

test('output that nobody reads any more holds no session', async () => {
  const sshd = await start({ config: ['MaxSessions 1'] });
  const sessions = open([sshd.host]).host('kpro5');
  occupy(sessions);
  const flood = { name: 'flood', text: 'while :; do echo flood; done', input: '' };
  const control = new AbortController();
  const second = stream({ sessions, script: flood, signal: control.signal });
  expect(String((await second.next()).value)).toContain('flood');
  control.abort(new Error('enough'));
  await expect(second.next()).rejects.toThrow('enough');
  await vi.waitFor(() => expect(sshd.log()).toMatch(GONE), PATIENCE);
});

test('of a dead host one attempt is made at a time, and all hear of it until the next is due', async () => {
  let knocks = 0;
  let now = 1_000_000;
  const port = await serve((socket) => {
    knocks += 1;
    socket.destroy();
  });
  const sshd = await start();
  const host = entrance(sshd.host, { port });
  const network = new Network({ hosts: { kpro5: host }, clock: { now: () => now }, limits: LIMITS });
  const sessions = network.host('kpro5');
  const three = () => Promise.all([visit(sessions), visit(sessions), visit(sessions)]);
  const [error, ...others] = await three();
  expect(error).toBeInstanceOf(TurnedAway);
  expect(String(error)).toContain('closed the connection at once: it has too many logins under way (MaxStartups');
  expect(new Set([error, ...others, ...(await three())]).size).toBe(1);
  expect(knocks).toBe(1);
  now += 30_000;
  await three();
  expect(knocks).toBe(2);
});

test('a host whose logins are all taken is tried again later', async () => {
  const sshd = await start({ config: ['MaxStartups 1'] });
  const idle = connect(sshd.port, '127.0.0.1');
  await once(idle, 'data');
  expect(await enter(sshd.host)).toBeInstanceOf(TurnedAway);
  idle.destroy();
  await vi.waitFor(async () => expect(await enter(sshd.host)).toBeNull(), PATIENCE);
});

test('what is no SSH server, or has nothing in common with us, is told by what it says', async () => {
  const sshd = await start({ config: ['Ciphers aes256-cbc'] });
  const web = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const error = await enter(entrance(sshd.host, { port: web }));
  expect(error).toBeInstanceOf(HostUnreachable);
  expect(String(error)).toContain(`answers "HTTP/1.1 400 Bad Request", expected was an SSH server's`);
  const other = await enter(sshd.host);
  expect(other).toBeInstanceOf(HostRefused);
  expect(String(other)).toMatch(/have no cipher in common; the host offers aes256-cbc\./);
});

test('a host that takes a connection and says nothing is given up', async () => {
  const sshd = await start();
  await sshd.freeze('all');
  const sessions = open([sshd.host], { handshake: 300 }).host('kpro5');
  const error = await visit(sessions);
  expect(error).toBeInstanceOf(HostUnreachable);
  expect(String(error)).toContain('takes connections and says nothing: its sshd hangs');
});

test('a host that falls silent is found out, also behind a gate, and slows no other', async () => {
  const [gate, kpro5, other] = await Promise.all([start({ name: 'gate' }), start(), start({ name: 'other' })]);
  const behind = entrance(kpro5.host, { jump: 'gate' });
  const network = open([behind, gate.host, other.host], { keepalive: 500 });
  const held = occupy(network.host('kpro5'));
  expect(await visit(network.host('kpro5'))).toBeNull();
  await kpro5.freeze('connections');
  const asked = visit(network.host('kpro5'));
  expect(await visit(network.host('other'))).toBeNull();
  expect(await visit(network.host('gate'))).toBeNull();
  for (const error of [await asked, await held.ended]) {
    expect(error).toBeInstanceOf(HostUnreachable);
    expect(String(error)).toContain('The connection to kpro5 was lost');
  }
  kpro5.thaw();
  expect(await visit(network.host('kpro5'))).toBeNull();
  expect(logins(gate)).toBe(1);
});

test('a lost connection is made again by the next use', async () => {
  const sshd = await start();
  const sessions = open([sshd.host]).host('kpro5');
  const held = occupy(sessions);
  expect(await visit(sessions)).toBeNull();
  await sshd.cutConnections();
  expect(String(await held.ended)).toContain('was lost');
  expect(await visit(sessions)).toBeNull();
  expect(logins(sshd)).toBe(2);
});

test('a name with several addresses is told with the failure of each', async () => {
  const port = await findFreePort();
  const sshd = await start();
  const error = await enter(entrance(sshd.host, { address: 'localhost', port }));
  expect(String(error)).toMatch(/can't be reached at localhost:\d+ \(connect ECONNREFUSED [^)]*127\.0\.0\.1/);
});
