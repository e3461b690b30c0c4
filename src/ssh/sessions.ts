/**
 * All connections to one host. Nothing is open before the first use; a lost connection is made anew by the next use. One connection serves
 * until its sessions are used up (sshd's MaxSessions), then one more is opened, and closed once it is idle. At most one attempt to connect is
 * under way at any time (sshd's MaxStartups); after one that failed, all who want the host get that failure until its time is over.
 */

import type { Duplex } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { ServerAddress } from '../address.ts';
import { HostRefused, HostUnreachable } from '../errors.ts';
import { EXEC_COMMAND } from '../shell/script.ts';
import type { Clock } from '../tools.ts';
import { Backoff } from './backoff.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Limits } from './limits.ts';
import type { Login } from './login.ts';
import { readReason } from './ssh-error.ts';
import type { Ways } from './transport.ts';

/** sshd allows ten by default; one is left for a session that ends a little later there than here. */
const SESSIONS = 9;
/** ms that a limit which sshd has shown is believed: it may have counted sessions that were ending. */
const LIMIT_HOLDS = 60_000;
/** RFC 4254, section 5.1: OpenSSH says the first of a session too many. */
const FULL = [2, 4];

interface Line {
  readonly connection: Connection;
  /** Those that are asked for among them. */
  sessions: number;
  /** Those that sshd has opened, and the most that were open at once. */
  open: number;
  most: number;
  /** Refused one after the other. */
  refusals: number;
  streams: number;
}

/** So many refusals are taken for sessions that sshd has not closed yet. */
const MOST_REFUSALS = 20;

export interface SessionsOptions {
  readonly host: string;
  readonly resolve: () => Promise<Login>;
  readonly ways: Ways;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Told when the connections have been unused for the limit; null: they are kept. */
  readonly onIdle: (() => void) | null;
}

export class Sessions {
  readonly host: string;
  readonly #options: SessionsOptions;
  readonly #lines = new Set<Line>();
  readonly #carriers = new WeakMap<Duplex, Line>();
  readonly #backoff: Backoff;
  #opening: Promise<Line> | null = null;
  #limit: { readonly sessions: number; readonly until: number } | null = null;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.host = options.host;
    this.#options = options;
    this.#backoff = new Backoff(options.clock);
  }

  /** How the host is reached, as its configuration says now. */
  login(): Promise<Login> {
    return this.#options.resolve();
  }

  /** A channel that runs EXEC_COMMAND; its session is free again when the channel closes. */
  async exec(): Promise<ClientChannel> {
    for (;;) {
      const line = this.#free() ?? (await this.#open());
      if (line.sessions >= this.#sessionsALine()) continue;
      line.sessions += 1;
      try {
        const channel = await line.connection.exec(EXEC_COMMAND);
        line.open += 1;
        line.most = Math.max(line.most, line.open);
        line.refusals = 0;
        channel.once('close', () => {
          line.open -= 1;
          this.#leave(line);
        });
        return channel;
      } catch (error) {
        this.#leave(line);
        const isFull = FULL.includes(readReason(error) ?? 0) && line.sessions > 0 && line.connection.isOpen();
        if (!isFull) throw this.#translate(error, line);
        this.#limit = { sessions: limitOf(line), until: this.#options.clock.now() + LIMIT_HOLDS };
      }
    }
  }

  /** Connects where no connection is open yet. */
  async prepare(): Promise<void> {
    if (this.#openLines().length === 0) await this.#open();
  }

  /** A stream to a server on the host; rejects with ssh2's error (`reason` 1: not allowed, 2: nothing listens). */
  async forward(address: ServerAddress): Promise<Duplex> {
    const line = this.#openLines()[0] ?? (await this.#open());
    line.streams += 1;
    clearTimeout(this.#idle);
    const leave = () => {
      line.streams -= 1;
      this.#rest();
    };
    try {
      const stream = await line.connection.forward(address);
      stream.once('close', leave);
      this.#carriers.set(stream, line);
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Whether the connection of a stream that `forward` gave is gone: what ended then was the way, not the server. */
  isCut(stream: Duplex): boolean {
    return this.#carriers.get(stream)?.connection.isOpen() === false;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const { connection } of this.#lines) connection.close();
    this.#lines.clear();
  }

  #sessionsALine(): number {
    const now = this.#options.clock.now();
    return this.#limit !== null && now < this.#limit.until ? this.#limit.sessions : SESSIONS;
  }

  #openLines(): Line[] {
    for (const line of this.#lines) if (!line.connection.isOpen()) this.#lines.delete(line);
    return [...this.#lines];
  }

  #free(): Line | undefined {
    const most = this.#sessionsALine();
    return this.#openLines().find(({ sessions }) => sessions < most);
  }

  #open(): Promise<Line> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #connect(): Promise<Line> {
    const held = this.#backoff.held();
    if (held !== null) throw held;
    if (this.#isClosed) throw lost(this.host);
    try {
      const { ways, limits } = this.#options;
      const connection = await openConnection({ login: await this.login(), ways, limits });
      this.#backoff.succeeded();
      const line: Line = { connection, sessions: 0, open: 0, most: 0, refusals: 0, streams: 0 };
      this.#lines.add(line);
      if (this.#isClosed) this.close();
      return line;
    } catch (error) {
      if (error instanceof Error) this.#backoff.failed(error);
      throw error;
    }
  }

  #leave(line: Line): void {
    line.sessions -= 1;
    const [first] = this.#lines;
    if (line.sessions > 0 || line.streams > 0 || line === first || !line.connection.isOpen()) return;
    this.#lines.delete(line);
    line.connection.close();
  }

  #rest(): void {
    const { onIdle, limits } = this.#options;
    clearTimeout(this.#idle);
    if (onIdle === null || [...this.#lines].some(({ streams, sessions }) => streams + sessions > 0)) return;
    this.#idle = setTimeout(onIdle, limits.idle);
    this.#idle.unref();
  }

  #translate(error: unknown, { connection }: Line): Error {
    const { host } = this;
    if (!connection.isOpen()) return lost(host, error);
    const message = error instanceof Error ? error.message : String(error);
    if (message !== 'Unable to exec') {
      return new HostUnreachable(
        host,
        `${host} opens no session (${message}): check MaxSessions in its sshd_config. It will be tried again.`,
        { cause: error },
      );
    }
    return new HostRefused(
      host,
      `${host} runs no commands for this user: allow exec sessions for the key (without a forced command).`,
      { cause: error },
    );
  }
}

/** sshd counts a session for a moment after it has closed: what a connection has held once it can hold again. */
function limitOf(line: Line): number {
  line.refusals += 1;
  return line.refusals <= MOST_REFUSALS ? Math.max(line.sessions, line.most) : line.sessions;
}

/** The connection broke while it was used. */
export function lost(host: string, cause?: unknown): HostUnreachable {
  return new HostUnreachable(host, `The connection to ${host} was lost: it will be made again.`, { cause });
}
