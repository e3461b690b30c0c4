/**
 * One SSH connection. node-ssh makes and holds it; channels run on the ssh2 client inside. Open from the moment `openConnection` returns until
 * either side ends it; afterwards every channel of it is closed and it is never used again.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { NodeSSH } from 'node-ssh';
import type { Client, ClientChannel, ServerHostKeyAlgorithm } from 'ssh2';
import type { ServerAddress } from '../address.ts';
import { HostRefused, HostUnreachable } from '../errors.ts';
import { readKnownKeys, refuseHostKey } from './host-key.ts';
import { preferredAlgorithms } from './known-hosts.ts';
import { type Login, type PrivateKey, readKeys } from './login.ts';

export interface Connection {
  isOpen(): boolean;
  /** Rejects with ssh2's error, whose `reason` is RFC 4254's number when the server refused the channel. */
  exec(command: string): Promise<ClientChannel>;
  forward(address: ServerAddress): Promise<Duplex>;
  close(): void;
}

/** Milliseconds: for the socket, for the handshake, between two keepalives (a vanished host is noticed after four of them). */
const CONNECT_LIMIT = 10_000;
const HANDSHAKE_LIMIT = 15_000;
const KEEPALIVE = 5_000;

const HOST_KEY_ALGORITHMS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const satisfies readonly ServerHostKeyAlgorithm[];

/** Throws HostUnreachable, or HostRefused when a person must act. */
export async function openConnection(login: Login): Promise<Connection> {
  const keys = await readKeys(login);
  const known = await readKnownKeys(login);
  const socket = await openSocket(login);
  const ssh = new NodeSSH();
  const refusal: { error: HostRefused | null } = { error: null };
  const connecting = ssh.connect({
    sock: socket,
    username: login.user,
    authHandler: keys.map(({ text }) => ({ type: 'publickey', username: login.user, key: text })),
    readyTimeout: HANDSHAKE_LIMIT,
    keepaliveInterval: KEEPALIVE,
    keepaliveCountMax: 3,
    algorithms: { serverHostKey: preferredAlgorithms(known, HOST_KEY_ALGORITHMS) },
    hostVerifier: (shown: Buffer) => {
      refusal.error = refuseHostKey(login, known, shown);
      return refusal.error === null;
    },
  });
  const client = ssh.connection;
  // node-ssh takes its own listener away once connected, and an 'error' without one would end the process.
  client?.on('error', () => undefined);
  try {
    await connecting;
  } catch (error) {
    socket.destroy();
    throw refusal.error ?? readLoginError({ login, keys, error });
  }
  if (client === null)
    throw new HostUnreachable(login.host, `${login.host} closed the connection: it will be tried again.`);
  return hold(client, ssh);
}

function hold(client: Client, ssh: NodeSSH): Connection {
  let isOpen = ssh.isConnected();
  client.once('close', () => {
    isOpen = false;
  });
  client.once('end', () => {
    isOpen = false;
  });
  return {
    isOpen: () => isOpen,
    exec: (command) =>
      new Promise((resolve, reject) => {
        client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)));
      }),
    forward: (address) =>
      new Promise((resolve, reject) => {
        const answer = (error: Error | undefined, channel: Duplex) => (error ? reject(error) : resolve(channel));
        if (address.kind === 'unix') client.openssh_forwardOutStreamLocal(address.path, answer);
        else client.forwardOut('127.0.0.1', 0, address.host, address.port, answer);
      }),
    close: () => {
      isOpen = false;
      ssh.dispose();
    },
  };
}

async function openSocket({ host, address, port }: Login): Promise<Socket> {
  // Nagle's algorithm would hold back the small packets of the handshake and of each exec (92 instead of 3 ms).
  const socket = connect({ host: address, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_LIMIT) });
  } catch (error) {
    socket.destroy();
    const isLate = error instanceof Error && error.name === 'AbortError';
    const found = isLate ? `no answer within ${CONNECT_LIMIT / 1000} s` : readMessage(error);
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

function readLoginError({ login, keys, error }: { login: Login; keys: readonly PrivateKey[]; error: unknown }): Error {
  const { host, address, port, user } = login;
  const isRefusal = error instanceof Error && 'level' in error && error.level === 'client-authentication';
  if (isRefusal) {
    const files = keys.map(({ path }) => path).join(', ');
    return new HostRefused(
      host,
      `${host} refuses the key: user ${user} can't log in at ${address}:${port} with ${files}. Add the public key to ~${user}/.ssh/authorized_keys on the host, or correct user and key of this host.`,
      { cause: error },
    );
  }
  return new HostUnreachable(
    host,
    `The SSH handshake with ${host} (${address}:${port}) failed: ${readMessage(error)}. Check that an SSH server answers there. It will be tried again.`,
    { cause: error },
  );
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
