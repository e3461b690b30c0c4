import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const Server = z.object({ processes: z.array(z.object({ pid: z.number(), start: z.number() })) });

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly start: number;
}

const graceMs = 1_000;

/** Ends every living process of the host in `folder`: TERM, then KILL for what is left after a second. */
export async function endProcesses(folder: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    let left = await findProcesses(resolve(folder));
    for (const process of left) send(process.pid, signal);
    const deadline = performance.now() + graceMs;
    while (left.length > 0 && performance.now() < deadline) {
      await sleep(20);
      left = await findProcesses(resolve(folder));
    }
    if (left.length === 0) return;
  }
}

/** Marked in their environment, noted by the stand-in (its children's environment is wiped, as vLLM's), or a descendant. */
async function findProcesses(folder: string): Promise<Process[]> {
  const running = await listProcesses();
  const noted = await readNoted(folder);
  const found = new Set<number>();
  for (const { pid, start } of running) {
    if (noted.get(pid) === start || (await isMarked(pid, folder))) found.add(pid);
  }
  // Parents may come after their children in the listing: until nothing is added.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of running) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return running.filter(({ pid }) => found.has(pid));
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(pids.map(readProcess));
  return processes.filter((process) => process !== null);
}

/** null for a process that is gone or a zombie. */
async function readProcess(pid: number): Promise<Process | null> {
  const stat = await readText(`/proc/${pid}/stat`);
  // The command in brackets may hold blanks and brackets itself.
  const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === 'Z' || state === 'X' || state === '') return null;
  return { pid, parent: Number(parent), start: Number(rest[17]) };
}

async function isMarked(pid: number, folder: string): Promise<boolean> {
  return (await readText(`/proc/${pid}/environ`)).split('\0').includes(`REHEARSAL_HOST=${folder}`);
}

async function readNoted(folder: string): Promise<Map<number, number>> {
  const servers = join(folder, 'state', 'servers');
  const noted = new Map<number, number>();
  for (const name of (await readdir(servers)).filter((entry) => entry.endsWith('.json'))) {
    const text = await readText(join(servers, name));
    if (text === '') continue;
    for (const { pid, start } of Server.parse(JSON.parse(text)).processes) noted.set(pid, start);
  }
  return noted;
}

/** '' for a file that went away in the meantime: processes end while they are looked at. */
function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
