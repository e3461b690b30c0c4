import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CHANNEL, USER } from '../../rehearsal/demo/stage.ts';
import { openTheatre, type Theatre, unmeasured } from '../support/theatre.ts';

const PATIENCE = { timeout: 55_000, interval: 50 };
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 20 });
});

afterAll(() => theatre?.stop());

async function until(name: string, card: RegExp): Promise<void> {
  const cardNow = (): string => theatre.threads().find((thread) => thread.card.includes(`(${name})`))?.card ?? '';
  await vi.waitFor(() => expect(cardNow()).toMatch(card), PATIENCE);
}

/** Clicks a button of a run's card. */
async function click(name: string, actionId: string): Promise<void> {
  const root = theatre.stage.slack
    .messages(CHANNEL.id)
    .findLast((message) => message.thread === null && message.text.includes(`(${name})`));
  await theatre.stage.slack.click({ user: USER.id, channel: CHANNEL.id, ts: root?.ts ?? '', actionId });
}

function told(text: string): string {
  return text.replace(/\bpid \d+ \([^)]*\)/g, 'pid PID (COMMAND)').replace(/kill \d+/g, 'kill PID');
}

/** A run's card alone. */
function card(name: string): string {
  return told(theatre.reading(`(${name})`).split('\n\n')[0] ?? '');
}

test('a stop while weights are loading leaves nothing', async () => {
  await theatre.begin('good', '/vllm launch kpro5 dflash');
  await until('kpro5-1', /^Loading/);
  await theatre.say('/vllm stop kpro5');
  await until('kpro5-1', /^Stopped/);
  expect(card('kpro5-1').replace(' › compiling TIME', '')).toMatchInlineSnapshot(`
    "⏹️ Stopped: dflash on kpro5 (kpro5-1)
    • All 4 processes are gone.
    • Ended by signal 2 (INT).
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1: 0 MiB in use).
    checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › stopped TIME, TIME after the command
    Asked by you, TIME  Stop asked by you  port N  GPUs 0 and 1
    [Restart] [Log]"
  `);
});

test('a ready server is restarted by its card, once however often that is clicked', async () => {
  await click('kpro5-1', 'restart');
  await until('kpro5-2', /^Ready/);
  await Promise.all([click('kpro5-2', 'restart'), click('kpro5-2', 'restart')]);
  await until('kpro5-3', /^Ready/);
  expect(theatre.threads()).toHaveLength(3);
  const starts = await theatre.stage.host.starts();
  expect(new Set(starts.map(({ argv, environment }) => JSON.stringify([argv, environment]))).size).toBe(1);
  expect(card('kpro5-2')).toMatchInlineSnapshot(`
    "⏹️ Stopped: dflash on kpro5 (kpro5-2)
    • All 4 processes are gone.
    • Exit code 0.
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1: 0 MiB in use).
    queued TIME › checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › compiling TIME › KV cache TIME › capturing TIME › verifying TIME › ready TIME › stopped TIME, TIME after the command
    Asked by you, TIME  Stop asked by you, Restart of kpro5-1, Restarted as kpro5-3  port N  GPUs 0 and 1
    [Log]"
  `);
  expect(unmeasured(told(theatre.reading('(kpro5-3)')))).toMatchInlineSnapshot(`
    "✅ Ready: dflash on kpro5 (kpro5-3)
    Serving at http://127.0.0.1:N/v1 as HOME/models/Qwen3.6-27B
    queued TIME › checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › compiling TIME › KV cache TIME › capturing TIME › verifying TIME › ready TIME, TIME after the command
    Asked by you, TIME  Restart of kpro5-2  port N  GPUs 0 and 1
    [Stop] [Restart] [Log]

    Its turn has come after TIME in the line: GPUs 0 and 1.

    Launched: process PID, log HOME/dflash.log. An older log was moved to HOME/dflash.log.TIME. All 22 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash.log

    NCCL up (world size 2, NCCL 2.28.9), loading weights.

    Weights loaded (TIME), compiling.

    @U0YOU kpro5-3 (dflash) is ready.
    HOME/models/Qwen3.6-27B answers on port N, TIME after its turn came.
    The listening socket belongs to this run. It completed a prompt with 16 tokens.
    Start-up: loading weights TIME, compiling TIME, sizing the KV cache TIME, capturing CUDA graphs TIME. KV cache: room for 203,152 tokens."
  `);
});

test('a restart that fails is restarted from its own card, and not twice', async () => {
  await theatre.stage.host.setScenario('oom');
  expect(await theatre.say('/vllm restart kpro5')).toContain('Restarting dflash on kpro5 as kpro5-4');
  await until('kpro5-4', /^Failed/);
  await theatre.stage.host.setScenario('good');
  expect(await theatre.say('/vllm restart kpro5-4')).toContain('Starting dflash on kpro5 again as kpro5-5');
  await until('kpro5-5', /^Ready/);
  expect(await theatre.say('/vllm restart kpro5-4')).toMatchInlineSnapshot(
    `"kpro5-4 is restarted already, as kpro5-5: /vllm status kpro5-5 tells how that stands."`,
  );
  expect(await theatre.say('/vllm restart kpro5-1')).toMatchInlineSnapshot(
    `"Refused, nothing was started: what kpro5-1 had is in use by now. /vllm launch kpro5 dflash tells by whom, and offers to wait for it."`,
  );
});

test('where something of the former is left, nothing is started, and the new thread says what', async () => {
  const stray = await open(join(theatre.stage.host.home, 'dflash.log'), 'a');
  await theatre.say('/vllm restart kpro5-5');
  await until('kpro5-6', /^Not started/);
  await stray.close();
  expect(card('kpro5-5')).toMatchInlineSnapshot(`
    "⏹️ Told to stop, not all gone: dflash on kpro5 (kpro5-5)
    • Its log is still written by pid PID (COMMAND), without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: kill PID on the host.
    • All 4 processes are gone.
    • Exit code 0.
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1: 0 MiB in use).
    queued TIME › checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › compiling TIME › KV cache TIME › capturing TIME › verifying TIME › ready TIME › stopped TIME, TIME after the command
    Asked by you, TIME  Stop asked by you, Restart of kpro5-4, Restarted as kpro5-6  port N  GPUs 0 and 1
    [Log]"
  `);
  expect(told(theatre.reading('(kpro5-6)'))).toMatchInlineSnapshot(`
    "❌ Not started: dflash on kpro5 (kpro5-6)
    kpro5-5 was to make room, and something of it is left: Its log is still written by pid PID (COMMAND), without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: \`kill PID\` on the host. Nothing was started.
    To try again: /vllm launch kpro5 dflash
    queued TIME › failed TIME, TIME after the command
    Asked by you, TIME  Restart of kpro5-5  port N  GPUs 0 and 1
    [Restart]

    @U0YOU kpro5-6 (dflash) was not started.
    kpro5-5 was to make room, and something of it is left: Its log is still written by pid PID (COMMAND), without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: \`kill PID\` on the host. Nothing was started.
    To try again: /vllm launch kpro5 dflash"
  `);
  await theatre.say('/vllm stop kpro5-5');
  expect(told(theatre.whisper())).toMatchInlineSnapshot(`
    "kpro5-5 (dflash on kpro5) was stopped already (told to stop, not all gone), and Vigil can't do more:
    • Its log is still written by pid PID (COMMAND), without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: kill PID on the host.
    • All 4 processes are gone.
    • Exit code 0.
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1: 0 MiB in use)."
  `);
});
