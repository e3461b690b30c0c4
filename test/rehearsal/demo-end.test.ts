/** However the demo ends, nothing that it started outlives it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { makeFolder } from '../support/folder.ts';

vi.setConfig({ testTimeout: 60_000 });
const PATIENCE = { timeout: 40_000, interval: 50 };
const LAUNCH = ['--headless', '/vllm launch kpro5 dflash', '--speed', '2'];

interface Demo {
  readonly child: ChildProcess;
  /** Everything temporary of this demo is in here, so that its processes can be told from others'. */
  readonly folder: string;
  said(): { stdout: string; stderr: string };
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

function startDemo(words: readonly string[], env: NodeJS.ProcessEnv = {}): Demo {
  const folder = makeFolder('end');
  const child = spawn(process.execPath, ['--import', 'tsx', 'rehearsal/demo.ts', ...words], {
    env: { ...process.env, REDIS_URL: '', ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => (said.stdout += String(bytes)));
  child.stderr.on('data', (bytes) => (said.stderr += String(bytes)));
  const closed = once(child, 'close');
  onTestFinished(() => {
    for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
  });
  return {
    child,
    folder,
    said: () => said,
    async ended() {
      await closed;
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

/** Living processes whose command line or environment names the folder. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => !/^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`)))
    .filter((pid) => (read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`)).includes(folder))
    .map(Number);
}

/** '' for a process that went away while it was looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What is left of the demo's own; tsx keeps a cache beside it. */
const leftIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('vigil-'));

async function untilLaunched(demo: Demo): Promise<void> {
  await vi.waitFor(() => expect(demo.said().stdout).toContain('Launched'), PATIENCE);
  expect(processesOf(demo.folder).length).toBeGreaterThan(4);
}

test.each(['SIGINT', 'SIGHUP'] as const)('%s while a run is under way ends everything, quietly', async (signal) => {
  const demo = startDemo(LAUNCH);
  await untilLaunched(demo);
  demo.child.kill(signal);
  expect(await demo.ended()).toEqual({ code: 130, signal: null });
  // The watchers of its children end a moment after it.
  await vi.waitFor(() => expect(processesOf(demo.folder)).toEqual([]), { timeout: 2_000 });
  expect(leftIn(demo.folder)).toEqual([]);
  expect(demo.said().stderr).toBe('');
});

test('after a kill -9 the servers, the app and Redis end by themselves', async () => {
  const demo = startDemo(LAUNCH);
  await untilLaunched(demo);
  demo.child.kill('SIGKILL');
  await demo.ended();
  await vi.waitFor(() => expect(processesOf(demo.folder)).toEqual([]), PATIENCE);
});

test('after a kill -9 a training by hand ends by itself, though its script would wait for ever', async () => {
  const demo = startDemo(['--headless', '--scenario', 'train-by-hand', '--speed', '1']);
  const waits = () => processesOf(demo.folder).some((pid) => read(`/proc/${pid}/cmdline`) === 'bash\0train.sh\0');
  await vi.waitFor(() => expect(waits()).toBe(true), PATIENCE);
  demo.child.kill('SIGKILL');
  await demo.ended();
  await vi.waitFor(() => expect(processesOf(demo.folder)).toEqual([]), PATIENCE);
});

test('an interrupt during the start-up is silent', async () => {
  const demo = startDemo(LAUNCH);
  await vi.waitFor(() => expect(demo.said().stdout).toContain('Starting a private Redis'), PATIENCE);
  demo.child.kill('SIGINT');
  expect(await demo.ended()).toEqual({ code: 130, signal: null });
  expect(demo.said().stderr).toBe('');
  await vi.waitFor(() => expect(processesOf(demo.folder)).toEqual([]), { timeout: 2_000 });
  expect(leftIn(demo.folder)).toEqual([]);
});

test('a REDIS_URL where nothing answers is said in one sentence', async () => {
  const port = await findFreePort();
  const demo = startDemo(LAUNCH, { REDIS_URL: `redis://:s3cret@127.0.0.1:${port}` });
  expect(await demo.ended()).toEqual({ code: 1, signal: null });
  expect(demo.said().stderr).toBe(
    `REDIS_URL: no Redis answers at redis://127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}). Start it, or unset REDIS_URL: the demo then starts a private one.\n`,
  );
  expect(leftIn(demo.folder)).toEqual([]);
});
