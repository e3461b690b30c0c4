/** POST /api/METHOD: token, faults, the method itself, and a record of every call. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './body.ts';
import type { Fault, Faults } from './faults.ts';
import { chat } from './methods/chat.ts';
import { conversations } from './methods/conversations.ts';
import { type Method, type Scene, SlackError } from './methods/method.ts';
import { others } from './methods/others.ts';

export interface ApiCall {
  readonly method: string;
  /** Form fields as sent (blocks and metadata are JSON text), without the token. */
  readonly args: Readonly<Record<string, string>>;
  readonly at: number;
  /** What became of it: `ok`, Slack's error, an HTTP status, or `lost` (carried out, never answered). */
  readonly outcome: string;
}

const METHODS = new Map<string, Method>(Object.entries({ ...chat, ...conversations, ...others }));

export class WebApi {
  readonly #calls: ApiCall[] = [];
  readonly #setting: { scene: Scene; faults: Faults; botToken: string; appToken: string };

  constructor(setting: { scene: Scene; faults: Faults; botToken: string; appToken: string }) {
    this.#setting = setting;
  }

  calls(method?: string): ApiCall[] {
    return this.#calls.filter((call) => method === undefined || call.method === method);
  }

  async handle(method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = new URLSearchParams(await readBody(request));
    const bearer = /^Bearer (?<token>\S+)$/.exec(request.headers.authorization ?? '')?.groups?.token;
    const token = bearer ?? fields.get('token');
    fields.delete('token');
    const args = Object.fromEntries(fields);
    const fault = this.#setting.faults.take(method);
    if (fault !== null && isRefused(fault)) {
      this.#record(method, args, outcomeOf(fault));
      return refuse(response, fault);
    }
    const answer = this.#run(method, token, args);
    const outcome = answer.ok === true ? 'ok' : String(answer.error);
    this.#record(method, args, fault?.kind === 'lose' && answer.ok === true ? 'lost' : outcome);
    if (fault?.kind === 'lose') return lose(response, fault.how);
    if (fault?.kind === 'hold') {
      fault.hold.arrive();
      await fault.hold.released;
    }
    sendJson(response, answer);
  }

  #run(name: string, token: string | null, args: Readonly<Record<string, string>>): Record<string, unknown> {
    const method = METHODS.get(name);
    if (method === undefined) return { ok: false, error: 'unknown_method', req_method: name };
    const denial = this.#deny(method, token);
    if (denial !== null) return { ok: false, error: denial };
    try {
      return { ok: true, ...method.run(args, this.#setting.scene) };
    } catch (error) {
      if (error instanceof SlackError) return { ok: false, error: error.code, ...error.extra };
      throw error;
    }
  }

  #deny(method: Method, token: string | null): string | null {
    const { botToken, appToken } = this.#setting;
    if (token === null) return 'not_authed';
    if (token !== botToken && token !== appToken) return 'invalid_auth';
    return token === (method.token === 'bot' ? botToken : appToken) ? null : 'not_allowed_token_type';
  }

  #record(method: string, args: Readonly<Record<string, string>>, outcome: string): void {
    this.#calls.push({ method, args, at: Date.now(), outcome });
  }
}

type Refusing = Extract<Fault, { kind: 'limit' | 'fail' | 'status' }>;

function isRefused(fault: Fault): fault is Refusing {
  return fault.kind === 'limit' || fault.kind === 'fail' || fault.kind === 'status';
}

function outcomeOf(fault: Refusing): string {
  if (fault.kind === 'fail') return fault.error;
  return fault.kind === 'limit' ? 'ratelimited' : String(fault.status);
}

function refuse(response: ServerResponse, fault: Refusing): void {
  if (fault.kind === 'fail') {
    sendJson(response, { ok: false, error: fault.error });
    return;
  }
  if (fault.kind === 'status') {
    response.writeHead(fault.status, { 'content-type': 'text/plain' }).end('upstream error\n');
    return;
  }
  const headers = { 'retry-after': String(fault.retryAfterS), 'content-type': 'application/json' };
  response.writeHead(429, headers).end(JSON.stringify({ ok: false, error: 'ratelimited' }));
}

/** Silence lasts until the client gives up or the stand-in stops. */
function lose(response: ServerResponse, how: 'cut' | 'silence'): void {
  if (how === 'cut') response.destroy();
}

function sendJson(response: ServerResponse, answer: Record<string, unknown>): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer));
}
