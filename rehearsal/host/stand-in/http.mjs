/** uvicorn: listens on a port or a socket file, with TLS where the command has it, and writes the access log. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const maxBodyBytes = 4 * 1024 * 1024;

/** `route` answers; `speaker` writes the access log, or null; `onAnswer` hears of each whole answer. */
export function createHttp({ args, route, speaker, onAnswer }) {
  const handle = (request, response) => void answer(request, response).catch(() => response.destroy());
  const server = args.tls === null ? createServer(handle) : createTlsServer(tlsOptions(args.tls), handle);
  server.keepAliveTimeout = 5_000;

  async function answer(request, response) {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const body = await readBody(request);
    const { method, headers } = request;
    const found = await route({ method, path: pathname, headers, body, signal: gone.signal });
    const { remoteAddress, remotePort } = request.socket;
    // A socket file's client has no address.
    const client = remoteAddress === undefined ? '' : `${remoteAddress}:${remotePort}`;
    await write(response, found, () =>
      speaker?.uvicorn(
        `${client} - "${method} ${pathname}${search} HTTP/1.1" ${found.status} ${response.statusMessage}`,
      ),
    );
    onAnswer({ handler: found.handler, method, status: found.status });
  }

  return {
    listen: (address) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        if (args.uds === null) server.listen(args.port, address, resolve);
        else server.listen(args.uds, resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An answer is logged when its head goes out: a stream's before its first event. */
async function write(response, { status, content, stream, type, headers = {} }, onHead) {
  const kind = stream === undefined ? (type ?? 'application/json') : 'text/event-stream; charset=utf-8';
  response.writeHead(status, { server: 'uvicorn', 'content-type': kind, ...headers });
  onHead();
  if (stream === undefined) {
    response.end(content === null ? '' : typeof content === 'string' ? content : JSON.stringify(content));
    return;
  }
  response.flushHeaders();
  for await (const event of stream) response.write(event);
  response.end();
}

function tlsOptions({ keyFile, certFile, caFile, wantsCertificate }) {
  return {
    ...(keyFile === null ? {} : { key: readFileSync(keyFile) }),
    cert: readFileSync(certFile),
    ...(caFile === null ? {} : { ca: readFileSync(caFile) }),
    requestCert: wantsCertificate,
    rejectUnauthorized: wantsCertificate,
  };
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
