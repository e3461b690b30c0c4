/** A server that was ready: what becomes of it is told, with evidence, once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Document } from 'yaml';
import { CHANNEL } from '../../rehearsal/demo/stage.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

vi.setConfig({ testTimeout: 60_000 });

const PATIENCE = { timeout: 50_000, interval: 20 };
const LAUNCH = '/vllm launch kpro5 dflash';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50, adjust });
});

afterEach(async () => {
  const card = theatre.threads().at(-1)?.card ?? '';
  if (/^(Failed|Stopped)/.test(card)) return;
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
});

afterAll(() => theatre?.stop());

/** An engine that stands still is told soon. */
function adjust(document: Document): void {
  document.setIn(['recipes', 'dflash', 'budgets', 'ready'], '2');
}

/** The newest thread as a person reads it: its card, then its replies. */
function thread(): string[] {
  const standing = theatre.stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
  const root = standing.findLast((message) => message.thread === null);
  return standing.filter((message) => message === root || message.thread === root?.ts).map(toPlainText);
}

async function untilSaid(what: RegExp): Promise<string> {
  return vi.waitFor(() => {
    const reply = thread()
      .slice(1)
      .find((text) => what.test(text));
    expect(reply).toBeDefined();
    return reply ?? '';
  }, PATIENCE);
}

test('an engine that stands still is told with its evidence, although /health is 200', async () => {
  await theatre.begin('hang-after-ready', LAUNCH);
  const told = await untilSaid(/hangs/);
  expect(told).toMatch(/^@U0YOU kpro5-1 \(dflash\) hangs\./);
  expect(told).toMatch(/with 4 requests in work/);
  expect(told).toMatch(/\/health still answers 200/);
  expect(told).toMatch(/Not one token since: its counter stands at [\d,]+/);
  await vi.waitFor(() => expect(thread()[0]).toMatch(/Hangs/), PATIENCE);
});

test('a dead engine is told once, with its traceback; the end follows, and an exit with 0 is a crash all the same', async () => {
  await theatre.begin('engine-dead', LAUNCH);
  await theatre.until(/^Failed/, /exit code 0/);
  const [card, ...replies] = thread();
  expect(card).toMatch(/The engine hung \(EngineCore, line \d+ of the log\)/);
  const deaths = replies.filter((text) => /TimeoutError: RPC call to sample_tokens timed out\./.test(text));
  expect(deaths).toHaveLength(1);
  expect(deaths[0]).toMatch(/^@U0YOU kpro5-\d+ \(dflash\): its engine has died\./);
  expect(deaths[0]).toMatch(/Traceback[\s\S]*What to do:/);
  expect(replies.filter((text) => text.includes('@U0YOU')).length).toBe(2);
});

test('hundreds of bad requests are no failure, and nothing is said of them', async () => {
  await theatre.begin('burst-400', LAUNCH);
  await theatre.until(/^Ready/, /ready/);
  const before = thread().length;
  const log = join(theatre.stage.host.home, 'dflash.log');
  await vi.waitFor(async () => {
    expect((await readFile(log, 'utf8')).split(' 400 Bad Request').length).toBeGreaterThan(300);
  }, PATIENCE);
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
  expect(thread().slice(before)).toEqual([expect.stringMatching(/^Stopping/), expect.stringMatching(/is stopped/)]);
});

// The last one: what is left of it would be in the way of another start.
test('a main process that is killed is told with a mention, and the card turns', async () => {
  await theatre.begin('good', LAUNCH);
  await theatre.until(/^Ready/, /ready/);
  const start = (await theatre.stage.host.starts()).at(-1);
  const before = thread().length;
  process.kill(start?.pid ?? 0, 'SIGKILL');
  const killedAt = performance.now();
  await vi.waitFor(() => expect(thread().length).toBeGreaterThan(before), PATIENCE);
  process.stdout.write(`From kill -9 to the message in the thread: ${Math.round(performance.now() - killedAt)} ms\n`);
  await theatre.until(/^Failed/, /failed/);
  expect(thread().at(-1)).toMatch(/^@U0YOU kpro5-\d+ \(dflash\) failed\.[\s\S]*SIGKILL/);
});
