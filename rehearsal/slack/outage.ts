/** Slack being away as a whole: every method, upload, response_url and connection, until it is over. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests are cut without an answer, never answered, or answered with HTTP 503. */
export type OutageKind = 'refuse' | 'silence' | '503';

export class Outage {
  #kind: OutageKind | null = null;
  readonly #silenced = new Set<ServerResponse | Duplex>();

  begin(kind: OutageKind): void {
    this.#kind = kind;
  }

  /** What was left without an answer is cut. */
  end(): void {
    this.#kind = null;
    for (const unanswered of this.#silenced) unanswered.destroy();
    this.#silenced.clear();
  }

  /** Deals with a request if there is an outage: says whether there is, and which HTTP status went out, null for none. */
  meet(response: ServerResponse): { readonly status: number | null } | null {
    if (this.#kind === null) return null;
    if (this.#kind === '503') {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Service Unavailable\n');
      return { status: 503 };
    }
    this.#leave(response);
    return { status: null };
  }

  /** Likewise with somebody who wants a connection to stay. */
  meetConnection(socket: Duplex): boolean {
    if (this.#kind === null) return false;
    if (this.#kind === '503') socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    else this.#leave(socket);
    return true;
  }

  #leave(unanswered: ServerResponse | Duplex): void {
    if (this.#kind === 'refuse') unanswered.destroy();
    else this.#silenced.add(unanswered);
  }
}
