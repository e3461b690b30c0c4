/** Letting go of a channel whose script may never write again: sshd answers the channel's end only when the script has ended. */

import type { ClientChannel } from 'ssh2';

/** What ssh2 keeps of a channel; its own signal() is silent once stdin has ended, which RFC 4254 (6.9) doesn't ask for. */
interface Inside {
  readonly outgoing: { readonly id: number; readonly state: string };
  readonly _client: { readonly _protocol: { signal(channel: number, name: string): void } };
}

/**
 * TERM reaches the remote process group (OpenSSH 7.9 and later), so that nothing stays behind that never writes; of root's sessions sshd
 * signals none, and there a script that never writes stays until it ends.
 */
export function release(channel: ClientChannel): void {
  const { outgoing, _client: client } = channel as unknown as Inside;
  if (outgoing.state === 'open' || outgoing.state === 'eof') client._protocol.signal(outgoing.id, 'TERM');
  channel.close();
  // ssh2 calls a channel closed, and its session free, only when all that came has been read.
  const drain = () => {
    while (channel.read() !== null);
  };
  channel.on('readable', drain);
  drain();
}

/** What is being opened, or the signal's reason if that comes first; what arrives too late is let go of. */
export async function untilOpen<Channel>(
  opening: Promise<Channel>,
  signal: AbortSignal,
  letGo: (late: Channel) => void,
): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    opening.then(
      (channel) => {
        signal.removeEventListener('abort', giveUp);
        if (signal.aborted) letGo(channel);
        resolve(channel);
      },
      (error) => {
        signal.removeEventListener('abort', giveUp);
        reject(error);
      },
    );
  });
}

/** The channel's output until its end or the signal, whichever comes first. */
export async function* untilAborted(channel: ClientChannel, signal: AbortSignal): AsyncGenerator<Buffer> {
  const chunks = channel[Symbol.asyncIterator]();
  for (;;) {
    const next = await new Promise<IteratorResult<unknown> | null>((resolve, reject) => {
      const giveUp = () => resolve(null);
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      chunks
        .next()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', giveUp));
    });
    if (next === null || next.done === true) return;
    yield Buffer.isBuffer(next.value) ? next.value : Buffer.from(String(next.value));
  }
}
