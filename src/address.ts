/** A server's address: how HTTP writes it, where it is asked, how people are told of it. */

/** Address that the server listens on, from argv. */
export type ServerAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

/** What stands in a URL and in a Host header: `127.0.0.1:8000`, `[::1]:8000`, or `localhost` for a socket file. */
export function authorityOf(address: ServerAddress): string {
  if (address.kind === 'unix') return 'localhost';
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${host}:${address.port}`;
}

/** Where a server that listens on all interfaces is asked; another address as it is. */
export function loopbackFor(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** How people are told of it: `port 8000`, or the socket's path. */
export function addressWords(address: ServerAddress): string {
  return address.kind === 'tcp' ? `port ${address.port}` : `socket ${address.path}`;
}
