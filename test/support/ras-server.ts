/** A TCP server on loopback that speaks as NCCL's RAS does. */

import { createServer, type Server } from 'node:net';
import { afterAll } from 'vitest';

/** Of two ranks, the second of which is behind. */
export const RAS_ANSWER = `SERVER PROTOCOL 2
NCCL version 2.28.9 compiled with CUDA 13.0

Warnings
========

#0-0 (c5166918fae42a69) MISMATCH
  Communicator ranks have different AllReduce operation counts
  Rank 0 has launched up to operation 93 -- GPU 0 managed by process 1182 on node 192.0.2.2
  Rank 1 has launched up to operation 90 -- GPU 1 managed by process 1183 on node 192.0.2.2
`;

/**
 * Answers once the whole question has come, and closes; with `keepsOpen` it does not close. Whoever closes his own side first gets nothing.
 * It ends with the tests of the file.
 */
export async function openRasServer(answer = RAS_ANSWER, { keepsOpen = false } = {}): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    let heard = '';
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      heard += bytes.toString();
      if (heard !== 'CLIENT PROTOCOL 2\nVERBOSE STATUS\n') return;
      if (keepsOpen) socket.write(answer);
      // A moment later, as RAS asks the other ranks first.
      else setTimeout(() => socket.end(answer), 50);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
