/**
 * What comes over a socket, before the SDK acts on it (@slack/socket-mode 3.1.0): a `disconnect` would close the connection at once, under the
 * answers that are still to go over it, and both connections together if Slack asks so; an `events_api` frame without an event would end the process.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { z } from 'zod';

type SocketClient = SocketModeReceiver['client'];

export interface Frames {
  readonly log: Logger;
  /** Whether this connection may go away now; then it does. */
  mayLeave(): boolean;
}

/** Slack warns about 10 s before it closes a connection itself. */
const LEAVE_MS = 8000;
/** Slack takes no answer later than this. */
const ANSWER_MS = 3000;
const LOOK_MS = 50;

const Frame = z.looseObject({
  type: z.string(),
  reason: z.string().optional(),
  envelope_id: z.string().optional(),
  payload: z.looseObject({ type: z.string().optional(), event: z.unknown().optional() }).optional(),
});
type Frame = z.infer<typeof Frame>;

export function guardFrames(client: SocketClient, { log, mayLeave }: Frames): void {
  const readers = client.listeners('ws_message');
  /** When each that is still to be answered came, by its envelope; oldest first. */
  const open = new Map<string, number>();
  let connection = {};
  const pass = (data: unknown, isBinary: boolean) => {
    for (const read of readers) {
      Promise.resolve(read(data, isBinary)).catch((error: unknown) =>
        log.error({ err: error }, 'a message from Slack could not be read'),
      );
    }
  };
  const leave = async (data: unknown, isBinary: boolean) => {
    const leaving = connection;
    await until(LEAVE_MS, mayLeave);
    await until(ANSWER_MS, () => forget(open) === 0);
    // Slack may have closed it meanwhile, and there is a new one.
    if (leaving === connection) pass(data, isBinary);
  };
  client.on('close', () => {
    connection = {};
    open.clear();
  });
  client.on('outgoing_message', (message: { envelope_id?: string }) => open.delete(message.envelope_id ?? ''));
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const frame = readFrame(data);
    if (frame?.type === 'disconnect' && frame.reason !== 'link_disabled') return void leave(data, isBinary);
    if (frame?.type === 'events_api' && frame.payload?.event === undefined) {
      log.warn({ type: frame.payload?.type }, 'Slack sent a notice that holds no event');
      return pass(JSON.stringify(asEvent(frame)), isBinary);
    }
    forget(open);
    if (frame?.envelope_id !== undefined) open.set(frame.envelope_id, performance.now());
    pass(data, isBinary);
  });
}

/** A notice such as app_rate_limited stands where an event is looked for; so it is acknowledged like one. */
function asEvent(frame: Frame): Frame {
  return { ...frame, payload: { ...frame.payload, event: { type: frame.payload?.type ?? 'notice' } } };
}

function readFrame(data: unknown): Frame | null {
  if (typeof data !== 'string') return null;
  try {
    return Frame.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null; // not for us to judge: the SDK says what it makes of it
  }
}

/** Leaves out what can't be answered any more; says how much is left. */
function forget(open: Map<string, number>): number {
  for (const [id, since] of open) {
    if (performance.now() - since <= ANSWER_MS) break;
    open.delete(id);
  }
  return open.size;
}

async function until(ms: number, isSo: () => boolean): Promise<void> {
  const end = performance.now() + ms;
  while (!isSo() && performance.now() < end) await sleep(LOOK_MS);
}
