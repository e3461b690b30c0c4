/** How a server is asked: at the address of its run's request, never at one that a log named, with its key only where that is wanted. */

import type { ServerAddress } from '../../address.ts';
import { CommandFailed } from '../../errors.ts';
import type { HttpAnswer } from '../../http.ts';
import { CURL_MISSING } from '../../shell/curl.ts';
import type { Host } from '../../tools.ts';
import type { Unanswered } from '../../verify/answers.ts';
import { pathsOf } from '../../verify/probes.ts';
import type { Serving } from '../../verify/serving.ts';

export interface Server {
  readonly host: Pick<Host, 'http'>;
  /** Of the run's request. */
  readonly address: ServerAddress;
  readonly serving: Pick<Serving, 'scheme' | 'rootPath'>;
  /** null where nobody knows one, or the listener is not known to be the run's yet. */
  readonly apiKey: string | null;
  readonly signal: AbortSignal;
}

export interface ServerQuestion {
  /** Without `--root-path`. */
  readonly path: string;
  /** JSON; with one it is a POST. */
  readonly body?: string;
  /** Limit, ms. */
  readonly ms: number;
}

/** vLLM asks for its key there alone. */
const GUARDED = /^\/(?:v1|v2|inference|cohere)\//;

/** Throws NotListening, and what Host.http throws. */
export async function askServer(server: Server, { path, body, ms }: ServerQuestion): Promise<HttpAnswer> {
  const { host, address, serving, apiKey, signal } = server;
  const ask = (at: string) =>
    host.http(
      {
        ...{ address, path: at, timeoutMs: ms },
        ...(body === undefined ? { method: 'GET', body: null } : { method: 'POST', body }),
        ...(serving.scheme === 'https' ? { tls: true } : {}),
        headers: {
          ...(apiKey !== null && GUARDED.test(path) ? { authorization: `Bearer ${apiKey}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      signal,
    );
  const [first = path, ...others] = pathsOf(path, serving);
  let answer = await ask(first);
  for (const other of others) if (answer.status === 404) answer = await ask(other);
  return answer;
}

/** Unanswered where nothing came in time, or what came is no answer. Throws NotListening, and what Host.http throws of a host. */
export async function tryServer(server: Server, question: ServerQuestion): Promise<HttpAnswer | Unanswered> {
  try {
    return await askServer(server, question);
  } catch (error) {
    // Without curl a host can't ask any server: that is no answer of this one.
    if (!(error instanceof CommandFailed) || error.exitCode === CURL_MISSING || server.signal.aborted) throw error;
    return { why: error.stderr.trim().split('\n').at(-1) || 'no answer' };
  }
}
