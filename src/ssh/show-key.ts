/** The host key that a server shows, checked against nothing: for a person to compare. */

import { HostRefused } from '../errors.ts';
import { Authentication } from './auth/authentication.ts';
import type { Connecting } from './connection.ts';
import { shakeHands } from './handshake.ts';
import { readKnownHost } from './host-key.ts';
import { openTransport } from './transport.ts';

/**
 * Goes as far as the key exchange and leaves: no key of ours is offered. The jump hosts on the way are entered, so their keys must be known.
 * Of a server with several keys, one of a type that known_hosts has is shown. Throws HostUnreachable or HostRefused.
 */
export async function showHostKey({ login, ways, limits }: Connecting): Promise<Buffer> {
  const known = await readKnownHost(login);
  const transport = await openTransport({ login, ways, limits });
  const keys: Buffer[] = [];
  const refuse = (shown: Buffer) => {
    keys.push(shown);
    return new HostRefused(login.host, 'The key has been seen.');
  };
  const authentication = new Authentication(login, { usable: [], passedOver: [] });
  const failure = await shakeHands({ login, transport, limits, known, authentication, refuse }).catch(
    (error: unknown) => error,
  );
  const [shown] = keys;
  if (shown === undefined) throw failure;
  return shown;
}
