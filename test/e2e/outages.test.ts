import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 45_000, interval: 10 };
let theatre: Theatre;

afterEach(() => theatre?.stop());

const card = (): string | undefined => theatre.threads()[0]?.card;

/** Names of files in the newest run folder; none before there is one. */
async function runFiles(): Promise<string[]> {
  const runs = join(theatre.stage.host.home, 'runs');
  const files = await readdir(runs, { recursive: true }).catch(() => []);
  return files.map((file) => file.split('/').at(-1) ?? '');
}

/** Of each reply, behind what it says of the run's name. */
function firstWords(replies: readonly string[]): (string | undefined)[] {
  return replies.map((reply) => reply.replace(/^kpro5-1 \(dflash\):? (?:is )?/, '').split(' ')[0]);
}

test('a connection that is cut in the middle of the launch neither starts it twice nor loses it', async () => {
  theatre = await openTheatre({ speed: 50 });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(async () => expect(await runFiles()).toContain('argv'), PATIENCE);
  theatre.stage.host.dropConnections();
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  expect(await theatre.stage.host.starts()).toHaveLength(1);
});

test('connections that are cut again and again while it starts cost no line and repeat none', async () => {
  theatre = await openTheatre({ speed: 30 });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies[0]).toMatch(/is launched/), PATIENCE);
  for (let cut = 1; cut <= 3; cut++) {
    theatre.stage.host.dropConnections();
    const { length } = theatre.threads()[0]?.replies ?? [];
    await vi.waitFor(() => expect(theatre.threads()[0]?.replies.length ?? 0).toBeGreaterThan(length), PATIENCE);
  }
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  const replies = theatre.threads()[0]?.replies ?? [];
  expect(new Set(replies).size).toBe(replies.length);
  expect(firstWords(replies)).toEqual(['launched', 'NCCL', 'Weights', '<@U0YOU>']);
});

test.each([0, 2])('a worker that is ended by SIGTERM after reply %i hands its jobs over', async (replies) => {
  theatre = await openTheatre({ speed: 50, workers: { standBys: 0 } });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.length ?? 0).toBeGreaterThanOrEqual(replies), PATIENCE);
  expect(await theatre.workers.handOver()).toBe(0);
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  const told = theatre.threads()[0]?.replies ?? [];
  expect(firstWords(told)).toEqual(['launched', 'NCCL', 'Weights', '<@U0YOU>']);
  expect(theatre.threads()).toHaveLength(1);
  expect(await theatre.stage.host.starts()).toHaveLength(1);
});

test('the last lines of the log are still there after a worker is killed', async () => {
  theatre = await openTheatre({ speed: 50, workers: { standBys: 0 } });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  expect(await theatre.say('/vllm logs last')).toMatch(/The last \d+ lines/);
  await theatre.workers.kill();
  await theatre.say('/vllm stop last');
  await vi.waitFor(() => expect(card()).toMatch(/^Stopped/), PATIENCE);
  expect(await theatre.say('/vllm logs last')).toMatch(/The last \d+ lines/);
});

test('a host that is away while its server is ready is told as such, and as nothing else', async () => {
  theatre = await openTheatre({ speed: 50 });
  await theatre.say('/vllm launch kpro5 dflash');
  await theatre.until(/^Ready/, /ready/);
  const before = theatre.threads()[0]?.replies.length ?? 0;
  await vi.waitFor(() => {
    theatre.stage.host.dropConnections();
    expect(theatre.threads()[0]?.replies.at(-1)).toMatch(/: Out of contact/);
  }, PATIENCE);
  await theatre.until(/^Ready/, /: Back in contact/);
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
  const told = theatre.threads()[0]?.replies.slice(before) ?? [];
  expect(firstWords(told)).toEqual(['Out', 'Back', 'Stopping,', '<@U0YOU>']);
});

test('a connection that is cut while a server is verified is no fault of the server', async () => {
  theatre = await openTheatre({ speed: 50 });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(card()).toMatch(/^Verifying/), PATIENCE);
  // In the midst of the prompts.
  await new Promise((resolve) => setTimeout(resolve, 700));
  theatre.stage.host.dropConnections();
  await theatre.until(/^Ready: /, /is ready\./);
  expect(theatre.reading()).toContain("This is the recipe's first record on this host.");
});
