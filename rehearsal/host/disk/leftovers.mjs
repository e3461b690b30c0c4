/** What a dead server leaves behind: workers whose parent is gone, with their GPU memory and with its log still open. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, readServers, removeServer, startOf, writeServer } from '../stand-in/state.mjs';

const patienceMs = 2_000;
/** By host: the end of the pipe that its left-over workers read. Whoever holds it may end by kill -9, and they end with it. */
const held = new Map();

/**
 * Starts one worker a GPU, `mib` on each, with the log at `log` open; the shell that started them has ended when this
 * resolves. They end by `endLeftovers`, or with this process.
 */
export async function startLeftovers(folder, { gpus, mib, log }) {
  const titles = join(folder, 'state', 'processes', 'leftovers');
  rmSync(titles, { recursive: true, force: true });
  mkdirSync(titles, { recursive: true });
  const pipe = join(titles, 'pipe');
  if (spawnSync('mkfifo', [pipe]).status !== 0) throw new Error(`mkfifo ${pipe} failed`);
  held.set(folder, openSync(pipe, constants.O_RDWR));
  const processes = [];
  for (const [rank, gpu] of gpus.entries()) {
    const title = `VLLM::Worker_TP${rank}`;
    const pid = await startOrphan({ folder, path: join(titles, title), pipe, log });
    processes.push({ pid, start: startOf(pid), title, gpu });
  }
  writeServer(folder, { port: 0, mib, processes, isLeftover: true });
}

/** Ends them all; resolves when they are gone. */
export async function endLeftovers(folder) {
  const pipe = held.get(folder);
  if (pipe !== undefined) closeSync(pipe);
  held.delete(folder);
  for (const { isLeftover, file, processes } of readServers(folder)) {
    if (isLeftover !== true) continue;
    const latest = Date.now() + patienceMs;
    while (processes.some(isAlive) && Date.now() < latest) await sleep(5);
    for (const { pid } of processes.filter(isAlive)) process.kill(pid, 'SIGKILL');
    removeServer(folder, file);
  }
}

/**
 * By a shell that ends at once. The orphan is a shell as well, by a link of its title and found on the PATH: that title is then all of its
 * command line, as setproctitle leaves it. It waits for commands that never come.
 */
const script = `
exec 4<"$4"
ln -s "$(command -v bash)" "$1"
PATH=\${1%/*}:$PATH
"\${1##*/}" <"$2" >>"$3" 2>&1 &
echo "$!"
`;

async function startOrphan({ folder, path, pipe, log }) {
  const shell = spawn('/bin/sh', ['-c', script, 'sh', path, pipe, log, join(folder, 'dev', 'nvidiactl')], {
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(shell, 'exit');
  const [line] = await once(createInterface({ input: shell.stdout }), 'line');
  await ended;
  return Number(line);
}
