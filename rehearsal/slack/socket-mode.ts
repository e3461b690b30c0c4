/**
 * Socket Mode: connections that apps opened, envelopes to one of them at a time, and the acks that come back.
 *
 * A ticket is good for one connection. A connection is `open` until it closes; it is `leaving` once it was told to
 * disconnect, and gets nothing new from then on; a mere warning changes nothing yet. A `deaf` one looks open, but nothing
 * comes through in either direction, pings included. An envelope waits for the first ack with its id, on any connection.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Delivered, Delivery, DisconnectReason, Envelope, EnvelopeType, SentEnvelope } from './envelopes.ts';

const MAX_CONNECTIONS = 10;
const TICKET_LIFE_MS = 30_000;

const ackFrame = z.object({ envelope_id: z.string(), payload: z.record(z.string(), z.unknown()).default({}) });

interface Connection {
  readonly number: number;
  readonly socket: WebSocket;
  isLeaving: boolean;
  isDeaf: boolean;
}

interface Pending {
  readonly envelope: Envelope;
  readonly sentAt: number;
  /** Times it was sent, or would have been with a connection. */
  tries: number;
  readonly connections: number[];
  readonly acks: { afterMs: number; payload: Record<string, unknown> }[];
  settle: (delivery: Delivery) => void;
}

export class SocketMode {
  readonly #setting: { url: () => string; appId: string; onChange: (open: number) => void };
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #tickets = new Map<string, number>();
  readonly #sent = new Map<string, Pending>();
  #connections: Connection[] = [];
  #opened = 0;
  #turn = 0;

  constructor(setting: { url: () => string; appId: string; onChange: (open: number) => void }) {
    this.#setting = setting;
  }

  get open(): number {
    return this.#usable().length;
  }

  /** Every envelope sent so far, oldest first. */
  envelopes(): SentEnvelope[] {
    return [...this.#sent.values()].map(({ envelope, connections, acks }) => ({ ...envelope, connections, acks }));
  }

  /** A URL for one connection, good for 30 s. */
  ticket(): string {
    const ticket = randomUUID();
    this.#tickets.set(ticket, Date.now() + TICKET_LIFE_MS);
    return `${this.#setting.url()}?ticket=${ticket}&app_id=${this.#setting.appId}`;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
    const until = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    if (until === undefined || until < Date.now()) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket));
  }

  /** Sends to one connection, round robin, and waits for the ack up to the limit. */
  send(type: EnvelopeType, payload: Readonly<Record<string, unknown>>, limitMs: number): Delivered {
    const envelope = { id: randomUUID(), type, payload };
    const connection = this.#next();
    const delivery = new Promise<Delivery>((resolve) => {
      const timer = setTimeout(() => resolve({ kind: 'unanswered', afterMs: limitMs }), limitMs);
      const settle = (outcome: Delivery): void => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const fresh = { envelope, sentAt: performance.now(), tries: 0, connections: [], acks: [], settle };
      this.#sent.set(envelope.id, fresh);
      if (connection === undefined) settle({ kind: 'undelivered' });
      this.#transmit(connection, fresh);
    });
    return { envelopeId: envelope.id, delivery };
  }

  /**
   * The same envelope once more, to the next connection; the latest if no id is given. An event says so (retry_attempt), also one that found no
   * connection at first: Slack sends events again, and never commands or clicks.
   */
  redeliver(envelopeId?: string): void {
    const pending = envelopeId === undefined ? [...this.#sent.values()].at(-1) : this.#sent.get(envelopeId);
    if (pending === undefined) throw new Error(`no envelope ${envelopeId ?? ''} was sent, so it can't be sent again`);
    const connection = this.#next();
    if (connection === undefined) throw new Error('no connection is open, so nothing can be sent again');
    this.#transmit(connection, pending);
  }

  /** Asks apps to leave and come back: all connections, or the oldest `only`. */
  disconnect(reason: DisconnectReason, only = Number.POSITIVE_INFINITY): void {
    for (const connection of this.#usable().slice(0, only)) {
      connection.isLeaving = reason !== 'warning';
      connection.socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'local' } }));
    }
    this.#setting.onChange(this.open);
  }

  /** Cuts every connection without a word, as a dying network does. */
  cut(): void {
    for (const { socket } of this.#connections) socket.terminate();
  }

  /** All connections, or the oldest `only`, go dead without closing. */
  deafen(only = Number.POSITIVE_INFINITY): void {
    for (const connection of this.#usable().slice(0, only)) connection.isDeaf = true;
  }

  stop(): void {
    for (const pending of this.#sent.values()) pending.settle({ kind: 'undelivered' });
    this.cut();
    this.#server.close();
  }

  #accept(socket: WebSocket): void {
    if (this.#connections.length >= MAX_CONNECTIONS) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets', debug_info: { host: 'local' } }));
      socket.close();
      return;
    }
    this.#opened += 1;
    const connection: Connection = { number: this.#opened, socket, isLeaving: false, isDeaf: false };
    this.#connections.push(connection);
    socket.on('message', (data) => {
      if (!connection.isDeaf) this.#receive(String(data));
    });
    socket.on('ping', (data) => {
      if (!connection.isDeaf) socket.pong(data);
    });
    // A broken connection also closes; the close is what counts.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#connections = this.#connections.filter((other) => other !== connection);
      this.#setting.onChange(this.open);
    });
    const debug = { host: 'local', build_number: 1, approximate_connection_time: 18_060 };
    const info = { app_id: this.#setting.appId };
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#connections.length,
        connection_info: info,
        debug_info: debug,
      }),
    );
    this.#setting.onChange(this.open);
  }

  #receive(text: string): void {
    const frame = ackFrame.safeParse(parseJson(text));
    const pending = frame.success ? this.#sent.get(frame.data.envelope_id) : undefined;
    if (!frame.success || pending === undefined) return;
    const ack = { afterMs: Math.round(performance.now() - pending.sentAt), payload: frame.data.payload };
    pending.acks.push(ack);
    pending.settle({ kind: 'acked', ...ack });
  }

  #transmit(connection: Connection | undefined, pending: Pending): void {
    const { id, type, payload } = pending.envelope;
    const retry = { retry_attempt: pending.tries, retry_reason: pending.tries === 0 ? '' : 'timeout' };
    pending.tries += 1;
    if (connection === undefined) return;
    pending.connections.push(connection.number);
    if (connection.isDeaf) return;
    const isEvent = type === 'events_api';
    connection.socket.send(
      JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: !isEvent, ...(isEvent && retry) }),
    );
  }

  #usable(): Connection[] {
    return this.#connections.filter(({ socket, isLeaving }) => socket.readyState === socket.OPEN && !isLeaving);
  }

  #next(): Connection | undefined {
    const usable = this.#usable();
    this.#turn += 1;
    return usable[this.#turn % Math.max(usable.length, 1)];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not an ack; the schema refuses it.
    return null;
  }
}
