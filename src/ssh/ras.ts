/** What NCCL's RAS says on a host: through SSH forwarding, else by a program on the host. */

import type { Duplex } from 'node:stream';
import { parseRasAnswer, RAS_LIMIT, RAS_QUESTION, renderRas } from '../shell/ras.ts';
import { withDeadline } from './deadline.ts';
import { run } from './exec.ts';
import { lost, type Sessions } from './sessions.ts';
import { readReason } from './ssh-error.ts';

interface Question {
  readonly sessions: Sessions;
  readonly address: { readonly host: string; readonly port: number };
  readonly signal: AbortSignal;
}

/** Reasons of RFC 4254, section 5.1. */
const PROHIBITED = 1;
const CONNECT_FAILED = 2;
/** ms for an answer: RAS itself waits five seconds for a process that doesn't answer it, and somewhat longer for what that one would pass on. */
const LIMIT = 9_000;
/** ms for the programs on the host, tried one after the other. */
const SCRIPT_LIMIT = 30_000;

/** null where nobody listens, or there is no way to ask. An answer that isn't whole in time ends with its last whole line. */
export async function askRas({ sessions, address, signal }: Question): Promise<string | null> {
  const by = await openStream(sessions, address);
  if (by === 'closed') return null;
  if (by !== 'prohibited') return readAll(by, signal);
  return parseRasAnswer(await run({ sessions, script: renderRas(address), signal, ms: SCRIPT_LIMIT }));
}

async function openStream(sessions: Sessions, address: Question['address']): Promise<Duplex | 'closed' | 'prohibited'> {
  try {
    return await sessions.forward({ kind: 'tcp', ...address });
  } catch (error) {
    const reason = readReason(error);
    if (reason === CONNECT_FAILED) return 'closed';
    if (reason === PROHIBITED) return 'prohibited';
    throw lost(sessions.host, error);
  }
}

async function readAll(stream: Duplex, signal: AbortSignal): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  const isWhole = await withDeadline({ signal, ms: LIMIT }, (limited) => {
    return new Promise<boolean>((resolve) => {
      if (limited.aborted) resolve(false);
      limited.addEventListener('abort', () => resolve(false), { once: true });
      stream.on('error', () => resolve(false));
      stream.on('close', () => resolve(true));
      stream.on('end', () => resolve(true));
      stream.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size >= RAS_LIMIT) resolve(false);
      });
      stream.write(RAS_QUESTION);
    });
  }).finally(() => stream.destroy());
  signal.throwIfAborted();
  const text = Buffer.concat(pieces).subarray(0, RAS_LIMIT).toString('utf8');
  const told = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  return parseRasAnswer(told);
}
