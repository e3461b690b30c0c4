/** The web page: its files, the state it starts from, a live stream of changes, and what a person does on it. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { readBody } from './body.ts';
import type { Interactions } from './interactions.ts';
import type { Change } from './records.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Workspace } from './workspace.ts';

/** Files of the page by their ending; the page itself is at /. */
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const FILE = /^\/page\/(?<name>[a-z-]{1,40}\.(?<ending>css|js))$/;

/** Nothing from elsewhere, no inline script, no frame around it. */
const HEADERS = {
  'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const typed = z.strictObject({
  user: z.string(),
  channel: z.string(),
  /** The root's ts, for a reply. */
  thread: z.string().nullable(),
  text: z.string().trim().min(1).max(12_000),
});
const pressed = z.strictObject({ user: z.string(), channel: z.string(), ts: z.string(), actionId: z.string() });
const inView = { user: z.string(), viewId: z.string() };
/** By block_id and action_id, as view.state.values. */
const values = z.record(z.string(), z.record(z.string(), z.unknown()));
const chosen = z.strictObject({ ...inView, actionId: z.string(), value: z.string(), values });
const submitted = z.strictObject({ ...inView, values });
const dismissed = z.strictObject(inView);

interface Setting {
  readonly workspace: Workspace;
  readonly sockets: SocketMode;
  readonly interactions: Interactions;
  /** Commands that a person may try: shown as hints. */
  readonly suggestions: readonly string[];
}

export class Page {
  readonly #setting: Setting;
  readonly #streams = new Set<ServerResponse>();

  constructor(setting: Setting) {
    this.#setting = setting;
    setting.workspace.on((change) => this.#broadcast(change));
  }

  /** Answers a request of the page; false if the path isn't the page's. */
  async handle(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { interactions } = this.#setting;
    const take = <T>(schema: z.ZodType<T>, action: (input: T) => Promise<unknown>): Promise<void> =>
      act({ request, response, schema, action });
    const route = `${request.method} ${path}`;
    if (route === 'GET /page/state') sendJson(response, 200, this.#state());
    else if (route === 'GET /page/changes') this.#stream(response);
    else if (route === 'POST /page/type') await take(typed, (input) => this.#type(input));
    else if (route === 'POST /page/click') await take(pressed, (input) => interactions.click(input));
    else if (route === 'POST /page/choose') await take(chosen, (input) => interactions.choose(input));
    else if (route === 'POST /page/submit') await take(submitted, (input) => interactions.submit(input));
    else if (route === 'POST /page/dismiss') await take(dismissed, (input) => interactions.dismiss(input));
    else return this.#file(path, request, response);
    return true;
  }

  stop(): void {
    for (const stream of this.#streams) stream.end();
    // A connection that closes later has nobody to be told to.
    this.#streams.clear();
  }

  async #file(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { name, ending } = nameOf(path);
    if (name === undefined || request.method !== 'GET') return false;
    const bytes = await readFile(new URL(`./page/${name}`, import.meta.url)).catch(() => null);
    if (bytes === null) return false;
    response.writeHead(200, { ...HEADERS, 'content-type': `${TYPES[ending]}; charset=utf-8` }).end(bytes);
    return true;
  }

  #state(): Record<string, unknown> {
    const { workspace, sockets, suggestions } = this.#setting;
    const channels = [...workspace.channels.values()];
    return {
      app: workspace.app,
      channels,
      users: [...workspace.users.values()],
      groups: [...workspace.groups.values()],
      messages: channels.flatMap((channel) => workspace.messages(channel.id)),
      ephemerals: workspace.ephemerals(),
      views: workspace.views(),
      connections: sockets.open,
      suggestions,
    };
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    // Chromium hands an event source its first event only after some bytes have arrived.
    response.write(': open\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #broadcast(change: Change): void {
    for (const stream of this.#streams) stream.write(`data: ${JSON.stringify(change)}\n\n`);
  }

  /** A command goes to the app, but not from a thread; anything else is said, and the app hears it where it is mentioned. */
  async #type({ thread, ...said }: z.output<typeof typed>): Promise<unknown> {
    const { interactions, workspace } = this.#setting;
    const { user, channel, text } = said;
    if (!text.startsWith('/')) return interactions.talk({ ...said, ...(thread !== null && { thread }) });
    if (thread === null) return interactions.command(said);
    const refusal = `${text.split(/\s/, 1)[0]} is not supported in threads. Sorry!`;
    workspace.show({ channel, user, thread, source: 'slack', text: refusal, blocks: [] });
    return null;
  }
}

/** A permalink opens the page, which looks at the address by itself. */
function nameOf(path: string): { name?: string; ending: string } {
  if (path === '/' || path.startsWith('/archives/')) return { name: 'index.html', ending: 'html' };
  const { name, ending = '' } = FILE.exec(path)?.groups ?? {};
  return name === undefined ? { ending } : { name, ending };
}

/** Carries out what a person did; what they sent amiss is answered with 400, what can't be done with 409. */
async function act<T>(deed: {
  request: IncomingMessage;
  response: ServerResponse;
  schema: z.ZodType<T>;
  action: (input: T) => Promise<unknown>;
}): Promise<void> {
  const { request, response, schema, action } = deed;
  const input = schema.safeParse(await readJson(request));
  if (!input.success) return sendJson(response, 400, { error: z.prettifyError(input.error) });
  try {
    sendJson(response, 200, (await action(input.data)) ?? null);
  } catch (error) {
    sendJson(response, 409, { error: error instanceof Error ? error.message : String(error) });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  try {
    return JSON.parse(body);
  } catch {
    // The schema says what was expected instead.
    return null;
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(value));
}
