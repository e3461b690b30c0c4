import { open, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { connect, run, startTestHost } from './connection.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 30_000 });

const target = 'models/Qwen3.6-27B';
const drafter = 'models/Qwen3.6-27B-DFlash';
const site = 'venv/lib/python3.12/site-packages';

async function readJson(...path: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(...path), 'utf8'));
}

/** Bytes that a file of safetensors must have, by its own header. */
async function sizeByHeader(path: string): Promise<number> {
  const file = await open(path);
  const read = async (from: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, from)).buffer;
  const length = Number((await read(0, 8)).readBigUInt64LE());
  const header: Record<string, { data_offsets?: [number, number] }> = JSON.parse((await read(8, length)).toString());
  await file.close();
  return 8 + length + Math.max(...Object.values(header).map(({ data_offsets: [, end] = [0, 0] }) => end));
}

test('each shard of the index is there, as long as its header says, and takes up no room', async () => {
  const { home } = await startTestHost({});
  const index = await readJson(home, target, 'model.safetensors.index.json');
  const shards = [...new Set(Object.values(index.weight_map as Record<string, string>))];
  expect(shards).toHaveLength(15);
  const paths = [...shards.map((name) => join(home, target, name)), join(home, drafter, 'model.safetensors')];
  const sizes = await Promise.all(paths.map((path) => stat(path)));
  expect(await Promise.all(paths.map(sizeByHeader))).toEqual(sizes.map(({ size }) => size));
  const gib = sizes.map(({ size }) => size / 2 ** 30);
  expect(gib.slice(0, 15).reduce((sum, each) => sum + each)).toBeCloseTo(51.74, 2);
  expect(gib[15]).toBeCloseTo(3.22, 2);
  expect(sizes.reduce((sum, { blocks }) => sum + blocks * 512, 0)).toBeLessThan(1024 * 1024);
});

test('the drafter was trained for the target: its layers, width and vocabulary fit', async () => {
  const { home } = await startTestHost({});
  const own = await readJson(home, drafter, 'config.json');
  const { text_config: of } = (await readJson(home, target, 'config.json')) as { text_config: Record<string, unknown> };
  expect(own).toMatchObject({ hidden_size: of.hidden_size, vocab_size: of.vocab_size, block_size: 16 });
  expect(own).toMatchObject({ num_target_layers: of.num_hidden_layers, sliding_window: 2048 });
  expect(own.dflash_config).toEqual({ mask_token_id: 248_070, target_layer_ids: [1, 16, 31, 46, 61] });
  expect((of.layer_types as string[]).filter((type) => type === 'full_attention')).toHaveLength(16);
});

test('the trainer’s script names the target in a folder that leads to the same models', async () => {
  const { home } = await startTestHost({ scenario: 'train-good' });
  const script = await readFile(join(home, 'dflash', 'train.sh'), 'utf8');
  const [, model = ''] = /^MODEL=(.*)$/m.exec(script) ?? [];
  expect(await realpath(model)).toBe(await realpath(join(home, target)));
});

test('vllm’s first line leads to the environment whose packages tell what vllm, its log and its answers say', async () => {
  const host = await startTestHost({});
  const client = await connect(host);
  const { stdout } = await run(client, 'head -n 1 "$(command -v vllm)"; vllm --version');
  const [first = '', version] = stdout.toString().trim().split('\n');
  expect(first).toBe(`#!${host.home}/venv/bin/python`);
  expect(await readlink(first.slice(2))).toBe('python3.12');
  const packages = await readdir(join(host.home, site));
  expect(packages).toContain(`vllm-${version}.dist-info`);
  expect(packages).toContain('torch-2.11.0.dist-info');
  expect(packages.filter((name) => name.startsWith('flash_attn'))).toEqual([]);
  const other = await run(client, 'venv/bin/python -c "import vllm"');
  expect([other.code, other.stderr]).toEqual([127, 'python: the rehearsal host has none\n']);
});

test('nvidia-smi tells the driver and its CUDA in all three ways', async () => {
  const client = await connect(await startTestHost({}));
  const ask = async (words: string) => (await run(client, `nvidia-smi ${words}`)).stdout.toString();
  expect(await ask('')).toMatch(/^\| NVIDIA-SMI 580\.159\.04 +Driver Version: 580\.159\.04 +CUDA Version: 13\.0 +\|$/m);
  expect(await ask('--version')).toMatch(/^CUDA Version {8}: 13\.0$/m);
  expect(await ask('--query-gpu=compute_cap,driver_version,utilization.gpu --format=csv,noheader')).toBe(
    '8.6, 580.159.04, 0 %\n'.repeat(2),
  );
});

test('another scenario gets the good disk again', async () => {
  const host = await startTestHost({ scenario: 'flash-attn' });
  expect(await readdir(join(host.home, site, 'flash_attn'))).toEqual(['cute']);
  expect(await readdir(join(host.home, site))).toContain('vllm-0.23.0.dist-info');
  await host.setScenario('drafter-config');
  const config = await readJson(host.home, drafter, 'config.json');
  expect(config).toMatchObject({ dflash_config: { target_layer_ids: [1, 17, 33, 49, 63] }, sliding_window: null });
  expect(await readdir(join(host.home, site))).not.toContain('flash_attn');
  await host.setScenario('good');
  expect(await readJson(host.home, drafter, 'config.json')).toMatchObject({ sliding_window: 2048 });
});
