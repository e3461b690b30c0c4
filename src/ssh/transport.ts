/** The bytes under an SSH connection: a socket, a stream through a jump host, or a ProxyCommand's stdin and stdout. */

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerAddress } from '../address.ts';
import { HostRefused, HostUnreachable, isHostError } from '../errors.ts';
import { within } from '../within.ts';
import { joinStreams } from './join-streams.ts';
import type { Limits } from './limits.ts';
import type { Hop, Login } from './login.ts';
import { startProxy } from './proxy-command.ts';
import { readMessage, readReason } from './ssh-error.ts';

export interface Transport {
  readonly stream: Duplex;
  /** What a ProxyCommand says of its end; null where there is nothing to say. */
  complaint(): Promise<string | null>;
}

/** What a jump host does for others. */
export interface Forwarder {
  readonly host: string;
  /** Connects where no connection is open yet: in its own time, before any for others is counted. */
  prepare(): Promise<unknown>;
  forward(address: ServerAddress): Promise<Duplex>;
}

export interface Ways {
  /** The connection to a jump host, shared by all who go through it. */
  over(hop: Hop): Forwarder;
}

interface Opening {
  readonly login: Login;
  readonly ways: Ways;
  readonly limits: Limits;
}

/** RFC 4254, section 5.1. */
const PROHIBITED = 1;
/** ms for each address of a name that has several; Node's own quarter of a second gives up on far hosts. */
const ONE_ADDRESS = 2_500;

/** Throws HostUnreachable or HostRefused. */
export async function openTransport({ login, ways, limits }: Opening): Promise<Transport> {
  const ms = Math.min(login.connectLimit ?? limits.connect, limits.longestConnect);
  const { way } = login;
  switch (way.kind) {
    case 'direct':
      return { stream: await openSocket(login, ms), complaint: async () => null };
    case 'command':
      return startProxy(way.text);
    case 'jump':
      return { stream: await openThrough(login, ways.over(way.over), ms), complaint: async () => null };
    default:
      return way satisfies never;
  }
}

async function openSocket({ host, address, port }: Login, ms: number): Promise<Duplex> {
  // Nagle's algorithm would hold back the small packets of the handshake and of each exec (92 instead of 3 ms).
  const socket = connect({ host: address, port, noDelay: true, autoSelectFamilyAttemptTimeout: ONE_ADDRESS });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ms) });
  } catch (error) {
    socket.destroy();
    const isLate = error instanceof Error && error.name === 'AbortError';
    const found = isLate ? `no answer within ${ms / 1000} s` : readMessage(error);
    throw new HostUnreachable(
      host,
      `${host} can't be reached at ${address}:${port} (${found}): check that it is up and that its sshd listens there. It will be tried again.`,
      { cause: error },
    );
  }
  // From here on ssh2 listens too; this one stays for the time between the two.
  socket.on('error', () => undefined);
  return socket;
}

async function openThrough(login: Login, hop: Forwarder, ms: number): Promise<Duplex> {
  const { host, address, port } = login;
  try {
    await hop.prepare();
    const opening = hop.forward({ kind: 'tcp', host: address, port });
    const stream = await within(ms, opening);
    if (stream !== 'late') return joinStreams({ readable: stream, writable: stream, end: () => stream.destroy() });
    void opening.then((late) => late.destroy()).catch(() => undefined);
    throw new HostUnreachable(host, unreached(login, hop, `no answer within ${ms / 1000} s`));
  } catch (error) {
    if (error instanceof HostUnreachable && error.host === host) throw error;
    if (isHostError(error)) throw passOn(host, hop, error);
    if (readReason(error) !== PROHIBITED)
      throw new HostUnreachable(host, unreached(login, hop, readMessage(error)), { cause: error });
    throw new HostRefused(
      host,
      `${hop.host}, through which ${host} is reached, forwards nothing to ${address}:${port} for this user: set AllowTcpForwarding (and PermitOpen) for it in the sshd_config of ${hop.host}.`,
      { cause: error },
    );
  }
}

function unreached({ host, address, port }: Login, hop: Forwarder, found: string): string {
  return `${host} can't be reached at ${address}:${port} from ${hop.host} (${found}): check that it is up and that its sshd listens there. It will be tried again.`;
}

function passOn(host: string, hop: Forwarder, error: Error): Error {
  const message = `${host} is reached through ${hop.host}. ${error.message}`;
  return error instanceof HostRefused
    ? new HostRefused(host, message, { cause: error })
    : new HostUnreachable(host, message, { cause: error });
}
