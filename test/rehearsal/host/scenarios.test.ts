import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'ssh2';
import { expect, test, vi } from 'vitest';
import { findFreePort } from '../../../rehearsal/free-port.ts';
import type { RehearsalHost } from '../../../rehearsal/host/server.ts';
import { connect, launch, readHome, run, startTestHost } from './connection.ts';
import { expectOrder, gpuUsers, patience, processesOf, startTraining, untilSaid } from './training.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000 });

const ready = 'Application startup complete.';

function untilLogged(host: RehearsalHost, what: RegExp | string): Promise<string> {
  return untilSaid(() => readHome(host, 'vllm.log'), what);
}

async function untilExit(host: RehearsalHost, code: number): Promise<string> {
  await vi.waitFor(async () => expect(await readHome(host, 'exit')).toBe(`${code}\n`), patience);
  return readHome(host, 'vllm.log');
}

async function workers(client: Client): Promise<number[]> {
  return (await gpuUsers(client)).map(([, pid]) => pid);
}

/** What nvidia-smi says of a field, by GPU. */
async function smi(client: Client, field: string): Promise<number[]> {
  const { stdout } = await run(client, `nvidia-smi --query-gpu=${field} --format=csv,noheader,nounits`);
  return stdout.toString().trim().split('\n').map(Number);
}

/** Page faults so far, resident pages, and ticks of the CPU, of each process. */
async function counters(pids: readonly number[]): Promise<{ faults: number; pages: number; ticks: number }[]> {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8')));
  return stats.map((text) => {
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { faults: Number(fields[7]), pages: Number(fields[21]), ticks: Number(fields[11]) + Number(fields[12]) };
  });
}

test('silent-loading: no line while memory is filled, on the GPUs and in the ranks; then it gets ready', async () => {
  const host = await startTestHost({ scenario: 'silent-loading', silence: 2 });
  const client = await connect(host);
  await launch(client, { port: await findFreePort() });
  const before = await untilLogged(host, 'rank 0 in world size 2');
  const pids = await workers(client);
  const [first] = await counters(pids);
  const [used = 0] = await smi(client, 'memory.used');
  await vi.waitFor(async () => {
    expect((await smi(client, 'memory.used'))[0]).toBeGreaterThan(used + 4000);
    expect((await counters(pids))[0]?.faults).toBeGreaterThan((first?.faults ?? 0) + 1000);
  }, patience);
  expect(await readHome(host, 'vllm.log')).toBe(before);
  await untilLogged(host, ready);
  const pages = (await counters(pids)).map((each) => each.pages);
  for (const each of pages) expect(each * 4096).toBeGreaterThan(64 * 2 ** 20);
  expect(pages.reduce((sum, each) => sum + each) * 4096).toBeLessThan(250 * 2 ** 20);
});

test('big-model-slow: its cold compile says nothing and fills the cache, and it gets ready', async () => {
  const host = await startTestHost({ scenario: 'big-model-slow', silence: 1 });
  await launch(await connect(host), { port: await findFreePort() });
  const said = await untilLogged(host, 'Dynamo bytecode transform time: 41.30 s');
  const [, folder = ''] = /Using cache directory: (\S+) for vLLM's torch\.compile/.exec(said) ?? [];
  expect(folder).toMatch(new RegExp(`^${host.home}/.cache/vllm/torch_compile_cache/`));
  const log = await untilLogged(host, ready);
  expect((await readdir(folder)).length).toBeGreaterThan(2);
  expectOrder(log, [
    /15\/15 \[05:00<00:00, 20\.00s\/it\]/,
    /Compiling a graph for compile range \(1, 8192\) takes 340\.00 s/,
    /torch\.compile took 381\.30 s in total/,
  ]);
});

/** What NCCL's RAS there says. */
function askRas(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connectTo(port, '127.0.0.1', () => socket.write('CLIENT PROTOCOL 2\nVERBOSE STATUS\n'));
    socket.on('data', (bytes) => {
      text += bytes.toString();
    });
    socket.on('error', reject).on('end', () => resolve(text));
  });
}

test('nccl-hang: rank 0 burns a core and moves nothing, rank 1 sleeps, and RAS says who is behind', async () => {
  const host = await startTestHost({ scenario: 'nccl-hang' });
  const client = await connect(host);
  const port = await findFreePort();
  const spec = `vllm serve /models/target --port ${await findFreePort()} --tensor-parallel-size 2`;
  await run(client, `NCCL_RAS_ADDR=127.0.0.1:${port} ${spec} >vllm.log 2>&1 </dev/null &`);
  await untilLogged(host, 'vLLM is using nccl==2.28.9');
  await vi.waitFor(async () => expect(await smi(client, 'utilization.gpu')).toEqual([100, 0]), patience);
  const pids = await workers(client);
  // They may still be taking their memory: from some moment on nothing but the first one's CPU time changes.
  let before = await counters(pids);
  await vi.waitFor(async () => {
    const after = await counters(pids);
    const burnt = (after[0]?.ticks ?? 0) - (before[0]?.ticks ?? 0);
    const [first, second] = before;
    const asBefore = [{ ...first, ticks: after[0]?.ticks }, second];
    if (!isDeepStrictEqual(after, asBefore)) before = after;
    expect(burnt).toBeGreaterThan(20);
    expect(after).toEqual(asBefore);
  }, patience);
  const said = await askRas(port);
  expect(said).toContain(`  Rank 0 has launched up to operation 3 -- GPU 0 managed by process ${pids[0]} on node`);
  expect(said).toContain(`  Rank 1 has launched up to operation 2 -- GPU 1 managed by process ${pids[1]} on node`);
  expect(await askRas(port)).toBe(said);
  expect(await readHome(host, 'vllm.log')).not.toContain('rank 0 in world size');
});

test('train-nccl-hang: the log ends before step 30, the ranks live on, and RAS names theirs', async () => {
  const port = await findFreePort();
  const training = await startTraining({ scenario: 'train-nccl-hang' }, { NCCL_RAS_ADDR: `127.0.0.1:${port}` });
  await untilSaid(training.runLog, 'global_step=29 ');
  const said = await vi.waitFor(() => askRas(port), patience);
  const ranks = (await gpuUsers(training.client)).filter(([, , name]) => name === 'python').map(([, pid]) => pid);
  expect(said).toContain(`  Rank 0 has launched up to operation 93 -- GPU 0 managed by process ${ranks[0]} on node`);
  expect(said).toContain(`  Rank 1 has launched up to operation 90 -- GPU 1 managed by process ${ranks[1]} on node`);
  expect((await smi(training.client, 'utilization.gpu')).slice(2)).toEqual([100, 0]);
  expect(await training.runLog()).not.toContain('global_step=30 ');
  await training.host.stop();
  expect(await processesOf(training.host.folder)).toEqual([]);
});

test('download-stall: files come into the hub’s cache and stop coming; the log names no progress', async () => {
  const host = await startTestHost({ scenario: 'download-stall', silence: 1 });
  const client = await connect(host);
  const port = await findFreePort();
  await run(client, `vllm serve Qwen/Qwen3.6-27B --port ${port} --tensor-parallel-size 2 >vllm.log 2>&1 </dev/null &`);
  const cache = join(host.home, '.cache/huggingface/hub/models--Qwen--Qwen3.6-27B');
  const sizes = async () => {
    const names = (await readdir(join(cache, 'blobs'))).filter((name) => name.endsWith('.incomplete'));
    return Promise.all(names.map(async (name) => (await stat(join(cache, 'blobs', name))).size));
  };
  await untilLogged(host, 'Warning: You are sending unauthenticated requests to the HF Hub.');
  await vi.waitFor(async () => expect(await sizes()).toEqual(Array(8).fill(4 * 2 ** 20)), patience);
  expect(await readFile(join(cache, 'refs/main'), 'utf8')).toMatch(/^[0-9a-f]{40}$/);
  const log = await readHome(host, 'vllm.log');
  expect(log).not.toMatch(/Loading safetensors|Checkpoint size/);
  expect(log).toMatch(/faster downloads\.\n$/);
});

test('flash-attn: the workers say why, far above the end, and it exits with 1', async () => {
  const host = await startTestHost({ scenario: 'flash-attn' });
  await launch(await connect(host), { port: await findFreePort() });
  const log = await untilExit(host, 1);
  expect(log).toMatch(/version 0\.23\.0\r\n/);
  const lines = log.split('\n');
  const at = lines.findIndex((line) => /Worker_TP0 .* No module named 'flash_attn\.ops'$/.test(line));
  expect(at).toBeGreaterThan(0);
  expect(lines.length - at).toBeGreaterThan(60);
});

test('gpu-count: a rank that has no GPU says so, its core and the API server point at it, and it exits with 1', async () => {
  const host = await startTestHost({ scenario: 'gpu-count' });
  await launch(await connect(host), { port: await findFreePort(), flags: '--data-parallel-size 2' });
  expectOrder(await untilExit(host, 1), [
    /\(EngineCore_DP0 pid=\d+\) INFO .*data_parallel_size=2/,
    /\(Worker pid=\d+\) ERROR .* AssertionError: DP adjusted local rank 3 is out of bounds\. \n/,
    /\(EngineCore_DP1 pid=\d+\) Process EngineCore_DP1:\n/,
    /\(APIServer pid=\d+\) RuntimeError: Engine core .* Failed core proc\(s\): \{'EngineCore_DP1': 1\}\n/,
  ]);
});

test('train-gpu-count: the target fails so, and the script waits for it', async () => {
  const training = await startTraining({ scenario: 'train-gpu-count' });
  await untilSaid(training.targetLog, 'DP adjusted local rank 3 is out of bounds');
  await untilSaid(training.targetLog, 'Engine core initialization failed');
  expect(await training.runLog()).not.toContain('vLLM ready');
  expect(await training.exit()).toBe('');
});

test.each([
  ['drafter-config', '2, 18, 34, 50, 64'],
  ['wrong-drafter-config', '1, 16, 31, 46, 61'],
])('%s: it gets ready without a complaint, with layers %s, and accepts hardly any draft', async (scenario, layers) => {
  const host = await startTestHost({ scenario });
  const client = await connect(host);
  const port = await findFreePort();
  const spec = JSON.stringify({
    method: 'dflash',
    model: `${host.home}/models/Qwen3.6-27B-DFlash`,
    num_speculative_tokens: 15,
  });
  await run(
    client,
    `vllm serve /models/target --port ${port} --tensor-parallel-size 2 --speculative-config '${spec}' >vllm.log 2>&1 </dev/null &`,
  );
  const log = await untilLogged(host, ready);
  expect(log).toContain(`Using auxiliary layers from speculative config: (${layers})`);
  expect(log).not.toMatch(/ERROR|Traceback/);
  const body = '{"prompt":"x","max_tokens":1500}';
  const headers = { 'content-type': 'application/json' };
  await fetch(`http://127.0.0.1:${port}/v1/completions`, { method: 'POST', headers, body });
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const count = (name: string) =>
    Number(new RegExp(`^vllm:spec_decode_num_${name}_total\\{.*\\} (.*)$`, 'm').exec(metrics)?.[1]);
  expect(count('accepted_tokens') / count('draft_tokens')).toBeCloseTo(0.012, 3);
  await untilLogged(host, /SpecDecoding metrics: Mean acceptance length: 1\.18,.* Avg Draft acceptance rate: 1\.2%/);
});

test('stale-process: orphans hold both GPUs and the old log until another scenario is set', async () => {
  const host = await startTestHost({ scenario: 'stale-process', gpus: 4 });
  const client = await connect(host);
  const users = await gpuUsers(client);
  expect(users.map(([gpu, , name]) => [gpu, name])).toEqual([
    [0, 'VLLM::Worker_TP0'],
    [1, 'VLLM::Worker_TP1'],
  ]);
  for (const [, pid] of users) {
    const shown = execFileSync('ps', ['-o', 'ppid=,comm=,args=', '-p', String(pid)]).toString();
    const [parent, name, ...words] = shown.trim().split(/ +/);
    expect([name, words]).toEqual(['VLLM::Worker_TP', [expect.stringMatching(/^VLLM::Worker_TP[01]$/)]]);
    expect(Number(parent)).not.toBe(process.pid);
    const open = await Promise.all([1, 2].map((fd) => run(client, `readlink /proc/${pid}/fd/${fd}`)));
    expect(open.map(({ stdout }) => stdout.toString())).toEqual(Array(2).fill(`${host.home}/dflash.log\n`));
  }
  expect(await smi(client, 'memory.used')).toEqual([44_182, 44_182]);
  await host.setScenario('good');
  expect(await gpuUsers(client)).toEqual([]);
  await launch(client, { port: await findFreePort() });
  await untilLogged(host, ready);
});
