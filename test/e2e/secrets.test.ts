import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, expect, test, vi } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { KEY_BODY, KEY_LINES, SAMPLES } from '../support/secrets.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 45_000, interval: 50 };
const SECRET = 'very-private-4711-value';
let theatre: Theatre;

afterEach(() => theatre?.stop());

/** Everything that Redis holds, as text. */
async function redisText(): Promise<string> {
  const redis = new Redis(theatre.stage.redisUrl);
  const parts: string[] = [];
  for await (const keys of redis.scanStream()) {
    for (const key of keys as string[]) parts.push(key, (await redis.dumpBuffer(key))?.toString('latin1') ?? '');
    for (const key of keys as string[]) {
      const type = await redis.type(key);
      if (type === 'hash') parts.push(JSON.stringify(await redis.hgetall(key)));
      if (type === 'stream') parts.push(JSON.stringify(await redis.xrange(key, '-', '+')));
    }
  }
  redis.disconnect();
  return parts.join('\n');
}

/** Command lines of all processes now. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.join('\n');
}

/** All files of the host's run folders but the log, which is vLLM's own. */
async function runFolderText(): Promise<string> {
  const runs = join(theatre.stage.host.home, 'runs');
  const entries = await readdir(runs, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'log');
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}

test('a recipe’s secret reaches the process, and neither Redis, ps, run folders, our logs nor Slack', async () => {
  theatre = await openTheatre({
    speed: 50,
    workers: { standBys: 0 },
    variables: { KPRO5_KEY: SECRET },
    adjust: (document, host) => {
      document.setIn(
        ['recipes', 'dflash', 'environment', 'VLLM_API_KEY'],
        document.createNode({ secret: 'KPRO5_KEY' }),
      );
      document.setIn(['recipes', 'dflash', 'prelude'], `printf '%s' "$VLLM_API_KEY" >"${host.home}/arrived"`);
    },
  });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[0]?.card).toMatch(/^Ready/), PATIENCE);
  expect(await readFile(join(theatre.stage.host.home, 'arrived'), 'utf8')).toBe(SECRET);
  expect(await commandLines()).not.toContain(SECRET);
  expect(await runFolderText()).not.toContain(SECRET);
  expect(await redisText()).not.toContain(SECRET);
  expect(await redisText()).toContain('kpro5-1');
  expect(await readFile(`${theatre.stage.logPath}.workers`, 'utf8')).not.toContain(SECRET);
  expect(JSON.stringify(theatre.stage.slack.calls())).not.toContain(SECRET);
});

test('a log that prints a secret is shown and kept without it', async () => {
  const log = join(makeFolder('leaky'), 'vllm.log');
  const args = `(APIServer pid=7) INFO 11-30 07:00:00 [utils.py:233] non-default args: {'api_key': ['sk-other-1234567890'], 'host': '0.0.0.0'}`;
  const error = `(APIServer pid=7) Traceback (most recent call last):\n(APIServer pid=7)   File "serve.py", line 1, in f\n(APIServer pid=7) ValueError: bad key ${SECRET} <!channel>`;
  await writeFile(log, `${args}\nthe key is ${SECRET}\n${error}\n`);
  theatre = await openTheatre({
    speed: 50,
    workers: { standBys: 0 },
    replay: { log, exit: 1 },
    variables: { KPRO5_KEY: SECRET },
    adjust: (document) =>
      document.setIn(
        ['recipes', 'dflash', 'environment', 'VLLM_API_KEY'],
        document.createNode({ secret: 'KPRO5_KEY' }),
      ),
  });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.at(-1)).toMatch(/failed/), PATIENCE);
  expect(await theatre.say('/vllm logs last')).toContain('the key is [masked]');
  const said = JSON.stringify([theatre.stage.slack.calls(), theatre.whispers()]);
  expect(theatre.reading()).toContain('bad key [masked]');
  for (const text of [said, await redisText()]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('sk-other-1234567890');
  }
  const notified = theatre.stage.slack.messages('C0GPUOPS').flatMap((message) => message.notified);
  expect(notified.every((mention) => JSON.stringify(mention).includes('U0YOU'))).toBe(true);
});

test('a log that holds a secret of every shape gives none of them away, in messages, files and Redis', async () => {
  const log = join(makeFolder('leakier'), 'vllm.log');
  const shown = SAMPLES.map(({ line }) => `(Worker_TP0 pid=8) INFO 11-30 07:00:00 [a.py:1] ${line}`);
  const key = KEY_LINES.map((line) => `(Worker_TP0 pid=8) ${line}`);
  const raised = SAMPLES.slice(0, 12).map(({ line }) => `(EngineCore pid=7) ${line}`);
  const error = [
    '(EngineCore pid=7) Traceback (most recent call last):',
    '(EngineCore pid=7)   File "serve.py", line 1, in f',
    `(EngineCore pid=7) ValueError: ${SAMPLES[0]?.line}`,
    ...raised,
  ];
  await writeFile(log, `${[...shown, ...key, ...error, ...key].join('\n')}\n`);
  theatre = await openTheatre({ speed: 50, workers: { standBys: 0 }, replay: { log, exit: 1 } });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.at(-1)).toMatch(/failed/), PATIENCE);
  await vi.waitFor(() => expect(theatre.stage.slack.calls('upload')).not.toEqual([]), PATIENCE);
  await theatre.say('/vllm logs last');
  await theatre.say('/vllm explain last');
  await theatre.say(`/vllm note last ${SAMPLES[0]?.line}`);
  const said = JSON.stringify([
    theatre.stage.slack.calls(),
    theatre.stage.slack.messages('C0GPUOPS'),
    theatre.whispers(),
  ]);
  const kept = await redisText();
  const secrets = [...SAMPLES.map(({ secret }) => secret), ...KEY_BODY];
  for (const text of [said, kept]) {
    expect(text).toContain('[masked]');
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
  }
});
