/** A worker that is killed while a server is verified, or while its engine dies: the thread reads as if nothing had happened, and nothing is told twice. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CHANNEL } from '../../rehearsal/demo/stage.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 50_000, interval: 5 };
const LAUNCH = '/vllm launch kpro5 dflash';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50, workers: { standBys: 7 } });
});

afterEach(async () => {
  if (/^(Failed|Stopped)/.test(card())) return;
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
});

afterAll(() => theatre?.stop());

function card(): string {
  return theatre.threads().at(-1)?.card ?? '';
}

/** The newest thread's replies as a person reads them. */
function replies(): string[] {
  const standing = theatre.stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
  const root = standing.findLast((message) => message.thread === null);
  return standing.filter((message) => message.thread === root?.ts).map(toPlainText);
}

/** Told once, measured undisturbed, and beside no record of its own. */
async function isReadyOnce(): Promise<void> {
  await theatre.until(/^Ready/, /ready/);
  const told = replies().filter((reply) => reply.includes('is ready'));
  expect(told).toHaveLength(1);
  const name = /kpro5-\d+/.exec(card())?.[0] ?? '';
  expect(told[0]).toMatch(/Measured .*tokens\/s.*mean acceptance length 2\.7/);
  expect(told[0]).not.toMatch(/others|Not judged/);
  expect(told[0]).not.toMatch(new RegExp(`record [\\d.]+ of ${name}\\b`));
}

/** Kills the worker as soon as Redis has carried out a command that looks so; resolves when another has taken its place. */
async function killAtCommand(what: RegExp): Promise<void> {
  const watching = connect(theatre.stage.redisUrl);
  watching.write('MONITOR\r\n');
  await new Promise<void>((resolve) => {
    let heard = '';
    watching.on('data', (data) => {
      heard = `${heard}${data}`.slice(-200_000);
      if (what.test(heard)) resolve();
    });
  });
  watching.destroy();
  await theatre.workers.kill();
}

test.each([150, 800, 1400])(
  '%i ms into the verification: ready is told once, by numbers of one worker alone',
  async (ms) => {
    await theatre.begin('good', LAUNCH);
    await vi.waitFor(() => expect(card()).toMatch(/^Verifying/), PATIENCE);
    await new Promise((resolve) => setTimeout(resolve, ms));
    await theatre.workers.kill();
    await isReadyOnce();
  },
);

test('when the record was written: what was reached is told with it, and not measured against itself', async () => {
  await theatre.begin('good', '/vllm launch kpro5 dflash');
  await killAtCommand(/\\"kind\\":\\"ready\\"/);
  await isReadyOnce();
});

test('between what a verification came to and its answer: who asked hears it, and the thread is told once', async () => {
  await theatre.begin('good', LAUNCH);
  await theatre.until(/^Ready/, /ready/);
  const before = theatre.whispers().length;
  const killed = killAtCommand(/\\"kind\\":\\"verified\\"/);
  await theatre.say('/vllm verify kpro5');
  await killed;
  await vi.waitFor(() => expect(theatre.whispers().slice(before).join()).toContain('Measured'), PATIENCE);
  expect(replies().filter((reply) => reply.includes('Verified again'))).toHaveLength(1);
});

test.each(['its log shows it', 'that is written down'])(
  'while an engine dies, when %s: it is told once, and so is its end',
  async (when) => {
    await theatre.begin('engine-dead', LAUNCH);
    if (when === 'that is written down') await killAtCommand(/\\"kind\\":\\"engine_dead\\"/);
    else {
      const log = join(theatre.stage.host.home, 'dflash.log');
      await vi.waitFor(
        async () => expect(await readFile(log, 'utf8')).toContain('encountered a fatal error'),
        PATIENCE,
      );
      await theatre.workers.kill();
    }
    await theatre.until(/^Failed/, /exit code 0/);
    expect(replies().filter((reply) => reply.includes('its engine has died'))).toHaveLength(1);
    expect(replies().filter((reply) => reply.includes('exit code 0'))).toHaveLength(1);
  },
);
