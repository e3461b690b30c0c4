/** One HTTP request to a server on the host: through SSH forwarding, else by curl on the host. */

import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerAddress } from '../address.ts';
import { authorityOf, loopbackFor } from '../address.ts';
import { CommandFailed, isHostError } from '../errors.ts';
import { type HttpAnswer, type HttpRequest, NotListening } from '../http.ts';
import { CURL_MISSING, CURL_REFUSED, parseCurl, renderCurl } from '../shell/curl.ts';
import { withDeadline } from './deadline.ts';
import { failure, run } from './exec.ts';
import { lost, type Sessions } from './sessions.ts';

interface Call {
  readonly sessions: Sessions;
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
}

const BODY_LIMIT = 4 * 1024 * 1024;
/** Reasons of RFC 4254, section 5.1. */
const PROHIBITED = 1;
const CONNECT_FAILED = 2;

/** Throws NotListening when nothing answers there yet. */
export async function callHttp(call: Call): Promise<HttpAnswer> {
  const { sessions, signal } = call;
  signal.throwIfAborted();
  const address = reachable(call.request.address);
  const ms = call.request.timeoutMs;
  return withDeadline({ signal, ms }, async (limited, isLate) => {
    try {
      const stream = await openStream(sessions, address);
      if (stream === null) return await callByCurl(call, address);
      return await callThrough({ stream, request: call.request, signal: limited });
    } catch (error) {
      signal.throwIfAborted();
      if (isLate()) throw httpFailure(sessions, `no answer within ${ms} ms`, error);
      throw isKnown(error)
        ? error
        : httpFailure(sessions, error instanceof Error ? error.message : String(error), error);
    }
  });
}

/** Told in words for people already. */
function isKnown(error: unknown): boolean {
  return error instanceof NotListening || isHostError(error);
}

/** null where the host allows no forwarding. */
async function openStream(sessions: Sessions, address: ServerAddress): Promise<Duplex | null> {
  try {
    return await sessions.forward(address);
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? error.reason : null;
    if (reason === PROHIBITED) return null;
    // sshd says the same of a socket file that nobody listens on and of one that it may not forward: curl tells them apart.
    if (reason === CONNECT_FAILED && address.kind === 'unix') return null;
    if (reason === CONNECT_FAILED) throw notListening(address, error);
    throw isKnown(error) ? error : lost(sessions.host, error);
  }
}

function callThrough({
  stream,
  request,
  signal,
}: {
  stream: Duplex;
  request: HttpRequest;
  signal: AbortSignal;
}): Promise<HttpAnswer> {
  const { method, path, headers, body, address } = request;
  return new Promise<HttpAnswer>((resolve, reject) => {
    stream.on('error', reject);
    const sent = httpRequest({
      method,
      path,
      headers: { host: authorityOf(address), connection: 'close', ...lengthOf(body), ...headers },
      createConnection: () => stream,
      signal,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > BODY_LIMIT) sent.destroy(new Error(`the answer is longer than ${BODY_LIMIT} bytes`));
        else pieces.push(chunk);
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString('utf8'), by: 'forwarding' });
      });
    });
    sent.end(body ?? undefined);
  }).finally(() => stream.destroy());
}

async function callByCurl({ sessions, request, signal }: Call, address: ServerAddress): Promise<HttpAnswer> {
  const script = renderCurl({ ...request, address });
  try {
    const answer = parseCurl(await run({ sessions, script, signal }));
    if (answer === null) throw failure(sessions, script, 'curl gave no status');
    return { ...answer, by: 'curl' };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (error.exitCode === CURL_REFUSED) throw notListening(address, error);
    if (error.exitCode !== CURL_MISSING) throw error;
    const found = 'the host allows no TCP forwarding and has no curl: allow one of the two';
    throw new CommandFailed({
      host: sessions.host,
      script: script.name,
      exitCode: CURL_MISSING,
      stderr: found,
      cause: error,
    });
  }
}

/** An address that means "all" is reached by loopback. */
function reachable(address: ServerAddress): ServerAddress {
  if (address.kind === 'unix') return address;
  return { ...address, host: loopbackFor(address.host) };
}

function lengthOf(body: string | null): Record<string, string> {
  return body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function notListening(address: ServerAddress, cause: unknown): NotListening {
  const where = address.kind === 'unix' ? address.path : authorityOf(address);
  return new NotListening(`Nothing listens at ${where} on the host.`, { cause });
}

function httpFailure(sessions: Sessions, stderr: string, cause: unknown): CommandFailed {
  return new CommandFailed({ host: sessions.host, script: 'http', exitCode: null, stderr, cause });
}
