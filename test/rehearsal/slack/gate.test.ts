import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type SlackStandIn, startSlack } from '../../../rehearsal/slack/server.ts';

let slack: SlackStandIn;
beforeAll(async () => {
  slack = await startSlack({
    channels: [{ id: 'C0OPS', name: 'ops', botIsMember: true }],
    users: [{ id: 'U0ALICE', name: 'alice', kind: 'member' }],
  });
});
afterAll(() => slack.stop());

/** node:http, since fetch won't send a Host of one's own. */
function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, slack.pageUrl), { method, headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    call.end(
      method === 'POST'
        ? JSON.stringify({ user: 'U0ALICE', channel: 'C0OPS', thread: null, text: 'hello' })
        : undefined,
    );
  });
}
const port = () => new URL(slack.pageUrl).port;

test.each(['/', '/page/state', '/page/changes', '/api/auth.test'])(
  '%s is refused to a foreign Host or Origin',
  async (path) => {
    expect(await ask(path, { host: `rebound.example:${port()}` })).toBe(403);
    expect(await ask(path, { origin: 'http://evil.example' })).toBe(403);
    expect(await ask(path, { origin: 'null' })).toBe(403);
  },
);

test('localhost and 127.0.0.1 are both welcome', async () => {
  expect(await ask('/', { host: `localhost:${port()}` })).toBe(200);
  expect(await ask('/', { host: `127.0.0.1:${port()}`, origin: `http://127.0.0.1:${port()}` })).toBe(200);
  expect(await ask('/', { host: '127.0.0.1:1' })).toBe(403);
});

test('a post of another site changes nothing', async () => {
  expect(await ask('/page/type', { origin: 'http://evil.example' }, 'POST')).toBe(403);
  expect(slack.messages('C0OPS')).toEqual([]);
  expect(await ask('/page/type', { origin: `http://localhost:${port()}` }, 'POST')).toBe(200);
  expect(slack.messages('C0OPS')).toMatchObject([{ text: 'hello' }]);
});

test('a WebSocket needs our own Host and Origin, and a ticket', async () => {
  const connect = (headers: Record<string, string>, ticket = 'none') =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port()}/link?ticket=${ticket}`, { headers });
      socket.on('open', () => resolve('open'));
      socket.on('error', (error) => resolve(error.message));
    });
  expect(await connect({ origin: 'http://evil.example' })).toContain('403');
  expect(await connect({ host: 'rebound.example' })).toContain('403');
  expect(await connect({})).toContain('401');
});
