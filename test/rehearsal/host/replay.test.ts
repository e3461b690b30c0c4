import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../../rehearsal/free-port.ts';
import { connect, launch, run, startTestHost } from './connection.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 30_000 });

const patience = { timeout: 20_000, interval: 50 };
const ready = '(APIServer pid=1) INFO:     Application startup complete.\n';
const bars = '\rCapturing CUDA graphs:  55%|█████▍    | 6/11 [00:01<00:01]'.repeat(200);

async function makeLog(content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-log-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'given.log'), content);
  return join(folder, 'given.log');
}

async function play(content: string | Buffer, exit: number | null) {
  const host = await startTestHost({ speed: 100, replay: { log: await makeLog(content), exit } });
  const client = await connect(host);
  const port = await findFreePort();
  await launch(client, { port });
  const played = () => readFile(join(host.home, 'vllm.log')).catch(() => Buffer.alloc(0));
  const status = () => readFile(join(host.home, 'exit'), 'utf8').catch(() => '');
  const asks = async () =>
    (await run(client, `curl -s -o /dev/null -w '%{http_code}' 127.0.0.1:${port}/health`)).stdout.toString();
  return { host, client, played, status, asks };
}

const binary = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256));

test.each<[string, string | Buffer]>([
  ['CR, CR LF and cut characters', `one\r\n\u001b[1;36mtwo\u001b[0m\n${bars}\nno line end`],
  ['binary', binary],
  ['one byte', 'x'],
  ['no bytes', ''],
])('a log of %s is played byte for byte, and its exit code is given back', async (_name, content) => {
  const { host, played, status } = await play(content, 3);
  await vi.waitFor(async () => expect(await status()).toBe('3\n'), patience);
  expect((await played()).equals(Buffer.from(content))).toBe(true);
  expect(await host.starts()).toHaveLength(1);
});

test('a negative exit code is a signal', async () => {
  const { status } = await play('killed\n', -9);
  await vi.waitFor(async () => expect(await status()).toBe('137\n'), patience);
});

test('a log that gets ready answers, adds nothing to the log, and lives until it is stopped', async () => {
  const content = `start\n${ready}${bars}\n`;
  const { host, client, played, status, asks } = await play(content, null);
  await vi.waitFor(async () => expect(await asks()).toBe('200'), patience);
  await vi.waitFor(async () => expect((await played()).toString()).toBe(content), patience);
  expect(await status()).toBe('');
  const [start] = await host.starts();
  await run(client, `kill -TERM ${start?.pid}`);
  await vi.waitFor(async () => expect(await status()).toBe('0\n'), patience);
  expect((await played()).toString()).toBe(content);
});

test.each([
  ['unfinished', 'start\nLoading'],
  ['ready, then [Errno 98]', `${ready}OSError: [Errno 98] Address already in use\n`],
])('a log that is %s stays alive and never answers', async (_name, content) => {
  const { played, status, asks } = await play(content, null);
  await vi.waitFor(async () => expect((await played()).toString()).toBe(content), patience);
  expect([await status(), await asks()]).toEqual(['', '000']);
});
