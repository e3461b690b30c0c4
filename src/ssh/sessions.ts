/**
 * All connections to one host. Nothing is open before the first use; a lost connection is made anew by the next use. One connection serves
 * until its sessions are used up (sshd's MaxSessions), then one more is opened, and closed once it is idle.
 */

import type { Duplex } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { ServerAddress } from '../address.ts';
import type { HostConfig } from '../config/config.ts';
import { HostRefused, HostUnreachable } from '../errors.ts';
import { EXEC_COMMAND } from '../shell/script.ts';
import type { Clock } from '../tools.ts';
import { type Connection, openConnection } from './connection.ts';
import { resolveLogin } from './login.ts';

/** sshd allows ten by default; one is left for whoever else shares the connection's limit. */
const SESSIONS = 9;

/** A refusal is repeated without asking for so long (ms): a host that bans after failed logins must not be knocked at each second. */
const REFUSAL_HOLDS = 10_000;

interface Line {
  readonly connection: Connection;
  sessions: number;
  limit: number;
}

export class Sessions {
  readonly host: string;
  readonly #config: HostConfig;
  readonly #clock: Clock;
  readonly #lines = new Set<Line>();
  #opening: Promise<Line> | null = null;
  #refused: { readonly error: HostRefused; readonly until: number } | null = null;
  #isClosed = false;

  constructor({ config, clock }: { config: HostConfig; clock: Clock }) {
    this.host = config.name;
    this.#config = config;
    this.#clock = clock;
  }

  /** A channel that runs EXEC_COMMAND; its session is free again when the channel closes. */
  async exec(): Promise<ClientChannel> {
    for (;;) {
      const line = this.#free() ?? (await this.#open());
      if (line.sessions >= line.limit) continue;
      line.sessions += 1;
      try {
        const channel = await line.connection.exec(EXEC_COMMAND);
        channel.once('close', () => this.#leave(line));
        return channel;
      } catch (error) {
        this.#leave(line);
        if (line.connection.isOpen() && line.sessions > 0) line.limit = line.sessions;
        else throw this.#translate(error, line);
      }
    }
  }

  /** A stream to a server on the host; rejects with ssh2's error (`reason` 1: not allowed, 2: nothing listens). */
  async forward(address: ServerAddress): Promise<Duplex> {
    const line = [...this.#lines].find(({ connection }) => connection.isOpen()) ?? (await this.#open());
    return line.connection.forward(address);
  }

  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#lines) connection.close();
    this.#lines.clear();
  }

  #free(): Line | undefined {
    for (const line of this.#lines) if (!line.connection.isOpen()) this.#lines.delete(line);
    return [...this.#lines].find(({ sessions, limit }) => sessions < limit);
  }

  #open(): Promise<Line> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #connect(): Promise<Line> {
    if (this.#refused !== null && this.#clock.now() < this.#refused.until) throw this.#refused.error;
    try {
      const line = { connection: await openConnection(await resolveLogin(this.#config)), sessions: 0, limit: SESSIONS };
      this.#refused = null;
      this.#lines.add(line);
      if (this.#isClosed) line.connection.close();
      return line;
    } catch (error) {
      if (error instanceof HostRefused) this.#refused = { error, until: this.#clock.now() + REFUSAL_HOLDS };
      throw error;
    }
  }

  #leave(line: Line): void {
    line.sessions -= 1;
    const [first] = this.#lines;
    if (line.sessions > 0 || line === first || !line.connection.isOpen()) return;
    this.#lines.delete(line);
    line.connection.close();
  }

  #translate(error: unknown, { connection }: Line): Error {
    const { host } = this;
    if (!connection.isOpen()) return lost(host, error);
    const message = error instanceof Error ? error.message : String(error);
    if (message !== 'Unable to exec') {
      return new HostUnreachable(host, `${host} opens no session (${message}): it will be tried again.`, {
        cause: error,
      });
    }
    return new HostRefused(
      host,
      `${host} runs no commands for this user: allow exec sessions for the key (without a forced command).`,
      { cause: error },
    );
  }
}

/** The connection broke while it was used. */
export function lost(host: string, cause?: unknown): HostUnreachable {
  return new HostUnreachable(host, `The connection to ${host} was lost: it will be made again.`, { cause });
}
