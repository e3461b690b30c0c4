import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { Client } from 'ssh2';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../../rehearsal/free-port.ts';
import type { RehearsalHost } from '../../../rehearsal/host/server.ts';
import { connect, launch, readHome, run, startTestHost } from './connection.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 30_000 });

const patience = { timeout: 20_000, interval: 50 };

test('a good start: its log, its answers, its GPU memory, and one line in the ledger', async () => {
  const host = await startTestHost({ scenario: 'good' });
  const client = await connect(host);
  const port = await findFreePort();
  await launch(client, { port, flags: '--api-key s3cret --served-model-name served' });
  await readyLog(host);

  const [start, ...others] = await host.starts();
  expect(others).toEqual([]);
  expect(start?.argv.slice(0, 4)).toEqual(['serve', '/models/target', '--port', String(port)]);

  const main = start?.pid ?? 0;
  expect(await forward(client, { port, path: '/v1/models' })).toMatchObject({ status: 401 });
  const headers = { authorization: 'Bearer s3cret' };
  expect((await forward(client, { port, path: '/v1/models', headers })).body).toContain('"id":"served"');
  expect(await forward(client, { port, path: '/health' })).toEqual({ status: 200, body: '' });
  const asked = JSON.stringify({ model: 'served', prompt: 'Say something.', max_tokens: 270 });
  const completion = await forward(client, { port, path: '/v1/completions', headers, body: asked });
  expect(JSON.parse(completion.body)).toMatchObject({ usage: { completion_tokens: 270 } });
  const metrics = (await forward(client, { port, path: '/metrics' })).body;
  expect(1 + count(metrics, 'accepted_tokens') / count(metrics, 'drafts')).toBeCloseTo(2.7, 1);

  const gpus = await run(client, 'nvidia-smi --query-gpu=index,name,memory.total,memory.used --format=csv');
  expect(gpus.stdout.toString()).toMatch(
    /^index, name, memory\.total \[MiB\], memory\.used \[MiB\]\n0, NVIDIA RTX A6000, 49140 MiB, 4\d{4} MiB\n1, NVIDIA RTX A6000, 49140 MiB, 4\d{4} MiB\n$/,
  );
  const apps = await run(
    client,
    'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader,nounits',
  );
  const lines = apps.stdout.toString().trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^\d+, VLLM::Worker_TP0, 4\d{4}$/),
    expect.stringMatching(/^\d+, VLLM::Worker_TP1, 4\d{4}$/),
  ]);
  const workers = lines.map((line) => Number.parseInt(line, 10));
  expect(await parents(client, workers)).toEqual([await core(client, main), await core(client, main)]);

  await run(client, `kill -TERM ${main}`);
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('0\n'), patience);
  expect((await run(client, `ps -o stat= -p ${[main, ...workers].join(',')} | grep -v Z`)).stdout.toString()).toBe('');
  const after = await run(client, 'nvidia-smi --query-compute-apps=pid,used_memory --format=csv');
  expect(after.stdout.toString()).toBe('pid, used_gpu_memory [MiB]\n');
  expect((await readHome(host, 'vllm.log')).trimEnd().split('\n').slice(-4)).toEqual([
    `(APIServer pid=${main}) INFO:     Shutting down`,
    `(APIServer pid=${main}) INFO:     Waiting for application shutdown.`,
    `(APIServer pid=${main}) INFO:     Application shutdown complete.`,
    `(APIServer pid=${main}) INFO:     Finished server process [${main}]`,
  ]);
});

describe('the log of a good start', () => {
  test('has the real shapes: prefixes, CR LF records, shard bars, a capture bar with a line glued in', async () => {
    const host = await startTestHost({ scenario: 'good' });
    await launch(await connect(host), { port: await findFreePort(), flags: '--api-key s3cret' });
    const log = await readyLog(host);

    const speakers = new Set([...log.matchAll(/^\((\w+) pid=\d+\)/gm)].map(([, name]) => name));
    expect([...speakers]).toEqual(['APIServer', 'EngineCore', 'Worker', 'Worker_TP0', 'Worker_TP1']);
    expect(log).toMatch(/^\(APIServer pid=\d+\) INFO \d\d-\d\d \d\d:\d\d:\d\d \[utils\.py:299\] \r\n/);
    expect(log).toContain(
      "'speculative_config': {'method': 'dflash', 'model': '/models/drafter', 'num_speculative_tokens': 15}",
    );
    expect(log).toContain("'api_key': ['s3cret']");
    expect(log).toMatch(
      /pid=\d+\) \rLoading safetensors checkpoint shards: {2}80% Completed \| 12\/15 \[00:06<00:01, {2}1\.82it\/s\]\n/,
    );
    expect(log).toMatch(/100% Completed \| 1\/1 .*\n\(Worker_TP0 pid=\d+\) \n/);
    expect(log).toMatch(
      /\rCapturing CUDA graphs \(mixed prefill-decode, PIECEWISE\): {2}55%\|█████▍ {4}\| 6\/11 \[[^\]]+\]\(Worker_TP1 pid=\d+\) WARNING /,
    );
    expect(log).toMatch(/\n\rCapturing CUDA graphs \(mixed prefill-decode, PIECEWISE\): {2}64%/);
    expect(log).toMatch(/pid=(\d+)\) INFO: {5}Application startup complete\.\n/);
  });

  test('does not answer before it says that it is ready', async () => {
    const host = await startTestHost({ scenario: 'good', speed: 20 });
    const client = await connect(host);
    const port = await findFreePort();
    await launch(client, { port });
    await vi.waitFor(async () => expect(await readHome(host, 'vllm.log')).toContain('EngineCore pid'), patience);
    await expect(forward(client, { port, path: '/health' })).rejects.toThrow();
    const [start] = await host.starts();
    await run(client, `kill -TERM ${start?.pid}`);
    await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('130\n'), patience);
    expect(await readHome(host, 'vllm.log')).toMatch(/KeyboardInterrupt: terminated\n$/);
  });
});

test('out of memory: the worker says why, the core and the API server point at it, exit 1', async () => {
  const host = await startTestHost({ scenario: 'oom' });
  await launch(await connect(host), { port: await findFreePort() });
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('1\n'), patience);
  const log = await readHome(host, 'vllm.log');
  const order = [
    /\(Worker_TP1 pid=\d+\) ERROR \S+ \S+ \[multiproc_executor\.py:874\] WorkerProc failed to start\.\r\n/,
    /\(Worker_TP1 pid=\d+\) ERROR \S+ \S+ \[multiproc_executor\.py:874\] torch\.OutOfMemoryError: CUDA out of memory\. .*\n/,
    /\(EngineCore pid=\d+\) ERROR .* EngineCore failed to start\.\r\n/,
    /\(EngineCore pid=\d+\) Process EngineCore:\n/,
    /\(APIServer pid=\d+\) RuntimeError: Engine core initialization failed\./,
  ].map((pattern) => log.search(pattern));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((one, other) => one - other));
});

test('a crash after ready: first it answers, then the engine dies and the server ends with status 0', async () => {
  const host = await startTestHost({ scenario: 'crash-after-ready' });
  const client = await connect(host);
  const port = await findFreePort();
  await launch(client, { port });
  await readyLog(host);
  const body = JSON.stringify({ prompt: 'x' });
  expect(await forward(client, { port, path: '/v1/completions', body })).toMatchObject({ status: 200 });
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('0\n'), patience);
  const log = await readHome(host, 'vllm.log');
  expect(log).toMatch(/Worker_TP0 pid=\d+\) ERROR .* torch\.AcceleratorError: CUDA error: an illegal memory access/);
  expect(log).toMatch(
    /EngineCore encountered a fatal error[\s\S]*EngineDeadError: [\s\S]*Finished server process \[\d+\]\n$/,
  );
});

test('a worker that somebody kills takes the engine and the server with it', async () => {
  const host = await startTestHost({ scenario: 'good' });
  const client = await connect(host);
  await launch(client, { port: await findFreePort() });
  await readyLog(host);
  await run(client, 'kill -KILL $(nvidia-smi --query-compute-apps=pid --format=csv,noheader | tail -1)');
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('0\n'), patience);
  expect(await readHome(host, 'vllm.log')).toContain(
    'Worker proc VllmWorker-1 died unexpectedly, shutting down executor.',
  );
});

test('a worker that is killed during the start makes the start fail', async () => {
  const host = await startTestHost({ scenario: 'good', speed: 20 });
  const client = await connect(host);
  await launch(client, { port: await findFreePort() });
  await vi.waitFor(async () => expect(await readHome(host, 'vllm.log')).toContain('Starting to load'), patience);
  await run(client, 'kill -KILL $(nvidia-smi --query-compute-apps=pid --format=csv,noheader | tail -1)');
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('1\n'), patience);
  expect(await readHome(host, 'vllm.log')).toMatch(/RuntimeError: Engine core initialization failed\..*\n$/);
});

test('a killed API server leaves its workers on the GPUs, as the real one does', async () => {
  const host = await startTestHost({ scenario: 'good' });
  const client = await connect(host);
  await launch(client, { port: await findFreePort() });
  await readyLog(host);
  const [start] = await host.starts();
  await run(client, `kill -KILL ${start?.pid}`);
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('137\n'), patience);
  const apps = await run(client, 'nvidia-smi --query-compute-apps=pid,name --format=csv,noheader');
  expect(apps.stdout.toString().match(/VLLM::Worker/g)).toHaveLength(2);
});

test('a second server on the port fails at once', async () => {
  const host = await startTestHost({ scenario: 'good' });
  const client = await connect(host);
  const port = await findFreePort();
  await launch(client, { port });
  await readyLog(host);
  const second = await run(client, `vllm serve /models/target --port ${port}`);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringMatching(/OSError: \[Errno 98\] Address already in use\n$/),
  ]);
  expect(await host.starts()).toHaveLength(2);
});

test('a port that is taken while the start goes on ends it with the real lines', async () => {
  const host = await startTestHost({ scenario: 'good', speed: 20 });
  const port = await findFreePort();
  await launch(await connect(host), { port });
  await vi.waitFor(async () => expect(await readHome(host, 'vllm.log')).toContain('EngineCore pid'), patience);
  const other = createServer();
  onTestFinished(() => void other.close());
  await once(other.listen(port, '127.0.0.1'), 'listening');
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe('1\n'), patience);
  const log = await readHome(host, 'vllm.log');
  expect(log).not.toContain('Application startup complete');
  expect(log).toMatch(
    /\(APIServer pid=\d+\) Traceback [\s\S]*sock\.bind\(addr\)\n\(APIServer pid=\d+\) OSError: \[Errno 98\] Address already in use\n$/,
  );
});

test.each([
  ["--speculative-config '{method: dflash}'", 'Value {method: dflash} cannot be converted to <function loads at 0x'],
  ['--speculative-config {method: dflash}', 'Value {method: cannot be converted to <function loads at 0x'],
  ['--trust-remote-code stray', 'unrecognized arguments: stray'],
  ['--port eight', "invalid int value: 'eight'"],
])('%s is a usage error with status 2', async (flags, message) => {
  const client = await connect(await startTestHost({}));
  const { code, stderr } = await run(client, `vllm serve /models/target ${flags}`);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^usage: vllm serve /);
  expect(stderr).toContain('\nvllm serve: error: ');
  expect(stderr).toContain(message);
});

test('nvidia-smi refuses a field that it does not know', async () => {
  const client = await connect(await startTestHost({}));
  const { code, stdout } = await run(client, 'nvidia-smi --query-gpu=index,mood --format=csv');
  expect([code, stdout.toString()]).toEqual([2, 'Field "mood" is not a valid field to query.\n']);
});

async function readyLog(host: RehearsalHost): Promise<string> {
  return vi.waitFor(async () => {
    const log = await readHome(host, 'vllm.log');
    expect(log).toContain('Application startup complete.');
    return log;
  }, patience);
}

interface Asked {
  readonly port: number;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One HTTP request through SSH forwarding. */
async function forward(
  client: Client,
  { port, path, headers = {}, body }: Asked,
): Promise<{ status: number; body: string }> {
  const channel = await new Promise<import('ssh2').ClientChannel>((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, '127.0.0.1', port, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  return new Promise((resolve, reject) => {
    const kind = body === undefined ? {} : { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(
      { createConnection: () => channel, method, path, headers: { ...kind, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
          channel.end();
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function count(metrics: string, name: string): number {
  const line = metrics.split('\n').find((text) => text.startsWith(`vllm:spec_decode_num_${name}_total{`));
  return Number(line?.split(' ').at(-1));
}

async function parents(client: Client, pids: number[]): Promise<number[]> {
  const { stdout } = await run(client, pids.map((pid) => `ps -o ppid= -p ${pid}`).join('; '));
  return stdout.toString().trim().split('\n').map(Number);
}

async function core(client: Client, main: number): Promise<number> {
  const { stdout } = await run(client, `ps -o pid=,comm= --ppid ${main}`);
  expect(stdout.toString()).toContain('VLLM::EngineCor');
  return Number.parseInt(stdout.toString(), 10);
}
