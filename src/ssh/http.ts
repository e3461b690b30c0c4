/** One HTTP request to a server on the host: through SSH forwarding, else by curl on the host. */

import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { ServerAddress } from '../address.ts';
import { authorityOf, loopbackFor } from '../address.ts';
import { CommandFailed, HostUnreachable, isHostError } from '../errors.ts';
import { type HttpAnswer, type HttpRequest, NotListening } from '../http.ts';
import { CURL_MISSING, CURL_REFUSED, parseCurl, renderCurl } from '../shell/curl.ts';
import { withDeadline } from './deadline.ts';
import { failure, run } from './exec.ts';
import { untilOpen } from './release.ts';
import { lost, type Sessions } from './sessions.ts';

interface Call {
  readonly sessions: Sessions;
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
}

const BODY_LIMIT = 4 * 1024 * 1024;
/** A host that is gone is known as such before (ssh/limits.ts), ms. */
const HOST_MS = 30_000;
/** Reasons of RFC 4254, section 5.1. */
const PROHIBITED = 1;
const CONNECT_FAILED = 2;

/** Throws NotListening when nothing answers there yet. */
export async function callHttp(call: Call): Promise<HttpAnswer> {
  const { sessions, signal } = call;
  signal.throwIfAborted();
  const address = reachable(call.request.address);
  const ms = call.request.timeoutMs;
  // The way to the host has limits of its own, and tells better than the request's why there is none.
  await untilOpen(sessions.prepare(), signal, () => undefined);
  return withDeadline({ signal, ms }, async (limited, isLate) => {
    try {
      const stream = await openStream(sessions, address, limited);
      if (stream === null) return await callByCurl(call, address);
      return await callThrough({ stream, request: call.request, signal: limited }).catch((error: unknown) => {
        throw sessions.isCut(stream) ? lost(sessions.host, error) : error;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HostUnreachable) throw error;
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
async function openStream(sessions: Sessions, address: ServerAddress, signal: AbortSignal): Promise<Duplex | null> {
  try {
    return await untilOpen(sessions.forward(address), signal, (late) => late.destroy());
  } catch (error) {
    // sshd answers at once, whatever the server does.
    if (signal.aborted) throw new HostUnreachable(sessions.host, `${sessions.host} did not open a way to its server.`);
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
    const line = request.tls === true ? encrypted(stream) : stream;
    line.on('error', reject);
    const sent = httpRequest({
      method,
      path,
      headers: { host: authorityOf(address), connection: 'close', ...lengthOf(body), ...headers },
      createConnection: () => line,
      signal,
    });
    let asked = performance.now();
    let firstMs: number | null = null;
    const since = () => performance.now() - asked;
    // With TLS that is after the handshake.
    sent.on('finish', () => {
      asked = performance.now();
    });
    sent.on('error', reject);
    // Nobody asked for it, and Node would wait for ever.
    sent.on('upgrade', () => reject(new Error('what answers speaks no HTTP any more')));
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        firstMs ??= since();
        size += chunk.length;
        if (size <= BODY_LIMIT) return void pieces.push(chunk);
        reject(new Error(`the answer is longer than ${BODY_LIMIT} bytes`));
        sent.destroy();
      });
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        resolve({ status, body: Buffer.concat(pieces).toString('utf8'), by: 'forwarding', firstMs, totalMs: since() });
      });
    });
    sent.end(body ?? undefined);
  }).finally(() => stream.destroy());
}

/**
 * Its certificate is not checked: it is of the team's own making as a rule, and names another address than the one that is asked. Nobody can
 * come between: SSH has checked the host's key, and no API key is sent before the listener is known to be the run's.
 */
function encrypted(stream: Duplex): TLSSocket {
  return connectTls({ socket: stream, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
}

async function callByCurl({ sessions, request, signal }: Call, address: ServerAddress): Promise<HttpAnswer> {
  const script = renderCurl({ ...request, address });
  try {
    // curl keeps to the limit by itself: what takes much longer is the host's fault.
    const answer = parseCurl(await run({ sessions, script, signal, ms: request.timeoutMs + HOST_MS }));
    if (answer === null) throw failure(sessions, script, 'curl gave no status');
    return { ...answer, by: 'curl', firstMs: null };
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
