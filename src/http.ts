/** A request to a server on a host, and what comes of it. */

import type { ServerAddress } from './address.ts';

export interface HttpRequest {
  readonly address: ServerAddress;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMs: number;
  /** It serves HTTPS. Its certificate is not checked: the host is known by its SSH key, and the way there is SSH's. */
  readonly tls?: true;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** How the server was reached. */
  readonly by: 'forwarding' | 'curl';
  /** From the request's last byte to the answer's first byte of body, and to its last (ms); the first is null where it can't be seen (curl). */
  readonly firstMs: number | null;
  readonly totalMs: number;
}

/** Nothing listens at the asked address: the server is not up, or not any more. */
export class NotListening extends Error {
  override readonly name = 'NotListening';
}
