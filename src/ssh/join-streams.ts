/** One stream out of two. ssh2's own channels never say 'close' once they are destroyed, and a process has a stream for each direction. */

import { Duplex, type Readable, type Writable } from 'node:stream';

interface Parts {
  readonly readable: Readable;
  readonly writable: Writable;
  /** Lets go of both; called once. */
  readonly end: () => void;
}

export function joinStreams({ readable, writable, end }: Parts): Duplex {
  const joined = new Duplex({
    allowHalfOpen: false,
    read: () => void readable.resume(),
    write: (bytes: Buffer, _, done) => void writable.write(bytes, done),
    final: (done) => {
      writable.end();
      done();
    },
    destroy: (error, done) => {
      end();
      done(error);
    },
  });
  readable.on('data', (bytes: Buffer) => {
    if (!joined.push(bytes)) readable.pause();
  });
  readable.once('end', () => joined.push(null));
  readable.once('close', () => {
    joined.push(null);
    // What has been read goes to the reader first.
    setImmediate(() => joined.destroy());
  });
  for (const part of new Set<Readable | Writable>([readable, writable])) part.on('error', () => joined.destroy());
  joined.on('error', () => undefined);
  return joined;
}
