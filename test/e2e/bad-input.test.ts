import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import ssh2 from 'ssh2';
import { afterEach, expect, test, vi } from 'vitest';
import { startPrivateRedis } from '../../rehearsal/redis.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 40_000, interval: 50 };
let theatre: Theatre;

afterEach(() => theatre?.stop());

/** The newest thread once it tells the end. */
async function end(): Promise<string> {
  await vi.waitFor(() => {
    expect(theatre.threads().at(-1)?.card).toMatch(/^Not started|^Failed/);
    expect(theatre.threads().at(-1)?.replies.at(-1)).toMatch(/was not started|failed/);
  }, PATIENCE);
  return theatre.reading();
}

test('an unknown host or recipe is answered with the nearest one, and nothing is written down', async () => {
  theatre = await openTheatre({ speed: 50 });
  expect(await theatre.say('/vllm launch kpro dflash')).toContain('kpro5');
  expect(await theatre.say('/vllm launch kpro5 dfalsh')).toContain('dflash');
  expect(await theatre.say('/vllm lunch kpro5 dflash')).toContain('launch');
  expect(theatre.threads()).toEqual([]);
});

test('a second launch is refused, naming whose run holds what', async () => {
  theatre = await openTheatre({
    speed: 50,
    adjust: (document) => document.setIn(['recipes', 'dflash', 'gpus'], document.createNode([0, 1])),
  });
  await theatre.say('/vllm launch kpro5 dflash');
  const answer = await theatre.say('/vllm launch kpro5 dflash');
  expect(answer).toContain('Refused, nothing was started');
  expect(answer).toMatch(/port \d+/);
  expect(answer).toContain('GPU 0');
  expect(answer).toContain('kpro5-1');
  expect(answer).toContain('you');
  await vi.waitFor(async () => expect(await theatre.stage.host.starts()).toHaveLength(1), PATIENCE);
});

test('a port that another process holds is refused in the thread, naming the process without its secrets', async () => {
  theatre = await openTheatre({ speed: 50 });
  const yaml = await readFile(theatre.stage.configPath, 'utf8');
  const port = Number(/--port\n\s+- "?(\d+)/.exec(yaml)?.[1]);
  const listen = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'))`;
  const holder = spawn(process.execPath, ['-e', listen, '--', '--api-key', 'sk-somebody-s-own-key-123']);
  await once(holder.stdout, 'data');
  await theatre.say('/vllm launch kpro5 dflash');
  const told = await end();
  expect(told).toContain(`port N on kpro5 is in use by pid ${holder.pid}`);
  expect(told).toContain('--api-key');
  expect(told).not.toContain('somebody-s-own-key');
  expect(told).toContain('Nothing was started');
  expect(await theatre.stage.host.starts()).toEqual([]);
  holder.kill();
});

test('a changed host key is refused with both fingerprints and what to do', async () => {
  theatre = await openTheatre({
    speed: 50,
    adjust: (document, host) => {
      const other = ssh2.utils.generateKeyPairSync('ed25519').public.split(' ').slice(0, 2).join(' ');
      const path = `${host.home}/known_hosts`;
      mkdirSync(host.home, { recursive: true });
      void writeFile(path, `[127.0.0.1]:${host.port} ${other}\n`);
      document.setIn(['hosts', 'kpro5', 'known_hosts'], path);
    },
  });
  await theatre.say('/vllm launch kpro5 dflash');
  const told = await end();
  expect(told).toContain('The host key of kpro5 has changed');
  expect(told.match(/SHA256:[\w+/]{20,}/g)?.length).toBeGreaterThanOrEqual(2);
  expect(told).toContain('npm run trust-host kpro5');
});

test('a host that refuses the key is told with the user and the key that were tried', async () => {
  theatre = await openTheatre({
    speed: 50,
    adjust: (document, host) => document.setIn(['hosts', 'kpro5', 'user'], `${host.user}-nobody`),
  });
  await theatre.say('/vllm launch kpro5 dflash');
  expect(await end()).toContain('kpro5 refuses the key: user rehearsal-nobody');
});

test('a log that can’t be written is refused before anything starts', async () => {
  theatre = await openTheatre({
    speed: 50,
    adjust: (document) => document.setIn(['recipes', 'dflash', 'log'], '/proc/no/such/vllm.log'),
  });
  await theatre.say('/vllm launch kpro5 dflash');
  const told = await end();
  expect(told).toContain('/proc/no/such/vllm.log');
  expect(told).toContain("can't be written");
  expect(await theatre.stage.host.starts()).toEqual([]);
});

test('where the bot is no member the thread goes to the host’s channel, and the private answer says so', async () => {
  theatre = await openTheatre({ speed: 50 });
  expect(await theatre.say('/vllm launch kpro5 dflash', 'C0RANDOM')).toContain('I am not in this channel');
  await vi.waitFor(() => expect(theatre.threads()).toHaveLength(1), PATIENCE);
  await vi.waitFor(() => expect(theatre.whispers().at(-1)).toContain('open its thread'), PATIENCE);
});

test('where it is a member of neither, nothing starts and the answer says how to invite it', async () => {
  theatre = await openTheatre({
    speed: 50,
    adjust: (document) => document.setIn(['hosts', 'kpro5', 'channel'], 'C0RANDOM'),
  });
  expect(await theatre.say('/vllm launch kpro5 dflash', 'C0RANDOM')).toContain('/invite');
  await vi.waitFor(async () => expect(await theatre.say('/vllm status')).toMatch(/no live run|nothing/i), PATIENCE);
  expect(await theatre.stage.host.starts()).toEqual([]);
});

test('a dead Redis is said at once, and nothing is started', async () => {
  const redis = await startPrivateRedis();
  process.env.REDIS_URL = redis.url;
  try {
    theatre = await openTheatre({ speed: 50 });
    await redis.signal('SIGKILL');
    expect(await theatre.say('/vllm launch kpro5 dflash')).toContain('Redis does not answer, nothing was started');
    expect(theatre.threads()).toEqual([]);
  } finally {
    delete process.env.REDIS_URL;
  }
});
