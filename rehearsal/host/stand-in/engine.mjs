/** vLLM's child processes: real ones with the real names, but tiny: shells that wait. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDevice } from './devices.mjs';
import { isAlive, startOf } from './state.mjs';

/**
 * The engine core starts the workers that it is told to on its standard input. It alone holds the writing end of a pipe
 * that the workers read: as with vLLM, they end with the core, and nobody ends when the API server is killed.
 */
const core = `#!/bin/sh
mkfifo "$1" && exec 3<>"$1" || exit 1
while read -r worker; do
  "$worker" <"$1" >&2 3>&- &
  echo "$!"
done
exec >&2
read -r _ <&3
`;
const worker = `#!/bin/sh
read -r _
`;

/** Starts the engine core; its environment is wiped, as setproctitle does to vLLM's children. */
export function startEngine({ folder, onExit }) {
  const titles = join(folder, 'state', 'processes', String(process.pid));
  mkdirSync(titles, { recursive: true });
  const path = install(titles, 'VLLM::EngineCore', core);
  const device = openDevice(folder);
  const child = spawn(path, [join(titles, 'fifo')], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit', 'ignore', device],
  });
  closeSync(device);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const processes = [{ pid: child.pid, start: startOf(child.pid), title: 'VLLM::EngineCore', gpu: null }];
  child.on('exit', onExit);
  child.stdin.on('error', () => undefined);

  return {
    processes,
    async startWorker(title, gpu) {
      child.stdin.write(`${install(titles, title, worker)}\n`);
      const pid = Number((await answers.next()).value);
      processes.push({ pid, start: startOf(pid), title, gpu });
      return pid;
    },
    /** Ends the core and by it the workers; resolves when none is left. */
    async end() {
      for (const { pid } of processes.filter(isAlive)) kill(pid);
      while (processes.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 5));
      rmSync(titles, { recursive: true, force: true });
    },
  };
}

function install(folder, title, script) {
  const path = join(folder, title);
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
