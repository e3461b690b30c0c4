import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PreflightQuestion } from '../../src/host/preflight.ts';
import { makeFolder } from '../support/folder.ts';
import { openLab } from '../support/lab.ts';
import { specAt } from '../support/launch-spec.ts';
import { writeProgram } from '../support/program.ts';
import { writeShards } from '../support/safetensors.ts';
import { findShells, type Shell } from '../support/shells.ts';

const NEVER = new AbortController().signal;

/** Every question that nvidia-smi is asked. */
const SMI = `case "$*" in
*query-gpu=index*) echo '0, GPU-0a, 49140, 300, 48540, 7, [N/A], NVIDIA RTX A6000' ;;
*query-compute-apps*) : ;;
*query-gpu=uuid*) echo 'GPU-0a, 580.159.04, 8.6' ;;
--version) echo 'CUDA Version        : 13.0' ;;
*) exit 2 ;;
esac`;

/** A host's home with a model, an environment, a save path and a cache, and programs of its own. */
function makeHome(programs: Record<string, string>): { home: string; bin: string } {
  const home = makeFolder('home');
  const [bin, venv] = [join(home, 'bin'), join(home, 'venv')];
  for (const folder of [bin, join(venv, 'bin'), join(home, 'model'), join(home, 'saves/3')]) {
    mkdirSync(folder, { recursive: true });
  }
  for (const [name, text] of Object.entries(programs)) writeProgram(bin, name, text);
  writeProgram(join(venv, 'bin'), 'python', 'exit 1');
  writeFileSync(join(venv, 'pyvenv.cfg'), 'version = 3.12.3\n');
  writeFileSync(join(venv, 'bin/vllm'), `#!${venv}/bin/python\n`, { mode: 0o755 });
  mkdirSync(join(venv, 'lib/python3.12/site-packages/vllm-0.20.1.dist-info'), { recursive: true });
  writeShards(join(home, 'model'), { count: 15, bytes: 3 * 1024 ** 3 });
  return { home, bin };
}

function questionAt(home: string, more: Partial<PreflightQuestion> = {}): PreflightQuestion {
  const launch = specAt(
    { path: join(home, 'runs/a'), run: 'a' },
    { argv: [join(home, 'venv/bin/vllm'), 'serve'], directory: home, environment: { HF_HOME: join(home, 'hf') } },
  );
  const asked = { files: ['model/config.json'], models: ['model'], saves: ['saves'], room: ['saves', '/dev/shm'] };
  return {
    launch,
    address: null,
    ...asked,
    hub: [{ id: 'a/b', revision: 'main' }],
    python: null,
    environments: [],
    ...more,
  };
}

function openHost(shell: Shell, bin: string, atEnd?: Parameters<typeof openLab>[1]) {
  return openLab({ config: [`SetEnv PATH=${bin}:${shell.path}`, 'LogLevel VERBOSE'] }, atEnd);
}

describe.each(findShells().filter(({ name }) => name !== 'bash'))('on a host with $name', async (shell) => {
  const { home, bin } = makeHome({ 'nvidia-smi': SMI });
  const { host, sshd } = await openHost(shell, bin);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  const listening = server.address();
  const port = typeof listening === 'object' && listening !== null ? listening.port : 0;

  test('all is told in one exec', async () => {
    const before = Date.now();
    const facts = await host.preflight(questionAt(home, { address: { kind: 'tcp', host: '127.0.0.1', port } }), NEVER);
    expect(sshd.log().match(/Starting session/g)).toHaveLength(1);
    expect(Math.abs(facts.now - before)).toBeLessThan(60_000);
    const site = join(home, 'venv/lib/python3.12/site-packages');
    expect(facts).toEqual({
      now: facts.now,
      outlook: {
        kind: 'told',
        value: expect.objectContaining({ program: join(home, 'venv/bin/vllm'), obstacles: [] }),
      },
      listener: { kind: 'told', value: expect.objectContaining({ kind: 'known', pid: process.pid }) },
      gpus: { kind: 'told', value: [expect.objectContaining({ uuid: 'GPU-0a', freeMib: 48_540, utilization: 7 })] },
      driver: {
        kind: 'told',
        value: { version: '580.159.04', cuda: '13.0', capabilities: new Map([['GPU-0a', '8.6']]) },
      },
      packages: {
        kind: 'told',
        value: expect.objectContaining({ distributions: [{ name: 'vllm', version: '0.20.1', folder: site }] }),
      },
      files: {
        kind: 'told',
        value: new Map([
          [
            'model/config.json',
            { kind: 'file', path: join(home, 'model/config.json'), size: 24, text: '{"model_type":"qwen3_5"}' },
          ],
        ]),
      },
      models: { kind: 'told', value: expect.any(Map) },
      hub: {
        kind: 'told',
        value: new Map([['a/b', { cache: join(home, 'hf/hub'), snapshot: null, partial: [], token: null }]]),
      },
      saves: {
        kind: 'told',
        value: new Map([
          ['saves', expect.objectContaining({ kind: 'folder', checkpoints: [expect.objectContaining({ name: '3' })] })],
        ]),
      },
      room: { kind: 'told', value: expect.any(Map) },
      leftovers: { kind: 'told', value: expect.any(Array) },
    });
    const model = facts.models.kind === 'told' ? facts.models.value.get('model') : undefined;
    expect(model).toMatchObject({ kind: 'model', path: join(home, 'model') });
    expect(model?.kind === 'model' && model.weights.filter(({ header }) => header.endsWith('}}')).length).toBe(15);
    expect(facts.room.kind === 'told' && [...facts.room.value.keys()]).toEqual(['saves', '/dev/shm']);
  });

  test('what is not asked about needs no answer, and what can be told without the host is told with its own', async () => {
    const { launch } = questionAt(home);
    const nothing = { files: [], models: [], hub: [], saves: [], room: [] };
    const question = questionAt(home, { ...nothing, launch: { ...launch, argv: ['vllm', 'a\0b'] } });
    const facts = await host.preflight(question, NEVER);
    const none = { kind: 'told', value: new Map() };
    expect(facts).toMatchObject({ listener: { kind: 'told', value: null }, files: none, models: none, hub: none });
    expect(facts.outlook.kind === 'told' && facts.outlook.value.obstacles).toContainEqual(
      expect.stringMatching(/NUL|zero/i),
    );
  });

  test('a caller that has gone is not kept', async () => {
    const gone = AbortSignal.abort(new Error('nobody waits'));
    await expect(host.preflight(questionAt(home), gone)).rejects.toThrow('nobody waits');
  });
});

test('what hangs is told as silent, and all else is told', async () => {
  const [shell] = findShells();
  if (shell === undefined) throw new Error('no shell');
  const failing = `case "$*" in *query-gpu=uuid*) exit 9 ;; *) ${SMI}\nesac`;
  const { home, bin } = makeHome({ 'nvidia-smi': failing, df: 'exec sleep 30' });
  const { host } = await openHost(shell, bin, onTestFinished);
  const { room, driver, ...others } = await host.preflight(questionAt(home), NEVER);
  expect(room).toEqual({
    kind: 'silent',
    why: 'the look at `saves` and 1 more had no end within 5 s: check again, and see whether a file system hangs there.',
  });
  expect(driver).toEqual({
    kind: 'silent',
    why: 'nvidia-smi failed or named no GPU: run it on the host to see why.',
  });
  for (const told of Object.values(others)) expect(typeof told === 'number' || told.kind).not.toBe('silent');
});
