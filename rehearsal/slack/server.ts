/**
 * A local stand-in for Slack: Web API, Socket Mode, response_urls and a web page of the channels, on 127.0.0.1 only.
 * An unmodified Bolt app connects to it through `slackApiUrl`. It knows nothing of the app under rehearsal.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Answers, ResponseUrls } from './answers.ts';
import { checkBlocks } from './blocks.ts';
import { BodyTooLarge, readBody } from './body.ts';
import { Faults } from './faults.ts';
import { refusal } from './gate.ts';
import { Interactions } from './interactions.ts';
import { Outage } from './outage.ts';
import { Page } from './page.ts';
import { findChannel } from './people.ts';
import { createScene, createWorkspace } from './scene.ts';
import { SocketMode } from './socket-mode.ts';
import type { SlackOptions, SlackStandIn } from './stand-in.ts';
import { RateLimits } from './tiers.ts';
import { WebApi } from './web-api.ts';

const HOST = '127.0.0.1';

export type { SlackOptions, SlackStandIn };

export async function startSlack(options: SlackOptions): Promise<SlackStandIn> {
  let port = options.port ?? 0;
  const origin = (): string => `http://${HOST}:${port}`;
  const now = options.now ?? Date.now;
  const workspace = createWorkspace(options, now);
  const sockets = new SocketMode({
    url: () => `ws://${HOST}:${port}/link`,
    appId: workspace.app.appId,
    onChange: (open) => workspace.announce({ kind: 'connections', open }),
  });
  const scene = createScene(options, { workspace, sockets, origin, now });
  const answers = new Answers(workspace, (blocks) => checkBlocks(blocks, scene.nextId, scene.refuses));
  const urls = new ResponseUrls({ origin, now, answers });
  const interactions = new Interactions({ scene, sockets, answers, urls, ackLimitMs: options.ackLimitMs ?? 3000 });
  const page = new Page({ workspace, sockets, interactions, suggestions: options.suggestions ?? [] });
  const faults = new Faults();
  const outage = new Outage();
  const limits = new RateLimits(options.tiers ?? null, now);
  const botToken = `xoxb-rehearsal-${randomBytes(18).toString('hex')}`;
  const appToken = `xapp-rehearsal-${randomBytes(18).toString('hex')}`;
  const api = new WebApi({ scene, faults, limits, outage, now, botToken, appToken, scopes: options.scopes ?? null });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refused = refusal(request, port);
    if (refused !== null) return end(response, 403, refused);
    const path = new URL(request.url ?? '/', origin()).pathname;
    if (path.startsWith('/api/')) return api.handle(path.slice('/api/'.length), request, response);
    if (path.startsWith('/upload/')) return api.upload(path.slice('/upload/'.length), request, response);
    if (path.startsWith('/response/')) {
      if (outage.meet(response) !== null) return;
      const used = urls.use(path.slice('/response/'.length), JSON.parse(await readBody(request)));
      return end(response, used.status, used.text);
    }
    if (options.page !== false && (await page.handle(path, request, response))) return;
    end(response, 404, `Nothing is served at ${path}.\n`);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return;
      if (error instanceof BodyTooLarge) return end(response, 413, `${error.message}\n`);
      if (error instanceof SyntaxError) return end(response, 400, `body is not JSON: ${error.message}\n`);
      end(response, 500, `the stand-in failed: ${String(error)}\n`);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    // A broken connection closes by itself.
    socket.on('error', () => socket.destroy());
    if (outage.meetConnection(socket)) return;
    const refused = refusal(request, port);
    if (refused === null && request.url?.startsWith('/link?')) return sockets.upgrade(request, socket, head);
    socket.end(`HTTP/1.1 ${refused === null ? '404 Not Found' : '403 Forbidden'}\r\nConnection: close\r\n\r\n`);
  });
  port = await listen(server, port);

  return {
    apiUrl: `${origin()}/api/`,
    pageUrl: `${origin()}/`,
    botToken,
    appToken,
    botUserId: workspace.app.userId,
    command: (input) => interactions.command(input),
    click: (input) => interactions.click(input),
    talk: (input) => interactions.talk(input),
    tell: (event) => interactions.tell(event),
    dialogs: () => workspace.views(),
    choose: (input) => interactions.choose(input),
    submit: (input) => interactions.submit(input),
    dismiss: (input) => interactions.dismiss(input),
    messages: (channel) => workspace.messages(channel),
    ephemerals: () => workspace.ephemerals(),
    views: () => scene.views,
    userName: (id) => workspace.users.get(id)?.name ?? null,
    deleteMessage(channel, ts) {
      const message = workspace.message(channel, ts);
      if (message !== undefined) workspace.remove(message);
    },
    archive(channel, isArchived = true) {
      workspace.keepChannel({ ...findChannel(workspace, channel), isArchived });
    },
    kick(channel) {
      workspace.keepChannel({ ...findChannel(workspace, channel), botIsMember: false });
    },
    invite(channel) {
      workspace.keepChannel({ ...findChannel(workspace, channel), botIsMember: true });
    },
    revoke: () => api.revoke(true),
    restore: () => api.revoke(false),
    outage(kind) {
      outage.begin(kind);
      if (kind === 'silence') sockets.deafen();
      else sockets.cut();
      return () => outage.end();
    },
    shareFiles: (sharing) => scene.files.behave(sharing),
    on: (listener) => workspace.on(listener),
    faults,
    connections: sockets,
    calls: (method) => api.calls(method),
    async stop() {
      faults.clear();
      outage.end();
      scene.files.stop();
      sockets.stop();
      page.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

/** Listens on loopback and says on which port. */
async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the Slack stand-in has no port');
  return address.port;
}
