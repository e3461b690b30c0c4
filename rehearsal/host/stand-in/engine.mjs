/** vLLM's child processes: real ones with the real names, but tiny: shells that wait. */
import { spawn } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDevice } from './devices.mjs';
import { isAlive, startOf } from './state.mjs';

/**
 * The engine core starts the workers that it is told to on its standard input. It alone holds the writing ends of the pipes
 * that the workers read: as with vLLM, they end with the core, and nobody ends when the API server is killed. The first
 * five workers have a pipe of their own, by which they can be told to work.
 */
const core = `#!/bin/sh
mkfifo "$1" && exec 3<>"$1" || exit 1
fd=4
while read -r worker; do
  fd=$((fd + 1))
  if [ "$fd" -le 9 ]; then
    mkfifo "$worker.orders" && eval "exec $fd<>\\"\\$worker.orders\\"" || exit 1
    "$worker" <"$worker.orders" >&2 3>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  else
    "$worker" <"$1" >&2 3>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  fi
  echo "$!"
done
exec >&2
read -r _ <&3
`;
/** MiB that a worker holds at most: more than that takes the place of what it held longest. */
const mostMib = 110;
/** `load` touches fresh memory, so many MiB; `spin` burns a core for so many rounds and moves nothing. */
const worker = `#!/bin/sh
block=
count=0
while read -r order amount; do
  round=0
  case $order in
  load)
    [ -n "$block" ] || block=$(head -c 1048576 /dev/zero | tr '\\0' x)
    while [ "$round" -lt "$amount" ]; do
      round=$((round + 1))
      count=$((count % ${mostMib} + 1))
      eval "held_$count=\\$block"
    done
    ;;
  spin) while [ "$round" -lt "$amount" ]; do round=$((round + 1)); done ;;
  esac
done
`;

/** Starts the engine core; its environment is wiped, as setproctitle does to vLLM's children. */
export function startEngine({ folder, name, onExit }) {
  const titles = join(folder, 'state', 'processes', String(process.pid));
  mkdirSync(titles, { recursive: true });
  const path = install(titles, `VLLM::${name}`, core);
  const device = openDevice(folder);
  const child = spawn(path, [join(titles, 'fifo')], {
    // Each MiB is a mapping of its own, given back whole: what is touched anew is fresh again.
    env: { PATH: process.env.PATH, MALLOC_MMAP_THRESHOLD_: '131072' },
    stdio: ['pipe', 'pipe', 'inherit', 'ignore', device],
  });
  closeSync(device);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const processes = [{ pid: child.pid, start: startOf(child.pid), title: `VLLM::${name}`, gpu: null }];
  const pipes = new Map();
  child.on('exit', onExit);
  child.stdin.on('error', () => undefined);

  return {
    processes,
    async startWorker(title, gpu) {
      const own = join(titles, String(processes.length));
      mkdirSync(own);
      const program = install(own, title, worker);
      child.stdin.write(`${program}\n`);
      const pid = Number((await answers.next()).value);
      processes.push({ pid, start: startOf(pid), title, gpu });
      pipes.set(pid, `${program}.orders`);
      return pid;
    },
    /** What a worker is to do now, beside waiting: `load 4`, `spin 20000`. Nothing where it has ended. */
    order(pid, text) {
      try {
        // Never waits: a pipe that nobody reads is refused, one that is full as well.
        const pipe = openSync(pipes.get(pid), constants.O_WRONLY | constants.O_NONBLOCK);
        try {
          writeSync(pipe, `${text}\n`);
        } finally {
          closeSync(pipe);
        }
      } catch (error) {
        if (!['ENXIO', 'ENOENT', 'EAGAIN'].includes(error.code)) throw error;
      }
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
