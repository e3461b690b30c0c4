/** From an open transport to a client that is logged in. */

import type { Duplex } from 'node:stream';
import { NodeSSH } from 'node-ssh';
import type { Client } from 'ssh2';
import { type HostRefused, HostUnreachable } from '../errors.ts';
import type { Authentication } from './auth/authentication.ts';
import { explainFailure, HOST_KEY_ALGORITHMS, type Seen } from './handshake-failure.ts';
import type { KnownHost } from './host-key.ts';
import { preferredAlgorithms } from './known-hosts.ts';
import type { Limits } from './limits.ts';
import type { Login } from './login.ts';
import type { Transport } from './transport.ts';

export interface Handshake {
  readonly client: Client;
  readonly stream: Duplex;
}

interface Partners {
  readonly login: Login;
  readonly transport: Transport;
  readonly limits: Limits;
  readonly known: KnownHost;
  readonly authentication: Authentication;
  /** Why the key that the server shows won't do, or null. */
  readonly refuse: (shown: Buffer) => HostRefused | null;
}

const GREETING_KEPT = 512;

/** Throws HostUnreachable, TurnedAway, or HostRefused. The transport is closed then. */
export async function shakeHands(partners: Partners): Promise<Handshake> {
  const { login, transport, limits, known, authentication, refuse } = partners;
  const { stream } = transport;
  const seen: Seen = { greeting: '', offer: '' };
  const refusal: { error: HostRefused | null } = { error: null };
  const ssh = new NodeSSH();
  const connecting = ssh.connect({
    sock: stream,
    username: login.user,
    authHandler: authentication.next,
    readyTimeout: limits.handshake,
    keepaliveInterval: limits.keepalive,
    keepaliveCountMax: 3,
    algorithms: { serverHostKey: preferredAlgorithms([...known.keys, ...known.plainKeys], HOST_KEY_ALGORITHMS) },
    hostVerifier: (shown: Buffer) => {
      refusal.error = refuse(shown);
      return refusal.error === null;
    },
    debug: (row) => {
      seen.offer = /^Handshake: \(remote\) [^:]+: (.+)$/.exec(row)?.[1] ?? seen.offer;
    },
  });
  const client = ssh.connection;
  // node-ssh takes its own listener away once connected, and an 'error' without one would end the process.
  client?.on('error', () => undefined);
  const listen = (bytes: Buffer) => {
    seen.greeting += bytes.toString('latin1');
    if (seen.greeting.includes('SSH-') || seen.greeting.length > GREETING_KEPT) stream.off('data', listen);
  };
  // ssh2 has paused the stream until it is ready itself, and both get the same bytes.
  stream.on('data', listen);
  try {
    await connecting;
  } catch (error) {
    stream.destroy();
    throw refusal.error ?? (await explainFailure({ login, transport, authentication, seen, error }));
  }
  if (client !== null) return { client, stream };
  throw new HostUnreachable(login.host, `${login.host} closed the connection: it will be tried again.`);
}
