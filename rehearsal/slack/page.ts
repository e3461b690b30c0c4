/** The web page: its files, the state it starts from, a live stream of changes, and what a person does on it. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { readBody } from './body.ts';
import type { Interactions } from './interactions.ts';
import type { Change } from './records.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Workspace } from './workspace.ts';

const FILES: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: 'index.html', type: 'text/html' },
  '/page/style.css': { file: 'style.css', type: 'text/css' },
  '/page/main.js': { file: 'main.js', type: 'text/javascript' },
  '/page/state.js': { file: 'state.js', type: 'text/javascript' },
  '/page/messages.js': { file: 'messages.js', type: 'text/javascript' },
  '/page/blocks.js': { file: 'blocks.js', type: 'text/javascript' },
  '/page/mrkdwn.js': { file: 'mrkdwn.js', type: 'text/javascript' },
  '/page/emoji.js': { file: 'emoji.js', type: 'text/javascript' },
  '/page/dom.js': { file: 'dom.js', type: 'text/javascript' },
  '/page/composer.js': { file: 'composer.js', type: 'text/javascript' },
};

/** Nothing from elsewhere, no inline script, no frame around it. */
const HEADERS = {
  'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const typed = z.strictObject({ user: z.string(), channel: z.string(), text: z.string().trim().min(1).max(12_000) });
const pressed = z.strictObject({ user: z.string(), channel: z.string(), ts: z.string(), actionId: z.string() });

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
    const route = `${request.method} ${path}`;
    if (route === 'GET /page/state') sendJson(response, 200, this.#state());
    else if (route === 'GET /page/changes') this.#stream(response);
    else if (route === 'POST /page/type') await this.#type(request, response);
    else if (route === 'POST /page/click') await this.#click(request, response);
    else return this.#file(path.startsWith('/archives/') ? '/' : path, request, response);
    return true;
  }

  stop(): void {
    for (const stream of this.#streams) stream.end();
    // A connection that closes later has nobody to be told to.
    this.#streams.clear();
  }

  async #file(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const entry = FILES[path];
    if (entry === undefined || request.method !== 'GET') return false;
    const bytes = await readFile(new URL(`./page/${entry.file}`, import.meta.url));
    response.writeHead(200, { ...HEADERS, 'content-type': `${entry.type}; charset=utf-8` }).end(bytes);
    return true;
  }

  #state(): Record<string, unknown> {
    const { workspace, sockets, suggestions } = this.#setting;
    const channels = [...workspace.channels.values()];
    return {
      app: workspace.app,
      channels,
      users: [...workspace.users.values()],
      messages: channels.flatMap((channel) => workspace.messages(channel.id)),
      ephemerals: workspace.ephemerals(),
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

  /** A command goes to the app; anything else is a person's message, which the app does not hear. */
  async #type(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = typed.safeParse(await readJson(request));
    if (!input.success) return sendJson(response, 400, { error: z.prettifyError(input.error) });
    const { user, channel, text } = input.data;
    if (text.startsWith('/')) return this.#act(response, () => this.#setting.interactions.command(input.data));
    const content = { text: escapeMarkup(text), blocks: [], metadata: null };
    const message = { channel, thread: null, broadcast: false, author: user, ...content };
    return this.#act(response, async () => this.#setting.workspace.post(message));
  }

  async #click(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = pressed.safeParse(await readJson(request));
    if (!input.success) return sendJson(response, 400, { error: z.prettifyError(input.error) });
    return this.#act(response, () => this.#setting.interactions.click(input.data));
  }

  async #act(response: ServerResponse, action: () => Promise<unknown>): Promise<void> {
    try {
      sendJson(response, 200, await action());
    } catch (error) {
      sendJson(response, 409, { error: error instanceof Error ? error.message : String(error) });
    }
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

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
