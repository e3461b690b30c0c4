/** POST /api/METHOD and the bytes of uploads: outage, faults, limits, token, the method itself, and a record of every call. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, readUpload } from './body.ts';
import type { Fault, Faults } from './faults.ts';
import { chat } from './methods/chat.ts';
import { conversations } from './methods/conversations.ts';
import { files } from './methods/files.ts';
import { type Method, type Scene, SlackError } from './methods/method.ts';
import { others } from './methods/others.ts';
import { people } from './methods/people.ts';
import { views } from './methods/views.ts';
import type { Outage } from './outage.ts';
import { jsonReply, limitReply, type Reply, sendReply, textReply } from './reply.ts';
import type { RateLimits } from './tiers.ts';

export interface ApiCall {
  /** `upload` for the bytes of a file, which go to a URL of their own. */
  readonly method: string;
  /** Form fields as sent (blocks and metadata are JSON text), without the token. */
  readonly args: Readonly<Record<string, string>>;
  /** By the stand-in's clock, ms. */
  readonly at: number;
  /** What became of it: `ok`, Slack's error, an HTTP status, `lost` (carried out, never answered) or `outage`. */
  readonly outcome: string;
  /** The HTTP status that was answered; null for none. */
  readonly status: number | null;
}

interface Setting {
  readonly scene: Scene;
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly outage: Outage;
  readonly now: () => number;
  readonly botToken: string;
  readonly appToken: string;
  /** null = not told. */
  readonly scopes: readonly string[] | null;
}

const UPLOAD = 'upload';
const METHODS = new Map<string, Method>(
  Object.entries({ ...chat, ...conversations, ...files, ...people, ...views, ...others }),
);

type Args = Readonly<Record<string, string>>;

export class WebApi {
  readonly #calls: ApiCall[] = [];
  readonly #setting: Setting;
  #isRevoked = false;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  calls(method?: string): ApiCall[] {
    return this.#calls.filter((call) => method === undefined || call.method === method);
  }

  /** Both tokens are good for nothing from now on, or good again. */
  revoke(isRevoked: boolean): void {
    this.#isRevoked = isRevoked;
  }

  async handle(method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isAway(method, response)) return;
    const fields = new URLSearchParams(await readBody(request));
    const bearer = /^Bearer (?<token>\S+)$/.exec(request.headers.authorization ?? '')?.groups?.token;
    const token = bearer ?? fields.get('token');
    fields.delete('token');
    const args = Object.fromEntries(fields);
    const { scopes } = this.#setting;
    if (scopes !== null) response.setHeader('x-oauth-scopes', scopes.join(','));
    await this.#answer({ method, args, response }, () => jsonReply(this.#run(method, token, args)));
  }

  /** Takes the bytes of a file. */
  async upload(ticket: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isAway(UPLOAD, response)) return;
    const bytes = await readUpload(request);
    await this.#answer({ method: UPLOAD, args: {}, response }, () => {
      const { status, text } = this.#setting.scene.files.receive(ticket, bytes);
      return textReply(status, text);
    });
  }

  async #answer(
    call: { readonly method: string; readonly args: Args; readonly response: ServerResponse },
    carryOut: () => Reply,
  ): Promise<void> {
    const { method, args, response } = call;
    const fault = this.#setting.faults.take(method);
    const refusal = fault === null ? this.#limit(method, args) : refusalOf(fault, method);
    if (refusal !== null) {
      this.#record(method, args, refusal);
      return sendReply(response, refusal);
    }
    const reply = carryOut();
    if (fault?.kind === 'lose') {
      this.#record(method, args, { outcome: reply.outcome === 'ok' ? 'lost' : reply.outcome, status: null });
      return lose(response, fault.how);
    }
    this.#record(method, args, reply);
    if (fault?.kind === 'hold') {
      fault.hold.arrive();
      await fault.hold.released;
    }
    sendReply(response, reply);
  }

  #isAway(method: string, response: ServerResponse): boolean {
    const met = this.#setting.outage.meet(response);
    if (met !== null) this.#record(method, {}, { outcome: 'outage', status: met.status });
    return met !== null;
  }

  #limit(method: string, args: Args): Reply | null {
    const seconds = this.#setting.limits.take(method, args);
    return seconds === null ? null : limitReply(seconds);
  }

  #run(name: string, token: string | null, args: Args): Record<string, unknown> {
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
    if (this.#isRevoked) return 'token_revoked';
    return token === (method.token === 'bot' ? botToken : appToken) ? null : 'not_allowed_token_type';
  }

  #record(method: string, args: Args, { outcome, status }: Pick<ApiCall, 'outcome' | 'status'>): void {
    this.#calls.push({ method, args, at: this.#setting.now(), outcome, status });
  }
}

/** What a fault answers in place of the method, or null if the method is carried out. */
function refusalOf(fault: Fault, method: string): Reply | null {
  switch (fault.kind) {
    case 'limit':
      return limitReply(fault.retryAfterS);
    case 'status':
      return { ...textReply(fault.status, 'upstream error\n'), outcome: String(fault.status) };
    case 'fail':
      return method === UPLOAD ? textReply(400, fault.error) : jsonReply({ ok: false, error: fault.error });
    default:
      return null;
  }
}

/** Silence lasts until the client gives up or the stand-in stops. */
function lose(response: ServerResponse, how: 'cut' | 'silence'): void {
  if (how === 'cut') response.destroy();
}
