/** Running a script on a host: to its end, or as a stream. */

import { randomBytes } from 'node:crypto';
import type { ClientChannel } from 'ssh2';
import { CommandFailed, HostRefused, HostUnreachable } from '../errors.ts';
import { findOutput, renderStdin, type Script } from '../shell/script.ts';
import { withDeadline } from './deadline.ts';
import { release, untilAborted, untilOpen } from './release.ts';
import { lost, type Sessions } from './sessions.ts';

export interface Execution {
  readonly sessions: Sessions;
  readonly script: Script;
  readonly signal: AbortSignal;
  /** Told each piece of stderr. */
  readonly onStderr?: (text: string) => void;
}

export interface Bounded extends Execution {
  /** ms after which it is given up, where that is not the usual time. */
  readonly ms?: number;
}

/** ms after which a script that should answer at once is given up: a hung file system, most likely. */
const LIMIT = 60_000;
const OUTPUT_LIMIT = 8 * 1024 * 1024;
const STDERR_KEPT = 16_384;
/** What a login shell may print before the script's own output. */
const NOISE_LIMIT = 1024 * 1024;
/** A host that is short of memory or processes has a shell, only not now. */
const LACKS_RESOURCES = /fork|memory|Resource temporarily unavailable/i;

/** The script's whole output. Throws HostUnreachable, HostRefused or CommandFailed; aborts with the signal's reason. */
export async function run({ sessions, script, signal, ms = LIMIT }: Bounded): Promise<string> {
  return withDeadline({ signal, ms }, async (limited, isLate) => {
    try {
      return await collect({ sessions, script, signal: limited });
    } catch (error) {
      signal.throwIfAborted();
      if (isLate()) throw failure(sessions, script, `no end within ${ms / 1000} s`);
      throw error;
    }
  });
}

async function collect({ sessions, script, signal }: Execution): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const bytes of stream({ sessions, script, signal })) {
    pieces.push(bytes);
    size += bytes.length;
    if (size > OUTPUT_LIMIT) throw failure(sessions, script, `more than ${OUTPUT_LIMIT} bytes of output`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The script's output as it comes; the channel is paused while the consumer is busy. Ends only when the script ended with 0. */
export async function* stream({ sessions, script, signal, onStderr }: Execution): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const channel = await untilOpen(sessions.exec(), signal, release);
  const end = watchEnd(channel, onStderr);
  const stop = () => release(channel);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const nonce = randomBytes(16).toString('hex');
    channel.end(renderStdin(script, nonce));
    const hasBegun = yield* afterNonce(untilAborted(channel, signal), nonce);
    signal.throwIfAborted();
    const exit = await end.closed;
    judgeEnd({ sessions, script, hasBegun, exit, stderr: end.stderr() });
  } finally {
    signal.removeEventListener('abort', stop);
    if (!end.isClosed()) release(channel);
  }
}

/** Yields what comes after the nonce's line; returns whether that line came. */
async function* afterNonce(output: AsyncIterable<Buffer>, nonce: string): AsyncGenerator<Buffer, boolean> {
  let noise: Buffer | null = Buffer.alloc(0);
  try {
    for await (const bytes of output) {
      if (noise === null) {
        yield bytes;
        continue;
      }
      noise = Buffer.concat([noise, bytes]);
      const at = findOutput(noise, nonce);
      if (at < 0 && noise.length > NOISE_LIMIT) break;
      if (at < 0) continue;
      const rest: Buffer = noise.subarray(at);
      noise = null;
      if (rest.length > 0) yield rest;
    }
  } catch (error) {
    // A channel that is cut off ends early; how it ended is judged by its exit status.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
  return noise === null;
}

/** Both null: the channel was cut off before the script ended. */
interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface End {
  readonly closed: Promise<Exit>;
  readonly isClosed: () => boolean;
  readonly stderr: () => string;
}

function watchEnd(channel: ClientChannel, onStderr: ((text: string) => void) | undefined): End {
  let stderr = '';
  let isClosed = false;
  channel.on('error', () => undefined);
  channel.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_KEPT);
    onStderr?.(chunk.toString('utf8'));
  });
  const closed = new Promise<Exit>((resolve) => {
    // Not 'exit', which comes before anybody can listen where a shell ends at once.
    channel.once('close', (code: unknown, signal: unknown) => {
      isClosed = true;
      resolve({ code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null });
    });
  });
  return { closed, isClosed: () => isClosed, stderr: () => stderr };
}

interface Judged {
  readonly sessions: Sessions;
  readonly script: Script;
  readonly hasBegun: boolean;
  readonly exit: Exit;
  readonly stderr: string;
}

/** A channel that closes without an exit status was cut off: never a success. */
function judgeEnd({ sessions, script, hasBegun, exit, stderr }: Judged): void {
  const { host } = sessions;
  if (exit.code === null && exit.signal === null) throw lost(host);
  if (hasBegun && exit.code === 0) return;
  const message = exit.signal === null ? stderr : `ended by signal ${exit.signal}\n${stderr}`.trim();
  if (hasBegun) throw new CommandFailed({ host, script: script.name, exitCode: exit.code, stderr: message });
  const found = message.trim().split('\n').at(-1) || `exit code ${exit.code}`;
  if (exit.code === 0 || exit.code === null || LACKS_RESOURCES.test(message)) {
    throw new HostUnreachable(host, `${host} could not run a script just now (${found}): it will be tried again.`);
  }
  throw new HostRefused(
    host,
    `${host} gives this user no usable shell (${found}): Vigil needs a login shell that runs "sh -c".`,
  );
}

export function failure(sessions: Sessions, script: Script, stderr: string): CommandFailed {
  return new CommandFailed({ host: sessions.host, script: script.name, exitCode: null, stderr });
}
