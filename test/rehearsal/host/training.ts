/** Trainings on the rehearsal host, as its tests start them and look at them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'ssh2';
import { expect, vi } from 'vitest';
import { findFreePort } from '../../../rehearsal/free-port.ts';
import type { RehearsalHost } from '../../../rehearsal/host/server.ts';
import { connect, run, startTestHost } from './connection.ts';

export const patience = { timeout: 40_000, interval: 50 };

export interface Training {
  readonly host: RehearsalHost & { folder: string };
  readonly client: Client;
  readonly port: number;
  runLog(): Promise<string>;
  targetLog(): Promise<string>;
  /** The script's exit code as a shell tells it, '' while it runs. */
  exit(): Promise<string>;
}

/** Runs ~/dflash/train.sh in the background, its output in logs/run.log, as a launcher does: `variables` are set for it. */
export async function startTraining(
  options: Parameters<typeof startTestHost>[0],
  variables: Readonly<Record<string, string>> = {},
): Promise<Training> {
  const host = await startTestHost({ speed: 50, ...options });
  const client = await connect(host);
  const port = await findFreePort();
  const words = Object.entries({ PORT: String(port), ...variables }).map(([name, value]) => `${name}=${value}`);
  const script = 'cd dflash; (env "$@" bash train.sh; echo $? >exit.new; mv exit.new exit)';
  await run(client, `setsid sh -c '${script}' sh ${words.join(' ')} >dflash/logs/run.log 2>&1 </dev/null &`);
  const read = (name: string) => readFile(join(host.home, 'dflash', name), 'utf8').catch(() => '');
  return {
    host,
    client,
    port,
    runLog: () => read('logs/run.log'),
    targetLog: () => read('logs/vllm.log'),
    exit: async () => (await read('exit')).trim(),
  };
}

export async function untilSaid(log: () => Promise<string>, what: RegExp | string): Promise<string> {
  return vi.waitFor(async () => {
    const text = await log();
    expect(text).toMatch(what);
    return text;
  }, patience);
}

/** The patterns stand in the text in this order. */
export function expectOrder(text: string, patterns: readonly RegExp[]): void {
  let from = 0;
  for (const pattern of patterns) {
    const at = text.slice(from).search(pattern);
    expect(at, `${pattern} after ${JSON.stringify(text.slice(Math.max(0, from - 80), from))}`).not.toBe(-1);
    from += at + 1;
  }
}

export interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly command: string;
}

/** The living processes of the host, by the mark in their environment (vLLM's children have none). */
export async function processesOf(folder: string): Promise<Seen[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const seen = await Promise.all(pids.map((pid) => readProcess(pid, folder)));
  return seen.filter((each) => each !== null);
}

async function readProcess(pid: string, folder: string): Promise<Seen | null> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const [environment, stat, command] = await Promise.all([read('environ'), read('stat'), read('cmdline')]);
  if (!environment.split('\0').includes(`REHEARSAL_HOST=${folder}`)) return null;
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z') return null;
  const words = command.split('\0').join(' ').trim();
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    command: words,
  };
}

/** nvidia-smi's apps: `[gpu index, pid, name]`, by index. */
export async function gpuUsers(client: Client): Promise<[number, number, string][]> {
  const ask = async (query: string) => {
    const { stdout } = await run(client, `nvidia-smi ${query} --format=csv,noheader,nounits`);
    return stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(', '));
  };
  const indexes = new Map((await ask('--query-gpu=uuid,index')).map(([uuid = '', index]) => [uuid, Number(index)]));
  const apps = await ask('--query-compute-apps=gpu_uuid,pid,name');
  return apps.map(([uuid = '', pid, name = '']) => [indexes.get(uuid) ?? -1, Number(pid), name]);
}
