/** The bot's health answer, for a supervisor on the same machine. */

import { once } from 'node:events';
import { createServer } from 'node:http';

/** Opens http://127.0.0.1:PORT/healthz: 200 while `isHealthy`, else 503. Rejects when the port is taken. */
export async function openHealth(port: number, isHealthy: () => boolean): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const status = request.url !== '/healthz' ? 404 : isHealthy() ? 200 : 503;
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status === 200 ? 'ok' : 'not ok'}\n`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}
