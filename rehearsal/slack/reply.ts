/** Answers over HTTP, and what is remembered of them. */
import type { ServerResponse } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `ok`, Slack's error, or an HTTP status. */
  readonly outcome: string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** A method's answer: {ok, …}. */
export function jsonReply(answer: Readonly<Record<string, unknown>>): Reply {
  const outcome = answer.ok === true ? 'ok' : String(answer.error);
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify(answer), outcome };
}

/** HTTP 429. */
export function limitReply(retryAfterS: number): Reply {
  const headers = { ...JSON_TYPE, 'retry-after': String(retryAfterS) };
  return { ...jsonReply({ ok: false, error: 'ratelimited' }), status: 429, headers };
}

/** Plain words; what isn't 200 is remembered by them. */
export function textReply(status: number, text: string): Reply {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: text, outcome: status === 200 ? 'ok' : text };
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body);
}
