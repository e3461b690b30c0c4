/** TCP ports of this machine that nobody listens on. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections (Linux: 32768 on, others: 49152 on): none of those takes it meanwhile. */
const [FIRST, LAST] = [12_000, 32_000];
const TRIES = 50;

/** One on 127.0.0.1, closed again: another process could still take it. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`found no free port on 127.0.0.1 in ${TRIES} tries between ${FIRST} and ${LAST}`);
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
