import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Document } from 'yaml';
import { findFreePort } from '../../rehearsal/free-port.ts';
import type { RehearsalHost } from '../../rehearsal/host/server.ts';
import { startPrivateRedis } from '../../rehearsal/redis.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 40_000, interval: 50 };
let theatre: Theatre;
/** Of the recipe whose port another process holds. */
let port: number;

/** One stage for all that does not break it: what is wrong has a host or a recipe of its own, beside those of the example. */
beforeAll(async () => {
  port = await findFreePort();
  const elsewhere = await findFreePort();
  theatre = await openTheatre({
    speed: 50,
    adjust: (document, host) => {
      document.setIn(['recipes', 'dflash', 'gpus'], document.createNode([0, 1]));
      addRecipe(document, 'taken', { log: `${host.home}/taken.log` }, port);
      addRecipe(document, 'unwritable', { log: '/proc/no/such/vllm.log' }, elsewhere);
      addHost(document, 'renewed', { known_hosts: writeOtherKey(host) });
      addHost(document, 'locked', { user: `${host.user}-nobody` });
      addHost(document, 'mute', { channel: 'C0RANDOM' });
    },
  });
});

afterAll(() => theatre?.stop());

function addRecipe(document: Document, name: string, change: Record<string, unknown>, itsPort: number): void {
  const { argv, ...own } = document.toJS().recipes.dflash as { argv: unknown[] };
  const words = argv.map((word, index) => (argv[index - 1] === '--port' ? itsPort : word));
  document.setIn(['recipes', name], document.createNode({ ...own, argv: words, gpus: 2, ...change }));
}

function addHost(document: Document, name: string, change: Record<string, unknown>): void {
  document.setIn(['hosts', name], document.createNode({ ...document.toJS().hosts.kpro5, ...change }));
}

/** A known_hosts with another key for the host; returns its path. */
function writeOtherKey(host: RehearsalHost): string {
  const other = ssh2.utils.generateKeyPairSync('ed25519').public.split(' ').slice(0, 2).join(' ');
  const path = `${host.home}/known_hosts`;
  writeFileSync(path, `[127.0.0.1]:${host.port} ${other}\n`);
  return path;
}

/** The thread of the launch, such as 'dflash on kpro5', once it tells the end. */
async function end(launch: string): Promise<string> {
  await vi.waitFor(() => {
    const thread = theatre.threads().find(({ card }) => card.includes(launch));
    expect(thread?.card).toMatch(/^Not started|^Failed/);
    expect(thread?.replies.at(-1)).toMatch(/was not started|failed/);
  }, PATIENCE);
  return theatre.reading(launch);
}

test('an unknown host or recipe is answered with the nearest one, and nothing is written down', async () => {
  expect(await theatre.say('/vllm launch kpro dflash')).toContain('kpro5');
  expect(await theatre.say('/vllm launch kpro5 dfalsh')).toContain('dflash');
  expect(await theatre.say('/vllm lunch kpro5 dflash')).toContain('launch');
  expect(theatre.threads()).toEqual([]);
});

test('where the bot is member of neither channel, nothing starts and the answer says how to invite it', async () => {
  expect(await theatre.say('/vllm launch mute dflash', 'C0RANDOM')).toContain('/invite');
  await vi.waitFor(async () => expect(await theatre.say('/vllm status')).toMatch(/no live run|nothing/i), PATIENCE);
  expect(await theatre.stage.host.starts()).toEqual([]);
});

test('a port that another process holds is refused in the thread, naming the process without its secrets', async () => {
  const listen = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'))`;
  const holder = spawn(process.execPath, ['-e', listen, '--', '--api-key', 'sk-somebody-s-own-key-123']);
  await once(holder.stdout, 'data');
  await theatre.say('/vllm launch kpro5 taken');
  const told = await end('taken on kpro5');
  expect(told).toContain(`port N on kpro5 is in use by pid ${holder.pid}`);
  expect(told).toContain('--api-key');
  expect(told).not.toContain('somebody-s-own-key');
  expect(told).toContain('Nothing was started');
  expect(await theatre.stage.host.starts()).toEqual([]);
  holder.kill();
});

test('a log that can’t be written is refused before anything starts', async () => {
  await theatre.say('/vllm launch kpro5 unwritable');
  const told = await end('unwritable on kpro5');
  expect(told).toContain('/proc/no/such/vllm.log');
  expect(told).toContain("can't be written");
  expect(await theatre.stage.host.starts()).toEqual([]);
});

test('a changed host key is refused with both fingerprints and what to do', async () => {
  await theatre.say('/vllm launch renewed dflash');
  const told = await end('dflash on renewed');
  expect(told).toContain('The host key of renewed has changed');
  expect(told.match(/SHA256:[\w+/]{20,}/g)?.length).toBeGreaterThanOrEqual(2);
  expect(told).toContain('npm run trust-host renewed');
});

test('a host that refuses the key is told with the user and the key that were tried', async () => {
  await theatre.say('/vllm launch locked dflash');
  expect(await end('dflash on locked')).toContain('locked refuses the key: user rehearsal-nobody');
});

test('where the bot is no member the thread goes to the host’s channel, and the private answer says so', async () => {
  const before = theatre.threads().length;
  expect(await theatre.say('/vllm launch kpro5 dflash', 'C0RANDOM')).toContain('I am not in this channel');
  await vi.waitFor(() => expect(theatre.threads()).toHaveLength(before + 1), PATIENCE);
  await vi.waitFor(() => expect(theatre.whispers().at(-1)).toContain('open its thread'), PATIENCE);
});

test('a second launch is refused, naming whose run holds what', async () => {
  await theatre.say('/vllm launch kpro5 dflash');
  const answer = await theatre.say('/vllm launch kpro5 dflash');
  expect(answer).toContain('Refused, nothing was started');
  expect(answer).toMatch(/port \d+/);
  expect(answer).toContain('GPU 0');
  expect(answer).toMatch(/kpro5-\d \(dflash\), you/);
  await vi.waitFor(async () => expect(await theatre.stage.host.starts()).toHaveLength(1), PATIENCE);
});

test('a dead Redis is said at once, and nothing is started', async () => {
  const redis = await startPrivateRedis();
  process.env.REDIS_URL = redis.url;
  let deaf: Theatre | null = null;
  try {
    // A worker whose Redis is gone for good is left by its process alone.
    deaf = await openTheatre({ speed: 50, workers: { standBys: 0 } });
    await redis.signal('SIGKILL');
    expect(await deaf.say('/vllm launch kpro5 dflash')).toContain('Redis does not answer, nothing was started');
    expect(deaf.threads()).toEqual([]);
  } finally {
    delete process.env.REDIS_URL;
    await deaf?.stop();
  }
});
