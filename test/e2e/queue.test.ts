import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Document } from 'yaml';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 50_000, interval: 50 };
let theatre: Theatre;

/** Beside the example's dflash (two GPUs of the host's four): one that asks for three, and one that names 0 and 1; each with a port and a log of its own. */
beforeAll(async () => {
  const ports = [await findFreePort(), await findFreePort()];
  theatre = await openTheatre({
    speed: 50,
    adjust: (document, host) => {
      addRecipe(document, 'wide', { gpus: 3, log: `${host.home}/wide.log` }, ports[0]);
      addRecipe(document, 'named', { gpus: [0, 1], log: `${host.home}/named.log` }, ports[1]);
    },
  });
});

afterAll(() => theatre?.stop());

function addRecipe(document: Document, name: string, change: Record<string, unknown>, port: number | undefined): void {
  const { argv, ...own } = document.toJS().recipes.dflash as { argv: unknown[] };
  const words = argv.map((word, index) => (argv[index - 1] === '--port' ? port : word));
  document.setIn(['recipes', name], document.createNode({ ...own, argv: words, ...change }));
}

async function until(name: string, card: RegExp): Promise<void> {
  const cardNow = (): string => theatre.threads().find((thread) => thread.card.includes(`(${name})`))?.card ?? '';
  await vi.waitFor(() => expect(cardNow()).toMatch(card), PATIENCE);
}

/** Without what another machine says otherwise: pids, and who runs the tests. */
function told(text: string): string {
  return text.replace(/\bpid \d+/g, 'pid PID').replaceAll(`user ${userInfo().username}`, 'user USER');
}

/** The answer may follow a first word that it takes longer. */
async function untilOffered(): Promise<void> {
  await vi.waitFor(() => expect(theatre.whisper()).toContain('[Queue]'), PATIENCE);
}

/** Asks for the end of a run and waits for its proof. */
async function stop(name: string): Promise<void> {
  await theatre.say(`/vllm stop ${name}`);
  await until(name, /^Stopped/);
}

const LIVES = /^(?!Queued|Checking|Not started|Stopp)/;

/** Which GPUs the servers that were started got, in order. */
async function given(): Promise<readonly (string | undefined)[]> {
  const starts = await theatre.stage.host.starts();
  return starts.map(({ environment }) => environment.CUDA_VISIBLE_DEVICES);
}

async function untilGiven(...devices: string[]): Promise<void> {
  await vi.waitFor(async () => expect(await given()).toEqual(devices), PATIENCE);
}

test('what does not fit is offered, and can be cancelled or queued: who waits starts by itself, in order', async () => {
  await theatre.say('/vllm launch kpro5 dflash');
  await until('kpro5-1', LIVES);
  await theatre.say('/vllm launch kpro5 wide');
  await untilOffered();
  expect(told(theatre.whisper())).toMatchInlineSnapshot(`
    "Refused, nothing was started: wide on kpro5 needs what is in use.
    It asks for 3 GPUs; only GPU 2 and GPU 3 are free.
    • GPU 0 and GPU 1: kpro5-1 (dflash), you, since TIME
    Queue waits for it, and starts it by itself when its turn comes. Replace ends kpro5-1 (dflash) first.
    [Queue] [Replace] [Cancel]"
  `);
  expect(await theatre.press('launch_cancel')).toBe('Cancelled: nothing was started.');

  await theatre.say('/vllm launch kpro5 wide');
  await untilOffered();
  expect(await theatre.press('launch_queue', 2)).toMatchInlineSnapshot(`
    "Queued wide on kpro5 as kpro5-2, port N, 3 GPUs: 1st in line. It starts by itself when its turn comes; /vllm stop kpro5-2 takes it out of the line. Its thread follows here.
    vllm serve HOME/models/Qwen3.6-27B --port N --tensor-parallel-size 2 --max-model-len 32768 --max-num-batched-tokens 32768 --reasoning-parser qwen3 --tool-call-parser qwen3_coder --language-model-only --trust-remote-code --speculative-config {"method":"dflash","model"…"
  `);
  await vi.waitFor(() => expect(theatre.reading('(kpro5-2)')).toContain('Waits for 3 free GPUs'), PATIENCE);
  expect(theatre.reading('(kpro5-2)')).toMatchInlineSnapshot(`
    "⏳ Queued, 1st in line: wide on kpro5 (kpro5-2)
    Waits for 3 free GPUs: GPU 0 and GPU 1, held by kpro5-1 (dflash) since TIME.
    It starts by itself; /vllm stop kpro5-2 takes it out of the line.
    queued since TIME
    Asked by you, TIME  port N  3 GPUs
    [Stop]"
  `);

  await theatre.say('/vllm launch kpro5 dflash');
  await untilOffered();
  expect(told(theatre.whisper())).toMatchInlineSnapshot(`
    "Refused, nothing was started: dflash on kpro5 needs what is in use.
    • port N and log HOME/dflash.log: kpro5-1 (dflash), you, since TIME
    In the line for it already:
    • kpro5-2 (wide), you, since TIME
    Queue waits for it, and starts it by itself when its turn comes. Replace ends kpro5-1 (dflash) first and goes before all who wait.
    [Queue] [Replace] [Cancel]"
  `);
  await theatre.say('/vllm launch kpro5 dflash --queue');
  await until('kpro5-3', /^Queued, 2nd in line/);
  await vi.waitFor(() => expect(theatre.reading('(kpro5-3)')).toContain('held by'), PATIENCE);
  expect(theatre.reading('(kpro5-3)')).toMatchInlineSnapshot(`
    "⏳ Queued, 2nd in line: dflash on kpro5 (kpro5-3)
    Waits for port N and log HOME/dflash.log, held by kpro5-1 (dflash) since TIME.
    Its turn comes after kpro5-2.
    It starts by itself; /vllm stop kpro5-3 takes it out of the line.
    queued since TIME
    Asked by you, TIME  port N  2 GPUs
    [Stop]"
  `);

  await stop('kpro5-1');
  await untilGiven('0,1', '0,1,2');
  expect(theatre.reading('(kpro5-2)')).toContain('Its turn has come after TIME in the line: GPUs 0, 1 and 2.');
  await until('kpro5-3', /^Queued, 1st in line/);
  await stop('kpro5-2');
  await untilGiven('0,1', '0,1,2', '0,1');
});

test('a launch may replace what is in its way: that is ended and proved gone first, and two clicks are one launch', async () => {
  await until('kpro5-3', LIVES);
  await theatre.say('/vllm launch kpro5 named');
  await untilOffered();
  expect(await theatre.press('launch_replace', 2)).toMatchInlineSnapshot(`
    "Queued named on kpro5 as kpro5-4, port N, GPUs 0 and 1: kpro5-3 (dflash) is being stopped for it. It starts by itself when that is proved gone; /vllm stop kpro5-4 takes it out of the line. Its thread follows here.
    vllm serve HOME/models/Qwen3.6-27B --port N --tensor-parallel-size 2 --max-model-len 32768 --max-num-batched-tokens 32768 --reasoning-parser qwen3 --tool-call-parser qwen3_coder --language-model-only --trust-remote-code --speculative-config {"method":"dflash","model"…"
  `);
  await untilGiven('0,1', '0,1,2', '0,1', '0,1');
  await until('kpro5-3', /^Stopped/);
  await until('kpro5-4', LIVES);
  expect(theatre.threads()).toHaveLength(4);
  await stop('kpro5-4');
});

test('who waits can be stopped, and leaves the line', async () => {
  await theatre.say('/vllm launch kpro5 named');
  await untilGiven('0,1', '0,1,2', '0,1', '0,1', '0,1');
  await theatre.say('/vllm launch kpro5 wide --queue');
  await until('kpro5-6', /^Queued/);
  await stop('kpro5-6');
  expect(theatre.reading('(kpro5-6)')).toContain('Nothing had been started');
  await stop('kpro5-5');
  expect(await given()).toHaveLength(5);
});

test('others’ processes are passed over where there is a choice, else told, and waited for', async () => {
  const occupant = await theatre.stage.host.occupy({ gpu: 1, mib: 20_000, title: 'python train.py' });
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(async () => expect((await given()).at(-1)).toBe('0,2'), PATIENCE);
  await stop('kpro5-7');
  await theatre.say('/vllm launch kpro5 named');
  await untilOffered();
  expect(told(theatre.whisper())).toMatchInlineSnapshot(`
    "Refused, nothing was started: named on kpro5 needs what is in use.
    • GPU 1: pid PID (python train.py, user USER, since TIME)
    Queue waits for it, and starts it by itself when its turn comes. /vllm check kpro5 named tells whether a process is left over, how to end it, and what else is in the way.
    [Queue] [Cancel]"
  `);
  await theatre.press('launch_queue');
  await vi.waitFor(() => expect(theatre.reading('(kpro5-8)')).toContain('used by pid'), PATIENCE);
  expect(told(theatre.reading('(kpro5-8)'))).toMatchInlineSnapshot(`
    "⏳ Queued, 1st in line: named on kpro5 (kpro5-8)
    Waits for GPU 1, used by pid PID (python train.py, user USER, since TIME).
    It starts by itself; /vllm stop kpro5-8 takes it out of the line.
    queued since TIME
    Asked by you, TIME  port N  GPUs 0 and 1
    [Stop]"
  `);
  await occupant.end();
  await vi.waitFor(async () => expect((await given()).at(-1)).toBe('0,1'), PATIENCE);
  await stop('kpro5-8');
});

test('a GPU that was free at the command and is not at the start is told as a lost race', async () => {
  const { host } = theatre.stage;
  const started = (await given()).length;
  const occupant = await host.occupy({ gpu: 1, mib: 20_000, title: 'python train.py' });
  await comeAtSecondLook(occupant.pid);
  await theatre.say('/vllm launch kpro5 named');
  await until('kpro5-9', /^Not started/);
  await vi.waitFor(() => expect(theatre.reading('(kpro5-9)')).toContain('was not started'), PATIENCE);
  expect(told(theatre.reading('(kpro5-9)'))).toMatchInlineSnapshot(`
    "❌ Not started: named on kpro5 (kpro5-9)
    GPU 1 was free when this was accepted (TIME) and is now used by pid PID (python train.py, user USER, since TIME).
    Nothing was started.
    What to do: /vllm launch kpro5 named --queue waits until it is free and starts by itself then.
    checking TIME › failed TIME, TIME after the command
    Asked by you, TIME  port N  GPUs 0 and 1
    [Restart]

    @U0YOU kpro5-9 (named) was not started.
    GPU 1 was free when this was accepted (TIME) and is now used by pid PID (python train.py, user USER, since TIME).
    Nothing was started.
    What to do: /vllm launch kpro5 named --queue waits until it is free and starts by itself then."
  `);
  expect(await given()).toHaveLength(started);
  await occupant.end();
});

test('one that may wait goes back to the line then, says so, and starts once the GPU is free', async () => {
  const { host } = theatre.stage;
  const started = (await given()).length;
  const occupant = await host.occupy({ gpu: 1, mib: 20_000, title: 'python train.py' });
  await comeAtSecondLook(occupant.pid);
  await theatre.say('/vllm launch kpro5 named --queue');
  await vi.waitFor(() => expect(theatre.reading('(kpro5-10)')).toContain('It goes back'), PATIENCE);
  await until('kpro5-10', /^Queued, 1st in line/);
  expect(told(theatre.reading('(kpro5-10)'))).toMatchInlineSnapshot(`
    "⏳ Queued, 1st in line: named on kpro5 (kpro5-10)
    Waits for GPU 1, used by pid PID (python train.py, user USER, since TIME).
    It starts by itself; /vllm stop kpro5-10 takes it out of the line.
    queued TIME › checking TIME › queued since TIME
    Asked by you, TIME  port N  GPUs 0 and 1
    [Stop]

    GPU 1 was free when last looked at (TIME) and is now used by pid PID (python train.py, user USER, since TIME).
    Nothing was started. It goes back to the front of the line and starts by itself."
  `);
  expect(await given()).toHaveLength(started);
  await occupant.end();
  await vi.waitFor(async () => expect(await given()).toHaveLength(started + 1), PATIENCE);
  await stop('kpro5-10');
});

/** From now on nvidia-smi shows the process from the second look at the GPUs on. */
async function comeAtSecondLook(pid: number): Promise<void> {
  const { bin, home } = theatre.stage.host;
  const shown = join(dirname(bin), 'state', 'servers', `${pid}.json`);
  await rename(shown, join(home, 'late.json'));
  await writeFile(join(home, 'looks'), '');
  const own = await readFile(join(bin, 'nvidia-smi'), 'utf8');
  if (own.includes('late.json')) return;
  const counting = `case "$*" in *query-gpu*)
  echo look >>'${home}/looks'
  [ "$(wc -l <'${home}/looks')" -lt 2 ] || [ ! -f '${home}/late.json' ] || mv '${home}/late.json' '${shown}' ;;
esac
`;
  await writeFile(join(bin, 'nvidia-smi.new'), own.replace('exec ', `${counting}exec `));
  await chmod(join(bin, 'nvidia-smi.new'), 0o755);
  await rename(join(bin, 'nvidia-smi.new'), join(bin, 'nvidia-smi'));
}
