/** A request to a server on a host, and what comes of it. */

import type { ServerAddress } from './address.ts';

export interface HttpRequest {
  readonly address: ServerAddress;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** How the server was reached. */
  readonly by: 'forwarding' | 'curl';
}

/** Nothing listens at the asked address: the server is not up, or not any more. */
export class NotListening extends Error {
  override readonly name = 'NotListening';
}
