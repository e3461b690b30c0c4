/** TCP ports of this machine that nobody listens on. */
import { createServer } from 'node:net';

/** One on 127.0.0.1 that the system chose; closed again, so another process could take it meanwhile. */
export async function findFreePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === null) throw new Error('the system gave no free port on 127.0.0.1');
  return port;
}

export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null;
}

/** The port that could be listened on, closed again; null where it is taken. */
function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
