import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { appendFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 50_000, interval: 50 };
let theatre: Theatre;

/** The example's configuration, in which nobody may watch on the other host. */
beforeAll(async () => {
  theatre = await openTheatre({
    speed: 20,
    workers: { standBys: 1 },
    adjust: (document) => document.deleteIn(['hosts', 'trainer', 'rights', 'watch']),
  });
});

afterAll(() => theatre?.stop());

async function serveByHand(name: string): Promise<{ pid: number; port: number }> {
  const port = await findFreePort();
  return { port, pid: await theatre.stage.host.serveByHand(port, name) };
}

function logText(name: string): Promise<string> {
  return readFile(join(theatre.stage.host.home, 'logs', name), 'utf8').catch(() => '');
}

/** Types the command and gives the answer, which may come a moment later, without what differs from run to run. */
async function ask(command: string): Promise<string> {
  const before = theatre.whispers().length;
  await theatre.say(command);
  const late = /Understood, but something is slow/;
  await vi.waitFor(
    () =>
      expect(
        theatre
          .whispers()
          .slice(before)
          .some((text) => !late.test(text)),
      ).toBe(true),
    PATIENCE,
  );
  return steadied(theatre.whisper());
}

function steadied(text: string): string {
  return text
    .replaceAll(theatre.stage.folder, 'FOLDER')
    .replaceAll(process.execPath, 'NODE')
    .replace(/\bpids? \d+(, \d+)*( and \d+)?/g, (pids) => pids.replace(/\d+/g, 'N'))
    .replace(/[Pp]rocess \d+/g, 'process PID')
    .replace(/(pids? [N, ]+|PID) of \w+/g, '$1 of USER')
    .replace(/processes\/\d+\/VLLM::EngineCore .*/g, 'processes/N/VLLM::EngineCore …')
    .replace(/by \w+ \(pid/, 'by USER (pid')
    .replace(/\b\d+(\.\d+)? (min|s|h)( \d+ (min|s))?/g, 'TIME')
    .replace(/--port \d+/g, '--port N')
    .replace(/\d+ MiB/g, 'N MiB');
}

/** How far it was when it was named differs, and with it which phases are news. */
function reading(name: string): string {
  return steadied(theatre.reading(name))
    .replace(/launched TIME › .*(?= › ready)/, 'launched TIME › …')
    .replace(/\n\n(NCCL up|Loading weights|Weights loaded|Compiling|KV cache|Capturing)[^\n]*/g, '');
}

function cardOf(name: string): string {
  return theatre.threads().find(({ card }) => card.includes(`(${name})`))?.card ?? '';
}

async function until(name: string, card: RegExp): Promise<void> {
  await vi.waitFor(() => expect(cardOf(name)).toMatch(card), PATIENCE);
}

test('a server that somebody starts by hand is watched while it loads, proved ready, and told as one run, though workers are killed', async () => {
  await serveByHand('vllm.log');
  await vi.waitFor(async () => expect(await logText('vllm.log')).toContain('Starting to load model'), PATIENCE);
  expect(await ask('/vllm watch kpro5 ~/logs/vllm.log')).toMatchInlineSnapshot(`
    "Watching vllm.log on kpro5 as kpro5-1, port N. Its thread follows here.
    process PID of USER: NODE FOLDER/host/lib/vllm serve Qwen/Qwen3-8B --port N"
  `);
  await vi.waitFor(() => expect(theatre.threads()).toHaveLength(1), PATIENCE);
  await theatre.workers.kill();
  await until('kpro5-1', /^Ready/);
  await theatre.until(/^Ready/, /is ready/);
  const replies = theatre.threads()[0]?.replies ?? [];
  expect(new Set(replies).size).toBe(replies.length);
  expect(reading('kpro5-1')).toMatchInlineSnapshot(`
    "✅ Ready: vllm.log on kpro5 (kpro5-1)
    Serving at http://127.0.0.1:N/v1 as Qwen/Qwen3-8B
    Verified TIME (vLLM 0.25.1): N tokens/s, first token after N ms.
    launched TIME › … › ready TIME, TIME after its start
    Started by hand by USER (pid N, NODE FOLDER/host/lib/vllm serve Qwen/Qwen3-8B --port N), watched for you since TIME  port N  Log HOME/logs/vllm.log
    [Log]

    @U0YOU kpro5-1 (vllm.log) is ready.
    Qwen/Qwen3-8B answers on port N, TIME after its start.
    The listening socket belongs to this run. It completed a prompt with 16 tokens.
    Start-up: loading weights TIME, compiling TIME, sizing the KV cache TIME, capturing CUDA graphs TIME. KV cache: room for 203,152 tokens.
    Measured (vLLM 0.25.1): N tokens/s, first token after N ms.
    ✅ Passed: access, model name, completion, chat, speed, first token, configuration, statistics"
  `);
  expect(await ask('/vllm watch kpro5 ~/logs/vllm.log')).toMatch(
    /^It is followed already: kpro5-1 \(vllm\.log on kpro5\)\. Nothing new was begun\. Open its thread/,
  );
  expect(theatre.threads()).toHaveLength(1);
});

test('one that is ready already is ready at once, and nothing of its past is told again', async () => {
  await appendLogOfAFailure('old.log');
  const { port, pid } = await serveByHand('old.log');
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200), PATIENCE);
  expect(await ask(`/vllm watch kpro5 ~/logs/old.log --pid ${pid}`)).toContain('Watching old.log on kpro5 as kpro5-2');
  await until('kpro5-2', /^Ready/);
  await vi.waitFor(() => expect(theatre.threads().at(-1)?.replies).toHaveLength(1), PATIENCE);
  expect(reading('kpro5-2')).toMatchInlineSnapshot(`
    "✅ Ready: old.log on kpro5 (kpro5-2)
    Serving at http://127.0.0.1:N/v1 as Qwen/Qwen3-8B
    Verified TIME (vLLM 0.25.1): N tokens/s (disturbed by others), first token after N ms.
    ✅ Passed: access, model name, completion, chat, configuration, statistics
    ❔ Not judged: speed (N tokens/s say little: on its GPUs others compute: pid N (VLLM::EngineCore, user root) on GPU 0)
    ready already when it was found TIME, TIME after its start
    Started by hand by USER (pid N, NODE FOLDER/host/lib/vllm serve Qwen/Qwen3-8B --port N), watched for you since TIME  port N  Log HOME/logs/old.log
    [Log]

    @U0YOU kpro5-2 (old.log) is ready.
    Qwen/Qwen3-8B answers on port N, as it did already when it was found.
    The listening socket belongs to this run. It completed a prompt with 16 tokens.
    Measured (vLLM 0.25.1): N tokens/s (disturbed by others), first token after N ms.
    ✅ Passed: access, model name, completion, chat, configuration, statistics
    ❔ Not judged: speed (N tokens/s say little: on its GPUs others compute: pid N (VLLM::EngineCore, user root) on GPU 0)"
  `);
});

/** What a server that failed before left in the same file. */
async function appendLogOfAFailure(name: string): Promise<void> {
  await mkdir(join(theatre.stage.host.home, 'logs'), { recursive: true });
  await appendFile(
    join(theatre.stage.host.home, 'logs', name),
    '(APIServer pid=7) INFO 01-01 00:00:00 [utils.py:233] non-default args: {}\nRuntimeError: CUDA out of memory.\n',
  );
}

test('what may not be watched is refused with what it is and what to do', async () => {
  const { home } = theatre.stage.host;
  await writeFile(join(home, 'secret.txt'), 'x\n');
  await symlink(join(home, 'secret.txt'), join(home, 'logs', 'innocent.log'));
  expect(await ask('/vllm watch kpro5 ~/secret.txt')).toMatchInlineSnapshot(
    `"Refused: ~/secret.txt on kpro5 leads to HOME/secret.txt, which is no log that may be watched. hosts.kpro5.watch_logs of vigil.yaml allows ~/logs/*.log. Whoever keeps vigil.yaml can add a glob that matches that path."`,
  );
  expect(await ask('/vllm watch kpro5 ~/logs/innocent.log')).toMatchInlineSnapshot(
    `"Refused: ~/logs/innocent.log on kpro5 leads to HOME/secret.txt, which is no log that may be watched. hosts.kpro5.watch_logs of vigil.yaml allows ~/logs/*.log. Whoever keeps vigil.yaml can add a glob that matches that path."`,
  );
  expect(await ask('/vllm watch kpro5 ~/logs/vllm.log --pid 4194300')).toContain('It is followed already: kpro5-1');
  await writeFile(join(home, 'logs', 'alone.log'), 'x\n');
  expect(await ask('/vllm watch kpro5 ~/logs/alone.log --pid 4194300')).toMatchInlineSnapshot(
    `"There is no process PID on kpro5: it has ended, or the number is another one. pgrep -af vllm there lists them; without --pid whoever writes the log is followed."`,
  );
  expect(await ask('/dflash watch trainer ~/dflash/logs/run.log')).toMatchInlineSnapshot(
    `"Refused: you (U0YOU) may not watch on trainer. Nobody may. Whoever keeps vigil.yaml can add you under hosts.trainer.rights.watch."`,
  );
  expect(theatre.threads()).toHaveLength(2);
});

/** Somebody's training with one child, and with a second one once told to go on. */
async function trainInSteps(name: string): Promise<{ goOn: () => Promise<void> }> {
  const { home } = theatre.stage.host;
  const go = join(theatre.stage.folder, 'go');
  execFileSync('busybox', ['mkfifo', go]);
  const log = openSync(join(home, 'logs', name), 'a');
  const script = 'echo "Step 1: launching target"; sleep 600 & read -r x <"$GO"; sleep 601 & wait';
  const env = { PATH: process.env.PATH, GO: go, REHEARSAL_HOST: join(theatre.stage.folder, 'host') };
  const { pid } = spawn('bash', ['-c', script], { detached: true, env, stdio: ['ignore', log, log] });
  closeSync(log);
  const children = async () => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  await vi.waitFor(async () => expect(await logText(name)).not.toBe(''), PATIENCE);
  return {
    async goOn() {
      await writeFile(go, 'go\n');
      await vi.waitFor(async () => expect(await children()).toHaveLength(2), PATIENCE);
    },
  };
}

test('a server that was started by hand ends by the processes that somebody confirmed', async () => {
  expect(await ask('/vllm stop kpro5-1')).toMatchInlineSnapshot(`
    "kpro5-1 (vllm.log on kpro5) was started by hand. To stop it, confirm what is ended: exactly these 2 processes, nothing else.
    • pid N of USER since TIME: NODE FOLDER/host/lib/vllm serve Qwen/Qwen3-8B --port N
    • pid N of USER since TIME: /bin/sh FOLDER/host/state/processes/N/VLLM::EngineCore …
    The server itself is asked to end (TERM); what is left of the list after TIME is ended by force. A process that starts later is on no list and left alone.
    [End these 2 processes]"
  `);
  expect(await theatre.press('stop_found')).toBe(
    'Stopping kpro5-1 (vllm.log on kpro5). Its thread in #C0GPUOPS tells when it is proved gone.',
  );
  await until('kpro5-1', /^Stopped/);
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.at(-1)).toMatch(/is stopped/), PATIENCE);
  expect(reading('kpro5-1').split('\n\n').slice(-2).join('\n\n')).toMatchInlineSnapshot(`
    "Stopping, pids N and N and nothing else, confirmed by you.

    @U0YOU kpro5-1 (vllm.log) is stopped.
    • All 2 processes are gone.
    • How it ended can’t be seen, since Vigil did not start it.
    • Port N is closed.
    • No GPU is held by it (all GPUs: N MiB in use)."
  `);
});

test('a list that has changed in between is shown anew, and only what was confirmed then is ended', async () => {
  const { goOn } = await trainInSteps('steps.log');
  await ask('/dflash watch kpro5 ~/logs/steps.log');
  expect(await ask('/dflash stop kpro5-3')).toContain('[End these 2 processes]');
  await goOn();
  expect(steadied(await theatre.press('stop_found'))).toMatchInlineSnapshot(`
    "Nothing was ended: the processes of kpro5-3 (steps.log on kpro5) have changed since the list that you confirmed. This is the list now:
    • pid N of USER since TIME: bash -c echo "Step 1: launching target"; sleep 600 & read -r x <"$GO"; sleep 601 & wait
    • pid N of USER since TIME: sleep 600
    • pid N of USER since TIME: sleep 601
    All of them are asked to end (TERM); what is left of the list after TIME is ended by force. A process that starts later is on no list and left alone.
    [End these 3 processes]"
  `);
  expect(cardOf('kpro5-3')).not.toMatch(/^Stop/);
  expect(await theatre.press('stop_found')).toContain('Stopping kpro5-3 (steps.log on kpro5).');
  await until('kpro5-3', /^Stopped/);
  expect(reading('kpro5-3')).toMatchInlineSnapshot(`
    "⏹️ Stopped: steps.log on kpro5 (kpro5-3)
    • All 3 processes are gone.
    • How it ended can’t be seen, since Vigil did not start it.
    • No GPU is held by it (all GPUs: N MiB in use).
    launched TIME › target starting TIME › stopped TIME, TIME after its start
    Started by hand by USER (pid N, bash -c echo "Step 1: launching target"; sleep 600 & read -r x <"$GO"; sleep 601 & wait), watched for you since TIME  Stop asked by you  Log HOME/logs/steps.log
    [Log]

    Stopping, pids N, N and N and nothing else, confirmed by you.

    @U0YOU kpro5-3 (steps.log) is stopped.
    • All 3 processes are gone.
    • How it ended can’t be seen, since Vigil did not start it.
    • No GPU is held by it (all GPUs: N MiB in use)."
  `);
});
