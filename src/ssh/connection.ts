/**
 * One SSH connection. node-ssh makes and holds it; channels run on the ssh2 client inside. Open from the moment `openConnection` returns until
 * either side ends it; afterwards every channel of it is closed and it is never used again.
 */

import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import type { ServerAddress } from '../address.ts';
import { Authentication } from './auth/authentication.ts';
import { readCredentials } from './auth/credentials.ts';
import { type Handshake, shakeHands } from './handshake.ts';
import { readKnownHost, refuseHostKey } from './host-key.ts';
import type { Limits } from './limits.ts';
import type { Login } from './login.ts';
import { openTransport, type Ways } from './transport.ts';

export interface Connection {
  isOpen(): boolean;
  /** Rejects with ssh2's error, whose `reason` is RFC 4254's number when the server refused the channel. */
  exec(command: string): Promise<ClientChannel>;
  forward(address: ServerAddress): Promise<Duplex>;
  close(): void;
}

export interface Connecting {
  readonly login: Login;
  readonly ways: Ways;
  readonly limits: Limits;
}

/** ms from the polite end to the end of a socket that nobody answers on any more. */
const FAREWELL = 1_000;

/** Throws HostUnreachable, or HostRefused when a person must act. */
export async function openConnection({ login, ways, limits }: Connecting): Promise<Connection> {
  const credentials = await readCredentials(login.identities);
  const known = await readKnownHost(login);
  const transport = await openTransport({ login, ways, limits });
  return hold(
    await shakeHands({
      login,
      transport,
      limits,
      known,
      authentication: new Authentication(login, credentials),
      refuse: (shown) => refuseHostKey(login, known, shown),
    }),
  );
}

function hold({ client, stream }: Handshake): Connection {
  let isOpen = true;
  const end = () => {
    isOpen = false;
  };
  // A keepalive without an answer is an 'error'; ssh2 then destroys the stream, and with it all channels end.
  client.once('close', end).once('end', end).once('error', end);
  return {
    // A stream that we have ended is over, whether or not the other side ever says so.
    isOpen: () => isOpen && stream.writable,
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
      end();
      leave(client, stream);
    },
  };
}

function leave(client: Client, stream: Duplex): void {
  client.end();
  const timer = setTimeout(() => stream.destroy(), FAREWELL);
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}
