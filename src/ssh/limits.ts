/** How long a connection may keep anybody waiting (ms). A dead host is known as such in under 30 s, whatever it died of. */
export interface Limits {
  /** For a TCP connection, or for a jump host to make one. ~/.ssh/config's ConnectTimeout counts instead, up to `longestConnect`. */
  readonly connect: number;
  readonly longestConnect: number;
  /** From then on to the end of the login. */
  readonly handshake: number;
  /** Between two keepalives; a host that vanished is given up after the fourth without an answer. */
  readonly keepalive: number;
  /** A jump host's connection that nobody uses is closed after this time. */
  readonly idle: number;
}

export const LIMITS: Limits = {
  connect: 10_000,
  longestConnect: 25_000,
  handshake: 15_000,
  keepalive: 5_000,
  idle: 60_000,
};
