/** The bot's health answer, for a supervisor on the same machine. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** Opens http://127.0.0.1:PORT/healthz; `trouble` says why Vigil is not well, or null. Rejects when the port is taken. */
export async function openHealth(port: number, trouble: () => string | null): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') answerHealth(response, trouble());
    else response.writeHead(404, TEXT).end('not found\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** 200 where all is well, else 503 with the reason. */
export function answerHealth(response: ServerResponse, trouble: string | null): void {
  response.writeHead(trouble === null ? 200 : 503, TEXT).end(trouble === null ? 'ok\n' : `not ok: ${trouble}\n`);
}
